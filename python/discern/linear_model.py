"""Linear models with scikit-learn's names, arguments, defaults and attributes.

Every class has the constructor of its namesake in the installed scikit-learn, and minimises the same objective. With
E the objective of the library (the sum of the losses, not their mean, plus l2/2 |w|^2 + l1 |w|_1):

    LogisticRegression    l2 = (1 - l1_ratio) / C,  l1 = l1_ratio / C
    LinearRegression      l2 = l1 = 0
    Ridge                 l2 = alpha
    Lasso, ElasticNet     l1 = n alpha l1_ratio,  l2 = n alpha (1 - l1_ratio), n the sum of the weights

A fit ends when its certificate is at most 1e-9, or `tol` if that is smaller. The algorithm is chosen by the library;
`solver` only has the effects on the objective that it has in scikit-learn.
"""

from .least_squares import (
    ElasticNet,
    ElasticNetCV,
    Lasso,
    LassoCV,
    LinearRegression,
    Ridge,
    RidgeCV,
)
from .logistic_regression import FirthLogisticRegression, LogisticRegression, LogisticRegressionCV
from .stochastic import Perceptron, SGDClassifier, SGDRegressor

__all__ = [
    "ElasticNet",
    "ElasticNetCV",
    "FirthLogisticRegression",
    "Lasso",
    "LassoCV",
    "LinearRegression",
    "LogisticRegression",
    "LogisticRegressionCV",
    "Perceptron",
    "Ridge",
    "RidgeCV",
    "SGDClassifier",
    "SGDRegressor",
]
