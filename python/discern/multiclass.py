"""Many classes from machines for two: scikit-learn's meta-estimators, with the certificates of their machines."""

import sklearn.multiclass as sk
from sklearn.utils.validation import check_is_fitted

__all__ = ["OneVsOneClassifier", "OneVsRestClassifier", "OutputCodeClassifier"]


class _Machines:
    """What the machines prove together. They may be any estimators; those of this package carry certificates."""

    @property
    def converged_(self):
        """Whether every machine converged; None if one does not say."""
        check_is_fitted(self, "estimators_")
        told = [getattr(machine, "converged_", None) for machine in self.estimators_]
        return None if None in told else all(told)

    @property
    def certificate_(self):
        """The worst certificate of the machines; None if one has none."""
        check_is_fitted(self, "estimators_")
        told = [getattr(machine, "certificate_", None) for machine in self.estimators_]
        return None if None in told else max(told, key=lambda certificate: certificate["value"])


class OneVsRestClassifier(_Machines, sk.OneVsRestClassifier):
    """A machine for each class, against all others."""


class OneVsOneClassifier(_Machines, sk.OneVsOneClassifier):
    """A machine for each pair of classes."""


class OutputCodeClassifier(_Machines, sk.OutputCodeClassifier):
    """Machines for the bits of error-correcting output codes."""
