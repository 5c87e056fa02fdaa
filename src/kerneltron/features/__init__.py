"""scikit-learn transformers: raw data become features."""
