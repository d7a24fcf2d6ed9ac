"""The problems of bench/fit.py: their data, their objective, and what the summary expects of them.

Every problem is

    E(W, b) = sum_i L(g(x_i), y_i)  +  l2/2 |W|^2  +  l1 |W|_1,        g(x) = W x + b

on the features as they are. The bias is free, or penalised like a weight (LIBLINEAR's convention), or absent.
"""
import dataclasses
import gzip
import json
import os
import pathlib
import zlib

import numpy as np
import scipy.sparse as sparse


@dataclasses.dataclass
class Problem:
    name: str
    what: str
    data: str  # a name in MAKERS
    loss: str  # logistic, softmax, hinge, squared-hinge, squared, perceptron
    model: str  # discern's name for the model
    l2: float = 0.0
    l1_share: float = 0.0  # of the smallest l1 for which all weights are zero
    bias: str = "free"  # free, penalised, none
    kind: str = "fit"  # fit, epoch (a fixed number of passes) or file (from the text to the model file)
    options: tuple = ()  # further options of discern
    floors: tuple = ()  # (beginning of a peer's name or "", ratio, where: "1e-6" or "1e-9")
    l1: float = 0.0  # filled in by load()

    @property
    def epochs(self):
        return next(int(option.split("=")[1]) for option in self.options if option.startswith("epochs="))


PROBLEMS = [
    Problem("dense", "logistic, 400,000 x 50", "dense", "logistic", "logistic", l2=1, floors=(("scikit-learn", 5), ("", 1))),
    Problem("dense-scales", "the same with feature scales from 1e-3 to 1e3", "dense-scales", "logistic", "logistic", l2=1,
            floors=(("scikit-learn lbfgs", 20), ("", 1))),
    Problem("sparse", "logistic, 100,000 x 50,000, 65 entries a row", "sparse", "logistic", "logistic", l2=1, bias="penalised",
            floors=(("LIBLINEAR", 3), ("", 1))),
    Problem("sparse-squared-hinge", "squared hinge on the same", "sparse", "squared-hinge", "svm", l2=1, bias="penalised",
            options=("loss=squared-hinge",), floors=(("LIBLINEAR", 3), ("", 1))),
    Problem("sparse-hinge", "hinge on the same", "sparse", "hinge", "svm", l2=1, bias="penalised", options=("loss=hinge",),
            floors=(("", 1),)),
    Problem("sparse-l1", "l1-logistic on the same, no bias", "sparse", "logistic", "logistic", l1_share=0.05, bias="none",
            options=("l2=0",), floors=(("LIBLINEAR", 3), ("", 1))),
    Problem("a9a", "logistic, 32,561 x 123, 14 entries a row", "a9a", "logistic", "logistic", l2=1, bias="penalised",
            floors=(("", 1),)),
    Problem("news20", "softmax, 11,314 x 31,121 word counts, 20 classes", "news20", "softmax", "logistic", l2=1,
            floors=(("", 1),)),
    Problem("mnist", "softmax, 60,000 x 784 pixels, 10 classes", "mnist", "softmax", "logistic", l2=1, floors=(("", 1),)),
    Problem("lasso", "lasso, 2,000 x 20,000", "wide", "squared", "lasso", l1_share=0.05, floors=(("", 1),)),
    Problem("small", "softmax, 100 x 1,000, 10 classes", "small", "softmax", "logistic", l2=1, floors=(("", 1),)),
    Problem("epoch", "one SGD epoch of logistic over the sparse data", "sparse", "logistic", "logistic", l2=1, kind="epoch",
            options=("solver=sgd", "epochs=1"), floors=(("", 1),)),
    Problem("epochs", "ten of them, so that what is done once a fit (the certificate, too) is shared", "sparse", "logistic",
            "logistic", l2=1, kind="epoch", options=("solver=sgd", "epochs=10"), floors=(("", 1),)),
    Problem("epochs-100", "a hundred, of which what is done once a fit is a few per cent", "sparse", "logistic", "logistic", l2=1,
            kind="epoch", options=("solver=sgd", "epochs=100"), floors=(("scikit-learn", 3), ("", 1))),
    Problem("perceptron", "ten epochs of the sequential perceptron over the sparse data", "sparse", "perceptron", "perceptron",
            kind="epoch", options=("epochs=10",),
            floors=(("scikit-learn Perceptron", 3), ("scikit-learn's default Perceptron", 3), ("", 1))),
    Problem("perceptron-shuffled", "the same with the rows in a new order every epoch", "sparse", "perceptron", "perceptron",
            kind="epoch", options=("epochs=10", "shuffle=true"), floors=(("scikit-learn", 3), ("", 1))),
    Problem("file", "text to model file, the sparse logistic problem", "sparse", "logistic", "logistic", l2=1, bias="penalised",
            kind="file", floors=(("LIBLINEAR", 8), ("scikit-learn", 10), ("", 1))),
]


