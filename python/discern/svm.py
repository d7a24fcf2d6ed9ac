"""The linear support vector machine with scikit-learn's interface.

    min  1/2 |w|^2 + C sum_i s_i max(0, 1 - t_i g_i)^q        the bias penalised like a weight, as LIBLINEAR does

is C times the library's objective with l2 = 1 / C (l1 = 1 / C for penalty="l1").
"""

import numpy as np
import sklearn.svm as sk

from ._base import Classifier
from ._arguments import refuse, tolerance

__all__ = ["LinearSVC"]


class LinearSVC(Classifier, sk.LinearSVC):
    """Linear support vector classification, one class against the rest, with a certificate of its minimum."""

    def fit(self, X, y, sample_weight=None):
        """Fits the model to rows, labels and weights."""
        self._validate_params()
        refuse(self, multi_class=self.multi_class != "ovr")
        self._check_combination()
        X, y, sample_weight = self._training_rows(X, y, sample_weight, dtype=np.float64)
        codes, names = self._coded(y)
        strength = "l1" if self.penalty == "l1" else "l2"
        options = {
            "loss": self.loss.replace("_", "-"),
            "l1": 0.0,
            "l2": 0.0,
            strength: 1.0 / self.C,
            "tol": tolerance(self.tol),
            "max_iter": max(1, self.max_iter),
            "no_bias": not self.fit_intercept,
            "penalize_bias": self.fit_intercept,
        }
        refuse(self, intercept_scaling=self.fit_intercept and self.intercept_scaling != 1)
        model = self._learn_classes("svm", options, X, codes, names, self._weighted(y, sample_weight))
        self._set_planes(model, X.dtype)
        self.n_iter_ = min(model.iterations, max(1, self.max_iter))
        self._keep(model)
        return self._finish()

    def _check_combination(self):
        """The combinations that LIBLINEAR refuses."""
        loss, penalty, dual = self.loss, self.penalty, self.dual
        if (
            (loss, penalty) == ("hinge", "l1")
            or (dual is False and loss == "hinge")
            or (dual is True and penalty == "l1")
        ):
            raise ValueError(
                "Unsupported set of arguments: The combination of "
                f"penalty='{penalty}' and loss='{loss}' is not supported when dual={dual}, "
                f"Parameters: penalty={penalty!r}, loss={loss!r}, dual={dual!r}"
            )
