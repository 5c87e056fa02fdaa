"""The learners: scikit-learn classifiers that learn online."""