@dataclasses.dataclass
class Data:
    x: object  # a matrix of float64, dense C-order or CSR
    y: np.ndarray  # class indices, or numbers
    paths: tuple  # what discern reads: (features, targets) or (text,)

    @property
    def classes(self):
        return int(self.y.max()) + 1 if self.y.dtype == np.int64 else 0


def sigmoid_labels(random, score, sharpness):
    score = sharpness * (score - np.median(score)) / score.std()
    return (random.random(len(score)) < 1 / (1 + np.exp(-score))).astype(np.int64)


def make_dense(shrink, scales):
    random = np.random.default_rng(11)
    n, d = 400_000 // shrink, 50
    x = random.standard_normal((n, d)) + 0.7 * random.standard_normal((n, 1))
    y = sigmoid_labels(random, x @ random.standard_normal(d), 3)
    return (x * random.permutation(np.logspace(-3, 3, d)) if scales else x), y


def make_sparse(shrink):
    """Words of Zipfian frequency, their columns in no order; log counts times idf, rows of length 1, six decimals."""
    random = np.random.default_rng(12)
    n, d, k = 100_000 // shrink, 50_000 // shrink, 65
    share = 1 / (np.arange(d) + 3.0)
    cumulative = np.cumsum(share / share.sum())
    number = random.permutation(d)
    columns = np.empty((n, k), dtype=np.int64)
    for i in range(n):
        drawn = np.empty(0, dtype=np.int64)
        while len(drawn) < k:
            more = np.searchsorted(cumulative, random.random(150))
            _, first = np.unique(np.concatenate([drawn, more]), return_index=True)
            drawn = np.concatenate([drawn, more])[np.sort(first)]
        columns[i] = number[drawn[:k]]
    columns.sort(axis=1)
    documents = np.bincount(columns.ravel(), minlength=d)
    values = (1 + np.log(random.geometric(0.7, (n, k)))) * np.log((n + 1) / (documents + 1))[columns]
    values = np.maximum(np.round(values / np.linalg.norm(values, axis=1, keepdims=True), 6), 1e-6)
    x = sparse.csr_matrix((values.ravel(), columns.ravel().astype(np.int32), np.arange(0, n * k + 1, k)), shape=(n, d))
    return x, sigmoid_labels(random, x @ random.standard_normal(d), 4)


