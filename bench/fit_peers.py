"""The other libraries of bench/fit.py, each run in a process of its own that keeps its data between runs.

    fit_peers.py PROBLEM BASE PEER THREADS OUT

BASE names the files of the data set (fit_problems.prepare). Says {"ready": ..., "version": ...}, then for each tolerance
on standard input fits once, writes the weights and the bias to OUT (.npz) and says {"seconds": ...}: the time of the
fit alone, on data that are already in memory in the layout that the library likes best.
"""
import dataclasses
import importlib.metadata
import json
import pathlib
import sys
import time
import warnings

import numpy as np
import scipy.sparse as sparse

import fit_problems

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEBIAN = ROOT / "build" / "bench-fit-debian"
MULTICORE = ROOT / "build" / "bench-fit-multicore"
FOREVER = 10_000_000


def ladder(first, last):
    return [10.0**-k for k in range(first, last + 1)]


def with_ones(x):
    if sparse.issparse(x):
        return sparse.hstack([x, np.ones((x.shape[0], 1))]).tocsr()
    return np.hstack([x, np.ones((x.shape[0], 1))])


def estimator(make, layout=lambda x: x, labels=lambda y: y):
    """A peer shaped like scikit-learn: make(problem, tolerance, rows) gives what has fit(x, y)."""

    def prepare(problem, x, y, threads):
        x, y = layout(x), labels(y)

        def fit(tolerance):
            model = make(problem, tolerance, x.shape[0])
            model.fit(x, y)
            return model.coef_, model.intercept_

        return fit

    return prepare


def sklearn_logistic(solver, package="sklearn.linear_model"):
    def make(problem, tolerance, rows):
        module = importlib.import_module(package)
        penalty = {"l1_ratio": 1.0, "C": 1 / problem.l1} if problem.l1 else {"C": 1 / problem.l2}
        return module.LogisticRegression(solver=solver, tol=tolerance, max_iter=FOREVER, fit_intercept=problem.bias == "free",
                                         random_state=0, **penalty)

    return estimator(make)


def sklearn_lasso(package, **more):
    def make(problem, tolerance, rows):
        module = importlib.import_module(package)
        return module.Lasso(alpha=problem.l1 / rows, tol=tolerance, max_iter=100_000, **more)

    return estimator(make, layout=np.asfortranarray)


def skglm_logistic():
    def make(problem, tolerance, rows):
        import skglm
        return skglm.SparseLogisticRegression(alpha=problem.l1 / rows, tol=tolerance, max_iter=1000, fit_intercept=False)

    return estimator(make, layout=sparse.csc_matrix)


def celer_logistic():
    def make(problem, tolerance, rows):
        import celer
        return celer.LogisticRegression(C=1 / problem.l1, tol=tolerance, max_iter=1000)

    return estimator(make, layout=sparse.csc_matrix)


def sgd_epochs():
    def make(problem, tolerance, rows):
        from sklearn.linear_model import SGDClassifier
        return SGDClassifier(loss="log_loss", alpha=problem.l2 / rows, max_iter=problem.epochs, tol=None, random_state=0)

    return estimator(make)


def perceptron_epochs(by_default=False):
    """With the rows in the order that discern takes them, or as scikit-learn does unless told: shuffled."""
    def make(problem, tolerance, rows):
        from sklearn.linear_model import Perceptron
        return Perceptron(max_iter=problem.epochs, tol=None, shuffle=by_default or "shuffle=true" in problem.options)

    return estimator(make)


def liblinear(solver, multicore):
    def prepare(problem, x, y, threads):
        from fit_liblinear import Liblinear
        if multicore:
            libraries = list(MULTICORE.glob("liblinear/clib*.so"))
        else:
            libraries = [next(DEBIAN.glob("usr/lib/*/blas/libblas.so.3")), next(DEBIAN.glob("usr/lib/*/liblinear.so.4"))]
        library = Liblinear(libraries, multicore, x, y, threads, problem.bias == "free")

        def fit(tolerance):
            weights = library.fit(solver, 1 / (problem.l1 or problem.l2), tolerance)
            return (weights[:-1], weights[-1:]) if problem.bias == "free" else (weights, np.zeros(1))

        return fit

    return prepare


