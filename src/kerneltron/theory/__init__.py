"""What can be said of a learner beforehand: bounds, margins, and parameters that follow from them."""
