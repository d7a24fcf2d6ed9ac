"""Every estimator through scikit-learn's own checks. None may fail, and none is expected to.

One check is skipped for each: that of array-API input, which scikit-learn makes only if SCIPY_ARRAY_API is set. The
package takes NumPy and SciPy arrays, and says so in its tags.
"""

import discern
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import parametrize_with_checks

CONSTRUCTED = {
    "Compare": lambda: discern.Compare(models=["lda", "naive-bayes"], folds=2),
    "LogisticRegressionCV": lambda: discern.LogisticRegressionCV(cv=3),
    "OneVsOneClassifier": lambda: discern.OneVsOneClassifier(discern.LogisticRegression()),
    "OneVsRestClassifier": lambda: discern.OneVsRestClassifier(discern.LogisticRegression()),
    "OutputCodeClassifier": lambda: discern.OutputCodeClassifier(discern.LogisticRegression()),
}
LOADED = ("LoadedClassifier", "LoadedRegressor")  # come fitted from a file, so there is nothing to fit


def estimators():
    for name in discern.__all__:
        cls = getattr(discern, name)
        if isinstance(cls, type) and issubclass(cls, BaseEstimator) and name not in LOADED:
            yield CONSTRUCTED.get(name, cls)()


def test_every_estimator_is_checked():
    names = {type(estimator).__name__ for estimator in estimators()}
    wanted = """LogisticRegression LogisticRegressionCV LinearSVC LinearRegression Ridge RidgeCV Lasso LassoCV ElasticNet
        ElasticNetCV Perceptron SGDClassifier SGDRegressor LinearDiscriminantAnalysis QuadraticDiscriminantAnalysis
        GaussianNB BernoulliNB MultinomialNB ComplementNB CategoricalNB MLPClassifier MLPRegressor OneVsRestClassifier
        OneVsOneClassifier OutputCodeClassifier HoKashyap KernelPerceptron FisherDiscriminant MixedNB RBFNetwork Compare
        TableClassifier TableRegressor FirthLogisticRegression"""
    assert names == set(wanted.split())


@parametrize_with_checks(list(estimators()))
def test_check(estimator, check):
    check(estimator)
