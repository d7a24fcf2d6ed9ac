// A fitted model: predictions, what was learned, and how far the fit can be trusted. It never changes; copies
// share what they hold and may be used from several threads at once.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "discern/api/frame.hpp"
#include "discern/api/matrix_view.hpp"
#include "discern/base/certificate.hpp"
#include "discern/base/index.hpp"
#include "discern/options/decision.hpp"
#include "discern/options/task.hpp"

namespace discern {

struct Model;

// What to do with a category that training did not have.
enum class Unseen {
  refuse,  // an Error that names it
  ignore   // take it as none of the known ones
};

// A coefficient with its standard error, and the test that it is zero.
struct Coefficient {
  std::string contrast;  // which score: a class; empty where there is one score
  std::string feature;   // "(bias)" for the bias
  double estimate = 0, error = 0;
  double statistic = 0, p = 1;
  double low = 0, high = 0;  // confidence interval
};

class FittedModel {
 public:
  explicit FittedModel(std::shared_ptr<const Model> model);
  FittedModel(Model model);  // NOLINT(*-explicit-*)

  // Predictions. The columns of a matrix are those of the fit in the same order, those of a frame are found by
  // their names. Code::data names the row and column of a value that is not a number, or of a missing one if
  // the fit did not impute.
  std::vector<std::string> labels(const MatrixView& x) const;
  std::vector<std::string> labels(const Frame& x, Unseen unseen = Unseen::refuse) const;
  std::vector<std::int64_t> integer_labels(const MatrixView& x) const;  // where all classes are integers
  std::vector<std::int32_t> label_indices(const MatrixView& x) const;   // into classes(); -1: undecided
  Eigen::MatrixXd scores(const MatrixView& x) const;  // rows x scores; two classes have one, of the positive
  Eigen::MatrixXd scores(const Frame& x, Unseen unseen = Unseen::refuse) const;
  Eigen::MatrixXd probabilities(const MatrixView& x) const;  // rows x classes
  Eigen::MatrixXd probabilities(const Frame& x, Unseen unseen = Unseen::refuse) const;
  Eigen::VectorXd predictions(const MatrixView& x) const;  // of a regression
  Eigen::VectorXd predictions(const Frame& x, Unseen unseen = Unseen::refuse) const;

  // What was learned.
  const std::string& name() const;  // "logistic", "lda", ...
  Task task() const;
  const std::vector<std::string>& classes() const;  // empty in regression
  std::string positive() const;                     // of two classes; otherwise empty
  std::vector<std::string> columns() const;         // that predictions need
  std::vector<std::string> feature_names() const;   // that the columns became: what the weights belong to
  const std::vector<std::pair<std::string, std::string>>& options() const;
  Index samples() const;  // rows of the fit
  bool has_probabilities() const;
  // Of linear models, in the units of the features; Code::usage otherwise.
  Eigen::MatrixXd weights() const;  // scores x features
  Eigen::VectorXd bias() const;     // of each score, at the origin
  // Where FitOptions::inference asked for them and the model has some; Code::usage says why otherwise.
  std::vector<Coefficient> coefficients() const;

  // The same model with another decision rule; without options it stays as it is. Code::usage for a model
  // without probabilities.
  FittedModel with_decision(const DecisionOptions& decision) const;

  // How the fit ended.
  bool converged() const;  // certificate().value <= tolerance()
  bool interrupted() const;
  const Certificate& certificate() const;
  double tolerance() const;
  std::optional<double> objective() const;
  Index iterations() const;
  const std::string& solver() const;
  const std::vector<std::string>& warnings() const;
  std::vector<std::pair<std::string, std::string>> facts() const;  // what else the algorithm has to tell

  // Writes the whole file or leaves the old one; docs/model-file.md describes it.
  void save(const std::string& path) const;
  std::string to_bytes() const;

  // model/shape/model.hpp, for the library itself.
  const Model& model() const { return *model_; }
  const std::shared_ptr<const Model>& shared() const { return model_; }

 private:
  std::shared_ptr<const Model> model_;
};

// Code::model for a file that is damaged, foreign or too new. Loading checks every number and runs no code.
FittedModel load(const std::string& path);
FittedModel from_bytes(const std::string& bytes);

}  // namespace discern
