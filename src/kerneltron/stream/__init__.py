"""Files and pipes as blocks of examples, parsed and hashed in the background."""
