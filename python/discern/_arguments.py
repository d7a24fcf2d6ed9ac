"""What the translations of scikit-learn's arguments share."""


def tolerance(tol):
    """The certificate to reach for scikit-learn's `tol`."""
    return 1e-9 if tol is None else min(1e-9, float(tol))


def refuse(estimator, **unsupported):
    """An error for an argument that is set and cannot be honoured."""
    for name, is_set in unsupported.items():
        if is_set:
            raise ValueError(
                f"{type(estimator).__name__}: {name}={getattr(estimator, name)!r} is not supported; "
                "scikit-learn's estimator of this name has it"
            )


def weight_of(y, sample_weight):
    """The number of rows; a weight of two counts as two rows."""
    return float(len(y) if sample_weight is None else sample_weight.sum())
