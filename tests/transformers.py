"""What scikit-learn asks of transformers whose input is no matrix."""

from sklearn.utils import estimator_checks

CHECKS = [
    estimator_checks.check_estimator_cloneable,
    estimator_checks.check_estimator_repr,
    estimator_checks.check_estimator_tags_renamed,
    estimator_checks.check_get_params_invariance,
    estimator_checks.check_no_attributes_set_in_init,
    estimator_checks.check_set_params,
    estimator_checks.check_valid_tag_types,
]
