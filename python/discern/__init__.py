"""Linear discriminants with scikit-learn's interface, certificates, standard errors and data frames."""

from . import (
    discriminant_analysis,
    evaluation,
    linear_model,
    multiclass,
    naive_bayes,
    neural_network,
    perceptron,
    persistence,
    svm,
    table,
)
from ._errors import Error
from ._native import core as _core_module
from .discriminant_analysis import *
from .evaluation import *
from .linear_model import *
from .multiclass import *
from .naive_bayes import *
from .neural_network import *
from .perceptron import *
from .persistence import *
from .svm import *
from .table import *

__version__ = "0.1.0"


def model_names():
    """The names of the library's models, as the tool lists them."""
    return _core_module.model_names()


__all__ = ["Error", "model_names"]
for _part in (
    discriminant_analysis,
    evaluation,
    linear_model,
    multiclass,
    naive_bayes,
    neural_network,
    perceptron,
    persistence,
    svm,
    table,
):
    __all__ += _part.__all__
