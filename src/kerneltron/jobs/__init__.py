"""What the command line does, without printing: it trains, predicts, evaluates, explains and merges."""
