"""The scikit-learn classes: one classifier for each method of the catalogue, and `ManyTasks`."""
