"""LIBLINEAR's train() on data in memory, through its C interface: Debian's library and the multi-core one."""
import ctypes

import numpy as np
import scipy.sparse as sparse

SOLVERS = {
    "logistic newton": 0,
    "squared-hinge dual": 1,
    "squared-hinge newton": 2,
    "hinge dual": 3,
    "l1-logistic": 6,
    "logistic dual": 7,
}


class Node(ctypes.Structure):
    _fields_ = [("index", ctypes.c_int), ("value", ctypes.c_double)]


class Data(ctypes.Structure):
    _fields_ = [("l", ctypes.c_int), ("n", ctypes.c_int), ("y", ctypes.c_void_p), ("x", ctypes.c_void_p),
                ("bias", ctypes.c_double)]


class SerialParameter(ctypes.Structure):  # as of version 2.3
    _fields_ = [("solver_type", ctypes.c_int), ("eps", ctypes.c_double), ("C", ctypes.c_double), ("nr_weight", ctypes.c_int),
                ("weight_label", ctypes.c_void_p), ("weight", ctypes.c_void_p), ("p", ctypes.c_double),
                ("init_sol", ctypes.c_void_p)]


class MulticoreParameter(ctypes.Structure):  # as of version 2.50
    _fields_ = [("solver_type", ctypes.c_int), ("eps", ctypes.c_double), ("C", ctypes.c_double), ("nr_thread", ctypes.c_int),
                ("nr_weight", ctypes.c_int), ("weight_label", ctypes.c_void_p), ("weight", ctypes.c_void_p),
                ("p", ctypes.c_double), ("nu", ctypes.c_double), ("init_sol", ctypes.c_void_p),
                ("regularize_bias", ctypes.c_int), ("w_recalc", ctypes.c_bool)]


def model_type(parameter):
    class Model(ctypes.Structure):
        _fields_ = [("param", parameter), ("nr_class", ctypes.c_int), ("nr_feature", ctypes.c_int),
                    ("w", ctypes.POINTER(ctypes.c_double)), ("label", ctypes.POINTER(ctypes.c_int))]

    return Model


class Liblinear:
    """One library with one data set of two classes (0 and 1), in LIBLINEAR's own layout."""

    def __init__(self, libraries, multicore, x, y, threads, free_bias):
        for needed in libraries[:-1]:
            ctypes.CDLL(str(needed), mode=ctypes.RTLD_GLOBAL)
        self.library = ctypes.CDLL(str(libraries[-1]))
        self.version = ctypes.c_int.in_dll(self.library, "liblinear_version").value
        self.parameter = MulticoreParameter if multicore else SerialParameter
        self.model = ctypes.POINTER(model_type(self.parameter))
        self.library.train.restype = self.model
        self.quiet = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(lambda text: None)
        self.library.set_print_string_function(self.quiet)
        self.threads, self.free_bias = threads, free_bias
        self.store(sparse.csr_matrix(x), y)

    def store(self, x, y):
        """Rows of (column, value) pairs, each ended by column -1, with a column of ones for a free bias."""
        n, d = x.shape
        extra = 2 if self.free_bias else 1
        starts = x.indptr.astype(np.int64) + extra * np.arange(n + 1)
        self.nodes = np.zeros(starts[-1], dtype=np.dtype(Node))
        place = np.arange(x.nnz) + extra * np.repeat(np.arange(n), np.diff(x.indptr))
        self.nodes["index"][place] = x.indices + 1
        self.nodes["value"][place] = x.data
        if self.free_bias:
            self.nodes["index"][starts[1:] - 2] = d + 1
            self.nodes["value"][starts[1:] - 2] = 1
        self.nodes["index"][starts[1:] - 1] = -1
        self.rows = (self.nodes.ctypes.data + starts[:-1] * ctypes.sizeof(Node)).astype(np.uint64)
        self.labels = (2.0 * y - 1).astype(np.float64)
        self.data = Data(n, d + (1 if self.free_bias else 0), self.labels.ctypes.data, self.rows.ctypes.data,
                         1.0 if self.free_bias else -1.0)

    def fit(self, solver, cost, tolerance):
        """The weights of the positive class, the bias last when it is free."""
        parameter = self.parameter(solver_type=SOLVERS[solver], eps=tolerance, C=cost, p=0.1)
        if self.parameter is MulticoreParameter:
            parameter.nr_thread, parameter.nu = self.threads, 0.5
            parameter.regularize_bias = 0 if self.free_bias else 1
        model = self.library.train(ctypes.byref(self.data), ctypes.byref(parameter))
        content = model.contents
        weights = np.ctypeslib.as_array(content.w, (self.data.n,)).copy()
        if content.label[0] < 0:
            weights = -weights
        self.library.free_and_destroy_model(ctypes.byref(model))
        return weights