def vowpal_epoch():
    """One pass over Vowpal Wabbit's binary cache, which is how it keeps examples between passes."""

    def prepare(problem, x, y, threads):
        import tempfile

        import vowpalwabbit
        folder = tempfile.mkdtemp()  # in the scratch folder of whoever started this, who removes it
        with open(f"{folder}/data.vw", "w") as file:
            columns, values = x.indices.tolist(), x.data.tolist()
            for i, label in enumerate(y.tolist()):
                entries = range(x.indptr[i], x.indptr[i + 1])
                file.write(f"{2 * label - 1} | " + " ".join(f"{columns[k]}:{values[k]:.6g}" for k in entries) + "\n")
        arguments = (f"--data {folder}/data.vw --cache_file {folder}/cache --loss_function logistic "
                     f"--l2 {problem.l2 / x.shape[0]:.3g} --bit_precision 18 --quiet")

        def fit(tolerance):
            fit.workspace = workspace = vowpalwabbit.Workspace(arguments)
            seconds = time.perf_counter()
            weights = np.array([workspace.get_weight_from_name(str(j), " ") for j in range(x.shape[1])])
            bias = workspace.get_weight_from_name("Constant", " ")
            return weights, [bias], time.perf_counter() - seconds

        return fit

    return prepare


# name -> (package whose version is shown, tolerances from loose to tight, how to prepare)
PEERS = {
    **{f"scikit-learn {solver}": ("scikit-learn", steps, sklearn_logistic(solver)) for solver, steps in {
        "lbfgs": ladder(1, 13), "newton-cg": ladder(1, 10), "newton-cholesky": ladder(1, 10), "sag": ladder(2, 8),
        "saga": ladder(2, 8), "liblinear": ladder(1, 10)}.items()},
    "scikit-learn-intelex lbfgs": ("scikit-learn-intelex", ladder(-3, 10), sklearn_logistic("lbfgs", "sklearnex.linear_model")),
    **{f"LIBLINEAR {solver}": ("liblinear", ladder(-1, 10), liblinear(solver, False)) for solver in (
        "logistic newton", "logistic dual", "squared-hinge dual", "squared-hinge newton", "hinge dual", "l1-logistic")},
    **{f"LIBLINEAR multi-core {solver}": ("liblinear-multicore", ladder(0, 10), liblinear(solver, True)) for solver in (
        "logistic newton", "squared-hinge dual", "squared-hinge newton", "hinge dual", "l1-logistic")},
    "skglm prox-newton": ("skglm", ladder(2, 12), skglm_logistic()),
    "celer prox-newton": ("celer", ladder(-1, 12), celer_logistic()),
    "scikit-learn cd": ("scikit-learn", ladder(2, 12), sklearn_lasso("sklearn.linear_model")),
    "scikit-learn-intelex cd": ("scikit-learn-intelex", ladder(2, 12), sklearn_lasso("daal4py.sklearn.linear_model")),
    "skglm cd": ("skglm", ladder(2, 12), sklearn_lasso("skglm")),
    "celer cd": ("celer", ladder(-1, 12), sklearn_lasso("celer")),
    "glmnet": ("glmnet", ladder(4, 24)[::2], None),
    "scikit-learn SGDClassifier": ("scikit-learn", [0.0], sgd_epochs()),
    "scikit-learn Perceptron": ("scikit-learn", [0.0], perceptron_epochs()),
    "scikit-learn's default Perceptron": ("scikit-learn", [0.0], perceptron_epochs(by_default=True)),
    "Vowpal Wabbit": ("vowpalwabbit", [0.0], vowpal_epoch()),
}

