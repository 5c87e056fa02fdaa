"""From bytes to features: compiled parsers, hashing, and what is made of the words of an example."""
