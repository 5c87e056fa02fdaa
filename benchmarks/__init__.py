"""Speed and memory beside other people's learners."""
