// Fitted models and frames for Python.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"

namespace discern::python {
namespace {

Unseen unseen_of(bool ignore) { return ignore ? Unseen::ignore : Unseen::refuse; }

// Predictions of an array, CSR or a Frame.
template <class OfRows, class OfFrame>
nb::object predicted(nb::handle x, const OfRows& of_rows, const OfFrame& of_frame) {
  if (nb::isinstance<Frame>(x)) {
    const auto& frame = nb::cast<const Frame&>(x);
    return array_of(unlocked([&] { return of_frame(frame); }));
  }
  const Rows rows = rows_of(x);
  return array_of(unlocked([&] { return of_rows(rows.view); }));
}

nb::list coefficients_of(const FittedModel& model) {
  nb::list list;
  for (const Coefficient& c : model.coefficients())
    list.append(nb::make_tuple(c.contrast, c.feature, c.estimate, c.error, c.statistic, c.p, c.low, c.high));
  return list;
}

nb::dict influence_of(const FittedModel& model, nb::handle x, nb::handle y, nb::handle classes,
                      nb::handle weights) {
  const Learning on = learning_of(x, y, classes);
  const Numbers s = weights.is_none() ? Numbers() : Numbers(numbers_of(weights));
  InfluenceResult result = unlocked([&] {
    return on.task == Task::classification ? influence(model, on.rows->view, on.labels, s)
                                           : influence_regression(model, on.rows->view, on.numbers, s);
  });
  nb::dict dict;
  dict["leverage"] = array_of(std::move(result.leverage));
  dict["pearson"] = array_of(std::move(result.pearson));
  dict["deviance"] = array_of(std::move(result.deviance));
  dict["standardized"] = array_of(std::move(result.standardized));
  dict["studentized"] = array_of(std::move(result.studentized));
  dict["dffits"] = array_of(std::move(result.dffits));
  dict["cook"] = array_of(std::move(result.cook));
  dict["parameters"] = result.parameters;
  dict["dispersion"] = result.dispersion;
  return dict;
}

}  // namespace

nb::dict certificate_of(const Certificate& certificate) {
  nb::dict dict;
  dict["kind"] = certificate.kind;
  dict["value"] = certificate.value;
  return dict;
}

void bind_model(nb::module_& m) {
  nb::class_<FittedModel>(m, "Model", "A fitted model of the library. It never changes.")
      .def(
          "labels",
          [](const FittedModel& model, nb::handle x, bool ignore) {
            if (!nb::isinstance<Frame>(x)) {
              const Rows rows = rows_of(x);
              return array_of(unlocked([&] { return model.label_indices(rows.view); }));
            }
            const auto& frame = nb::cast<const Frame&>(x);
            return nb::cast(unlocked([&] { return model.labels(frame, unseen_of(ignore)); }));
          },
          nb::arg("x"), nb::arg("ignore_unseen") = false,
          "Indices into `classes`, -1 where undecided; of a frame the names.")
      .def(
          "scores",
          [](const FittedModel& model, nb::handle x, bool ignore) {
            return predicted(
                x, [&](const MatrixView& v) { return model.scores(v); },
                [&](const Frame& f) { return model.scores(f, unseen_of(ignore)); });
          },
          nb::arg("x"), nb::arg("ignore_unseen") = false)
      .def(
          "probabilities",
          [](const FittedModel& model, nb::handle x, bool ignore) {
            return predicted(
                x, [&](const MatrixView& v) { return model.probabilities(v); },
                [&](const Frame& f) { return model.probabilities(f, unseen_of(ignore)); });
          },
          nb::arg("x"), nb::arg("ignore_unseen") = false)
      .def(
          "predictions",
          [](const FittedModel& model, nb::handle x, bool ignore) {
            return predicted(
                x, [&](const MatrixView& v) { return model.predictions(v); },
                [&](const Frame& f) { return model.predictions(f, unseen_of(ignore)); });
          },
          nb::arg("x"), nb::arg("ignore_unseen") = false)
      .def_prop_ro("name", &FittedModel::name)
      .def_prop_ro("regression", [](const FittedModel& model) { return model.task() == Task::regression; })
      .def_prop_ro("classes", &FittedModel::classes)
      .def_prop_ro("positive", &FittedModel::positive)
      .def_prop_ro("columns", &FittedModel::columns)
      .def_prop_ro("feature_names", &FittedModel::feature_names)
      .def_prop_ro("options", &FittedModel::options)
      .def_prop_ro("samples", &FittedModel::samples)
      .def_prop_ro("has_probabilities", &FittedModel::has_probabilities)
      .def_prop_ro("weights", [](const FittedModel& model) { return array_of(model.weights()); })
      .def_prop_ro("bias", [](const FittedModel& model) { return array_of(model.bias()); })
      .def_prop_ro("coefficients", &coefficients_of)
      .def_prop_ro("converged", &FittedModel::converged)
      .def_prop_ro("interrupted", &FittedModel::interrupted)
      .def_prop_ro("certificate",
                   [](const FittedModel& model) { return certificate_of(model.certificate()); })
      .def_prop_ro("tolerance", &FittedModel::tolerance)
      .def_prop_ro("objective", &FittedModel::objective)
      .def_prop_ro("iterations", &FittedModel::iterations)
      .def_prop_ro("solver", &FittedModel::solver)
      .def_prop_ro("warnings", &FittedModel::warnings)
      .def_prop_ro("facts", &FittedModel::facts)
      .def(
          "save",
          [](const FittedModel& model, const std::string& path) {
            unlocked([&] { return model.save(path), 0; });
          },
          nb::arg("path"))
      .def("to_bytes",
           [](const FittedModel& model) {
             const std::string bytes = model.to_bytes();
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def("influence", &influence_of, nb::arg("x"), nb::arg("y"), nb::arg("classes").none(),
           nb::arg("sample_weight").none() = nb::none());
}

void bind_frame(nb::module_& m) {
  nb::class_<Frame>(m, "Frame", "Named columns of numbers (NaN: missing) and of text.")
      .def(nb::init<>())
      .def(
          "add_numbers",
          [](Frame& frame, const std::string& name, nb::handle values) {
            frame.add_numbers(name, Numbers(numbers_of(values)));
          },
          nb::arg("name"), nb::arg("values"))
      .def(
          "add_text",
          [](Frame& frame, const std::string& name, nb::handle levels, nb::handle codes) {
            const std::vector<std::string> texts = texts_of(levels);
            std::vector<std::string_view> cells;
            for (const std::int32_t code : integers_of(codes)) {
              if (code >= static_cast<std::int32_t>(texts.size()))
                throw nb::value_error("a code is beyond the last level");
              cells.push_back(code < 0 ? std::string_view() : texts[static_cast<std::size_t>(code)]);
            }
            frame.add_text(name, cells);
          },
          nb::arg("name"), nb::arg("levels"), nb::arg("codes"), "A negative code is a missing cell.")
      .def_prop_ro("rows", &Frame::rows)
      .def_prop_ro("columns", &Frame::columns);
  m.def(
      "read_frame", [](const std::string& path) { return unlocked([&] { return read_frame(path); }); },
      nb::arg("path"));
}

}  // namespace discern::python
