"""What the command line does, without printing: train, predict, evaluate, explain, merge models of streams."""
