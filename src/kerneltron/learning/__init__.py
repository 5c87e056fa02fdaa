"""A method together with what it learns: learners, and the passes that teach them."""
