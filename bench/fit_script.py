"""What a user of scikit-learn would write: fit_script.py DATA.svm MODEL TOLERANCE SOLVER (for bench/fit.py)."""
import sys
import joblib, numpy, scipy.sparse
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import LogisticRegression
x, y = load_svmlight_file(sys.argv[1])
solver = sys.argv[4]
x.indices, x.indptr = x.indices.astype("int32"), x.indptr.astype("int32")  # liblinear takes no others
if solver != "liblinear":  # which penalises the bias itself
    x = scipy.sparse.hstack([x, numpy.ones((x.shape[0], 1))]).tocsr()
model = LogisticRegression(solver=solver, tol=float(sys.argv[3]), max_iter=100000, fit_intercept=solver == "liblinear")
joblib.dump(model.fit(x, y), sys.argv[2])
