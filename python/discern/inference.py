"""How sure a fit may be of its weights: standard errors, tests, intervals, influence, separation, a summary.

They are those of fits without a penalty, of LinearRegression and of LogisticRegression with C=inf (or Firth's
correction). Such an estimator keeps a reference to the rows that it was fitted on until it is pickled, because
intervals by the profile of the likelihood, and the influence of rows, are computed from them when they are asked for.
"""

import html
import json
import struct
from collections import namedtuple

import numpy as np

from ._errors import Error
from ._native import core, option_texts

Training = namedtuple("Training", "model options X y classes sample_weight settings")
Training.__doc__ = "What a fit was made from."

NO_ROWS = (
    "standard errors, tests, intervals and influence are those of a fit without a penalty (LinearRegression, or "
    "LogisticRegression with C=inf), and need its rows, which are not kept when an estimator is saved or copied"
)


class InferenceMixin:
    """Statistics of an estimator that has kept its rows (`_training`)."""

    def _rows_of_fit(self):
        self._check_fitted()
        training = self.__dict__.get("_training")
        if training is None:
            raise AttributeError(NO_ROWS)
        return training

    def _inference(self, method="wald", robust=False, confidence=0.95):
        """The coefficients with errors and tests: a list of tuples, as the library gives them."""
        key = (method, bool(robust), float(confidence))
        cache = self.__dict__.setdefault("_inferred", {})
        if cache.get("of") is not self._model:
            cache.clear()
            cache["of"] = self._model
        if key not in cache:
            on = self._rows_of_fit()
            settings = dict(on.settings, inference=method, robust=robust, confidence=confidence)
            fitted, stopped = core.fit(on.model, option_texts(on.options), on.X, on.y, on.classes, settings)
            if stopped is not None:
                raise stopped
            cache[key] = fitted
        return cache[key]

    def _coefficient_array(self, column, **request):
        """One number of every coefficient, shaped scores x features, without the intercepts."""
        rows = [c for c in self._inference(**request).coefficients if c[1] != "(bias)"]
        values = np.array([c[column] for c in rows]).reshape(-1, self.n_features_in_)
        return values[0] if len(values) == 1 else values

    @property
    def standard_errors_(self):
        """The standard error of each coefficient (Wald)."""
        return self._coefficient_array(3)

    @property
    def pvalues_(self):
        """The p-value of the test that a coefficient is zero (Wald)."""
        return self._coefficient_array(5)

    def conf_int(self, method="wald", confidence=0.95, robust=False):
        """Confidence intervals of the coefficients: an array with the lower and the upper ends last.

        ``method="profile"`` takes them from the likelihood itself, which is better in small samples.
        """
        request = {"method": method, "confidence": confidence, "robust": robust}
        return np.stack([self._coefficient_array(k, **request) for k in (6, 7)], axis=-1)

    @property
    def influence_(self):
        """How much each row bends the fit: leverage, residuals, DFFITS and Cook's distance, by name."""
        on = self._rows_of_fit()
        return self._model.influence(on.X, on.y, on.classes, on.settings.get("sample_weight"))

    @property
    def separation_(self):
        """Whether a plane separates the classes, with a proof either way, for each pair (as `discern.separable`)."""
        from .evaluation import separable_result

        on = self._rows_of_fit()
        if on.classes is None:
            raise AttributeError("separation is a matter of classes, and this is a regression")
        return separable_result(on.X, on.y, on.classes, {})

    def summary(self, method="wald", confidence=0.95, robust=False):
        """The fit in a table, as text and as HTML."""
        self._check_fitted()
        model = self._model
        if self.__dict__.get("_training") is not None:
            model = self._inference(method, robust, confidence)
        return Summary(type(self).__name__, model)


class Summary:
    """What a fit found, as a table of text and as HTML."""

    def __init__(self, title, model):
        self.title = title
        self.model = model
        self.facts = list(_facts(model))
        self.columns, self.rows = _coefficients(model)

    def __str__(self):
        width = max((len(name) for name, _ in self.facts), default=0)
        lines = [self.title, *(f"  {name:<{width}}  {value}" for name, value in self.facts)]
        if self.rows:
            lines += ["", *aligned([self.columns, *self.rows])]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self):
        def row(cells, tag):
            return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        facts = "".join(row(fact, "td") for fact in self.facts)
        table = row(self.columns, "th") + "".join(row(cells, "td") for cells in self.rows) if self.rows else ""
        return f"<h4>{html.escape(self.title)}</h4><table>{facts}</table><table>{table}</table>"


def aligned(rows):
    """The rows as lines; the first column to the left, numbers to the right."""
    widths = [max(len(row[j]) for row in rows) for j in range(len(rows[0]))]
    for row in rows:
        first, *others = (cell.rjust(width) for cell, width in zip(row, widths))
        yield "  ".join([row[0].ljust(widths[0]), *others]).rstrip()


def _facts(model):
    yield "rows", str(model.samples)
    if model.classes:
        yield "classes", ", ".join(model.classes)
    certificate = model.certificate
    relation = "<=" if model.converged else ">"
    yield "converged", "yes" if model.converged else "no"
    yield certificate["kind"].replace("-", " "), f"{certificate['value']:.3g} {relation} {model.tolerance:.3g}"
    yield "solver", f"{model.solver}, {model.iterations} iterations"
    if model.objective is not None:
        yield "objective", f"{model.objective:.8g}"
    inference = document_of(model)["inference"]
    if inference and "absent" not in inference:
        for name in ("log_likelihood", "deviance", "null_deviance", "dispersion"):
            yield name.replace("_", " "), f"{inference[name]:.6g}"
        yield "AIC", f"{2 * inference['parameters'] - 2 * inference['log_likelihood']:.6g}"
    elif inference:
        yield "standard errors", "none: " + inference["absent"]
    for note in model.warnings:
        yield "note", note


def _coefficients(model):
    try:
        found = model.coefficients
    except Error:
        return _weights(model)
    columns = ["feature", "estimate", "std. error", "statistic", "p", "low", "high"]
    rows = []
    for contrast, feature, *numbers in found:
        name = f"{feature} ({contrast})" if contrast else feature
        rows.append([name, *(f"{number:.4g}" for number in numbers)])
    return columns, rows


def _weights(model):
    try:
        weights, bias = model.weights, model.bias
    except Error:
        return [], []
    names = model.feature_names
    one = len(weights) == 1
    heads = ["weight"] if one else [str(k) for k in (model.classes or range(len(weights)))][: len(weights)]
    rows = [["(bias)", *(f"{number:.4g}" for number in bias)]]
    rows += [[names[j], *(f"{number:.4g}" for number in weights[:, j])] for j in range(min(len(names), 50))]
    if len(names) > 50:
        rows.append([f"... {len(names) - 50} more", *[""] * len(weights)])
    return ["feature", *heads], rows


def document_of(model):
    """The JSON document of the model's file (docs/model-file.md)."""
    return json.loads(_header(model.to_bytes())[0]["__metadata__"]["discern"])


def tensors_of(model):
    """The tensors of the model's file, by name."""
    content = model.to_bytes()
    header, start = _header(content)
    return {
        name: np.frombuffer(content[start + part["data_offsets"][0] : start + part["data_offsets"][1]]).reshape(
            part["shape"]
        )
        for name, part in header.items()
        if name != "__metadata__"
    }


def _header(content):
    (length,) = struct.unpack("<Q", content[:8])
    return json.loads(content[8 : 8 + length]), 8 + length
