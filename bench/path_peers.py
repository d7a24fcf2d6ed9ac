"""celer and skglm for bench/path.py: path_peers.py PEER BASE CASE ROWS COLUMNS TOLERANCE OUT.

Follows the penalties in BASE.l1 on the data in BASE.x, BASE.y (and BASE.i, BASE.p of sparse columns), writes the bias and the
weights of every point to OUT as 8-byte floats and says {"seconds": ..., "cpu": ..., "version": ...}. The lasso's bias is that of centred
data, which is not charged. What is compiled on first use is compiled before.
"""
import importlib.metadata
import json
import sys
import time
import warnings

import numpy as np
import scipy.sparse as sparse


def celer_path(case, x, y, l1, tolerance):
    from celer import celer_path as path
    if case == "lasso":
        return path(x, y, "lasso", alphas=l1 / len(y), tol=tolerance, max_iter=100)[1].T
    return path(x, y, "logreg", alphas=l1, tol=tolerance, max_iter=100, use_PN=True)[1].T


def skglm_path(case, x, y, l1, tolerance):
    from skglm.datafits import Logistic, Quadratic
    from skglm.penalties import L1
    from skglm.solvers import AndersonCD, ProxNewton
    if case == "lasso":
        solver = AndersonCD(tol=tolerance, fit_intercept=False, max_iter=1000, warm_start=True)
        datafit = Quadratic()
    else:
        solver = ProxNewton(tol=tolerance, fit_intercept=False, max_iter=1000, warm_start=True)
        datafit = Logistic()
    weights, w, fitted = [], np.zeros(x.shape[1]), np.zeros(x.shape[0])
    for strength in l1:
        w = solver.solve(x, y, datafit, L1(strength / len(y)), w_init=w, Xw_init=fitted)[0]
        fitted = x @ w
        weights.append(w.copy())
    return np.array(weights)


def main():
    peer, base, case, rows, columns, tolerance, out = sys.argv[1:]
    warnings.simplefilter("ignore")
    shape = (int(rows), int(columns))
    y, l1 = np.fromfile(f"{base}.y"), np.fromfile(f"{base}.l1")
    if case == "lasso":
        x = np.fromfile(f"{base}.x").reshape(shape, order="F")
        mean, level = x.mean(axis=0), y.mean()
        x, y = np.asfortranarray(x - mean), y - level
    else:
        numbers = [np.fromfile(f"{base}.{part}", dtype=np.int32) for part in "ip"]
        x, y = sparse.csc_matrix((np.fromfile(f"{base}.x"), *numbers), shape=shape), 2 * y - 1
    follow = celer_path if peer == "celer" else skglm_path
    few = np.asfortranarray(x[:200, :50]) if case == "lasso" else x[:200, :50].tocsc()
    slope = np.abs(few.T @ y[:200]).max() / 2
    follow(case, few, y[:200], slope * np.array([0.9, 0.5]), 1e-3)
    start, processor = time.perf_counter(), time.process_time()
    weights = follow(case, x, y, l1, float(tolerance))
    seconds, processor = time.perf_counter() - start, time.process_time() - processor
    bias = level - weights @ mean if case == "lasso" else np.zeros(len(weights))
    np.column_stack([bias, weights]).tofile(out)
    print(json.dumps({"seconds": seconds, "cpu": processor, "version": importlib.metadata.version(peer)}))


if __name__ == "__main__":
    main()