def make_wide(shrink):
    random = np.random.default_rng(13)
    n, d = 2_000 // shrink, 20_000 // shrink
    x = random.standard_normal((n, d))
    for j in range(1, d):  # neighbours correlate
        x[:, j] = 0.6 * x[:, j - 1] + 0.8 * x[:, j]
    w = np.zeros(d)
    w[random.choice(d, 200 // shrink, replace=False)] = random.standard_normal(200 // shrink)
    signal = x @ w
    return x, signal + 3 + random.standard_normal(n) * signal.std() / 3


def make_small(shrink):
    random = np.random.default_rng(14)
    y = np.arange(100) % 10
    return random.standard_normal((10, 1000))[y] * 0.3 + random.standard_normal((100, 1000)), y.astype(np.int64)


def read_svm(path):
    """LIBSVM text with plain C-locale numbers into CSR, the labels as class indices."""
    with (gzip.open(path, "rt") if path.suffix == ".gz" else open(path)) as lines:
        rows = [line.split() for line in lines]
    labels = np.array([float(row[0]) for row in rows])
    pairs = [pair.split(":") for row in rows for pair in row[1:]]
    columns = np.array([int(pair[0]) - 1 for pair in pairs], dtype=np.int32)
    values = np.array([float(pair[1]) for pair in pairs])
    starts = np.concatenate([[0], np.cumsum([len(row) - 1 for row in rows])])
    x = sparse.csr_matrix((values, columns, starts))
    return x, np.unique(labels, return_inverse=True)[1].astype(np.int64)


def read_mnist(folder):
    def bytes_of(name, header):
        return np.frombuffer(gzip.open(folder / name).read(), dtype=np.uint8, offset=header)

    x = bytes_of("mnist-train-images-idx3-ubyte.gz", 16).reshape(-1, 784) / 255.0
    return x, bytes_of("mnist-train-labels-idx1-ubyte.gz", 8).astype(np.int64)


MAKERS = {
    "dense": lambda shrink, real: make_dense(shrink, False),
    "dense-scales": lambda shrink, real: make_dense(shrink, True),
    "sparse": lambda shrink, real: make_sparse(shrink),
    "wide": lambda shrink, real: make_wide(shrink),
    "small": lambda shrink, real: make_small(shrink),
    "a9a": lambda shrink, real: read_svm(real / "libsvm" / "a9a.svm"),
    "news20": lambda shrink, real: read_svm(real / "libsvm" / "news20_counts_train.svm.gz"),
    "mnist": lambda shrink, real: read_mnist(real / "idx"),
}
REAL = ("a9a", "news20", "mnist")


def write_svm(path, x, y):
    with open(path, "w") as file:
        columns, values = (x.indices + 1).tolist(), x.data.tolist()
        for i, label in enumerate(y.tolist()):
            entries = range(x.indptr[i], x.indptr[i + 1])
            file.write(f"{label} " + " ".join(f"{columns[k]}:{values[k]:.10g}" for k in entries) + "\n")


def prepare(name, folder, shrink, real):
    """Makes the files of a data set unless they are there: NAME.npz or NAME.npy, NAME-y.npy, and NAME.svm when sparse."""
    base = folder / (f"fit-{name}" if shrink == 1 or name in REAL else f"fit-{name}-{shrink}")
    done = base.with_suffix(".json")
    if not done.exists():
        x, y = MAKERS[name](shrink, real)
        np.save(f"{base}-y.npy", y)
        if sparse.issparse(x):
            sparse.save_npz(f"{base}.npz", x, compressed=False)
            write_svm(f"{base}.svm", x, y)
        else:
            np.save(f"{base}.npy", np.ascontiguousarray(x))
        temporary = done.with_suffix(".part")
        temporary.write_text(json.dumps({"sparse": sparse.issparse(x)}))
        os.rename(temporary, done)
    return base


def load(problem, base):
    """The data of a problem; sets its l1."""
    y = np.load(f"{base}-y.npy")
    if json.loads(pathlib.Path(f"{base}.json").read_text())["sparse"]:
        data = Data(sparse.load_npz(f"{base}.npz").tocsr(), y, (f"{base}.svm",))
    else:
        data = Data(np.load(f"{base}.npy"), y, (f"{base}.npy", f"{base}-y.npy"))
    if problem.l1_share:
        problem.l1 = float(f"{problem.l1_share * l1_limit(problem, data):.4g}")
    return data


def l1_limit(problem, data):
    """The smallest l1 for which all weights are zero."""
    slope = data.y - data.y.mean() if problem.loss == "squared" else data.y - 0.5
    return float(np.abs(data.x.T @ slope).max())


def fingerprint(problem, data):
    """Tells whether an objective found earlier belongs to the same problem."""
    values = data.x.data if sparse.issparse(data.x) else data.x
    check = zlib.crc32(np.ascontiguousarray(values).view(np.uint8).ravel(), zlib.crc32(data.y.view(np.uint8)))
    return f"{problem.loss} l1={problem.l1} l2={problem.l2} bias={problem.bias} {check:08x}"


def objective(problem, data, weights, bias):
    """E(W, b) in double precision, whoever found W (scores x features) and b."""
    weights = np.atleast_2d(np.asarray(weights, dtype=np.float64))
    bias = np.ravel(np.asarray(bias, dtype=np.float64))
    scores = np.asarray(data.x @ weights.T) + bias
    if problem.loss == "squared":
        loss = 0.5 * np.square(data.y - scores[:, 0])
    elif problem.loss == "softmax":
        top = scores.max(axis=1)
        loss = np.log(np.exp(scores - top[:, None]).sum(axis=1)) + top - scores[np.arange(len(data.y)), data.y]
    else:
        margin = (2 * data.y - 1) * scores[:, 0]
        loss = {
            "logistic": lambda m: np.logaddexp(0, -m),
            "perceptron": lambda m: np.maximum(0, -m),
            "hinge": lambda m: np.maximum(0, 1 - m),
            "squared-hinge": lambda m: np.square(np.maximum(0, 1 - m)),
        }[problem.loss](margin)
    penalty = problem.l2 / 2 * np.square(weights).sum() + problem.l1 * np.abs(weights).sum()
    if problem.bias == "penalised":
        penalty += problem.l2 / 2 * np.square(bias).sum() + problem.l1 * np.abs(bias).sum()
    return float(loss.sum() + penalty)