# Those that come closest first: the time that they need bounds that of the others.
PEERS_OF = {
    "dense": ["scikit-learn newton-cholesky", "scikit-learn lbfgs", "scikit-learn newton-cg", "scikit-learn-intelex lbfgs",
              "LIBLINEAR multi-core logistic newton", "scikit-learn saga", "glmnet"],
    "dense-scales": ["scikit-learn newton-cholesky", "scikit-learn lbfgs", "scikit-learn newton-cg",
                     "scikit-learn-intelex lbfgs", "LIBLINEAR multi-core logistic newton", "glmnet"],
    "sparse": ["LIBLINEAR multi-core logistic newton", "LIBLINEAR logistic newton", "LIBLINEAR logistic dual",
               "scikit-learn lbfgs", "scikit-learn newton-cg", "scikit-learn saga"],
    "sparse-squared-hinge": ["LIBLINEAR multi-core squared-hinge newton", "LIBLINEAR squared-hinge newton",
                             "LIBLINEAR squared-hinge dual", "LIBLINEAR multi-core squared-hinge dual"],
    "sparse-hinge": ["LIBLINEAR hinge dual", "LIBLINEAR multi-core hinge dual"],
    "sparse-l1": ["LIBLINEAR l1-logistic", "LIBLINEAR multi-core l1-logistic", "celer prox-newton", "skglm prox-newton",
                  "glmnet"],
    "a9a": ["LIBLINEAR multi-core logistic newton", "LIBLINEAR logistic newton", "LIBLINEAR logistic dual",
            "scikit-learn newton-cg", "scikit-learn lbfgs", "glmnet"],
    "news20": ["scikit-learn lbfgs", "scikit-learn newton-cg", "scikit-learn saga", "glmnet"],
    "mnist": ["scikit-learn lbfgs", "scikit-learn-intelex lbfgs", "scikit-learn newton-cg"],
    "lasso": ["celer cd", "skglm cd", "scikit-learn cd", "scikit-learn-intelex cd", "glmnet"],
    "small": ["scikit-learn lbfgs", "scikit-learn-intelex lbfgs", "scikit-learn newton-cg", "glmnet"],
    "epoch": ["scikit-learn SGDClassifier", "Vowpal Wabbit"],
    "epochs": ["scikit-learn SGDClassifier"],
    "epochs-100": ["scikit-learn SGDClassifier"],
    "perceptron": ["scikit-learn Perceptron", "scikit-learn's default Perceptron"],
    "perceptron-shuffled": ["scikit-learn Perceptron"],
}


def version_of(package):
    if package == "liblinear":
        return next(DEBIAN.glob("liblinear4_*.deb")).name.split("_")[1]
    path = [str(MULTICORE)] if package == "liblinear-multicore" else sys.path
    return next(importlib.metadata.distributions(name=package, path=path)).version


def main():
    name, base, peer, threads, out = sys.argv[1:]
    warnings.simplefilter("ignore")
    problem = next(p for p in fit_problems.PROBLEMS if p.name == name)
    data = fit_problems.load(problem, base)
    x, y = data.x, data.y
    if problem.bias == "penalised":
        x = with_ones(x)
    prepare = PEERS[peer][2]
    # Compiles what is compiled on first use, on a few rows of every class, with penalties that go with them.
    few = np.unique(np.concatenate([np.arange(300) % len(y), np.unique(y[:5000], return_index=True)[1]]))
    if problem.kind == "fit":
        share = len(few) / len(y)
        less = dataclasses.replace(problem, l1=problem.l1 * share, l2=problem.l2 * share)
        prepare(less, x[few], y[few], int(threads))(1e-4)
    fit = prepare(problem, x, y, int(threads))
    answers = sys.stdout
    sys.stdout = sys.stderr
    print(json.dumps({"ready": True, "version": version_of(PEERS[peer][0])}), file=answers, flush=True)
    for line in sys.stdin:
        start, processor = time.perf_counter(), time.process_time()
        weights, bias, *apart = fit(float(line))
        processor = time.process_time() - processor
        seconds = time.perf_counter() - start - (apart[0] if apart else 0)
        weights = np.atleast_2d(weights)
        if problem.bias == "penalised":
            weights, bias = weights[:, :-1], weights[:, -1]
        np.savez(out, weights=weights, bias=np.ravel(bias) if problem.bias != "none" else np.zeros(len(weights)))
        print(json.dumps({"seconds": seconds, "cpu": processor}), file=answers, flush=True)


if __name__ == "__main__":
    main()
