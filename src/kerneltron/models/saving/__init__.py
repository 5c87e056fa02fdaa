"""What a model knows as a header and tensors, and back: a file a kind of thing."""
