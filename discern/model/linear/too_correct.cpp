#include "discern/model/linear/too_correct.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "discern/model/inference/influence.hpp"
#include "discern/stats/block.hpp"
#include "discern/stats/fold.hpp"

namespace discern {
namespace {

constexpr double right_by_far = 1.25;   // t g
constexpr double high_leverage = 3;     // times the mean
constexpr double least_leverage = 0.1;  // of p, that is worth a warning
constexpr Index widest_search = 2000;   // features
constexpr std::size_t most_named = 5;   // rows in the warning

struct TooCorrect {
  std::vector<Index> rows;  // of the source, in order
  double leverage = 0;      // their share of p
  double error = 0;         // their share of the squared error
  Index wrong = 0;          // rows on the wrong side
};

class TooCorrectSearch {
 public:
  TooCorrectSearch(const Predictor& plane, const Eigen::MatrixXd& root, double leverage, bool bias)
      : plane_(&plane), root_(&root), threshold_(leverage), bias_(bias) {}

  void add(const Block& block) {
    const Matrix scores = scores_of(*plane_, block.x);
    std::vector<Index> far;
    for (Index i = 0; i < block.rows(); ++i) {
      const auto label = static_cast<Index>(block.labels[static_cast<std::size_t>(i)]);
      const bool one = scores.cols() == 1;
      const double margin = one ? (label == 1 ? scores(i, 0) : -scores(i, 0)) : 2 * scores(i, label) - 1;
      wrong_ += decide(scores.row(i).data(), scores.cols()) != label ? 1 : 0;
      errors_ += error(block, scores, i, label);
      if (margin >= right_by_far) far.push_back(i);
    }
    if (far.empty()) return;
    dense_rows(block.x, std::get<Linear>(*plane_).center, {}, z_, 1);
    if (!bias_) z_.col(0).setZero();
    for (const Index i : far) {
      const double leverage = block.weight(i) * (z_.row(i) * *root_).squaredNorm();
      if (!(leverage > threshold_)) continue;
      found_.rows.push_back(block.first + i);
      found_.leverage += leverage;
      found_.error += error(block, scores, i, static_cast<Index>(block.labels[static_cast<std::size_t>(i)]));
    }
  }
  void merge(const TooCorrectSearch& other) {
    found_.rows.insert(found_.rows.end(), other.found_.rows.begin(), other.found_.rows.end());
    found_.leverage += other.found_.leverage;
    found_.error += other.found_.error;
    wrong_ += other.wrong_;
    errors_ += other.errors_;
  }
  double bytes() const { return sizeof *this; }
  TooCorrect result(double parameters) const {
    TooCorrect result = found_;
    result.leverage /= parameters;
    result.error = errors_ > 0 ? found_.error / errors_ : 0;
    result.wrong = wrong_;
    return result;
  }

 private:
  // s |y - g|^2
  static double error(const Block& block, const Matrix& scores, Index i, Index label) {
    double sum = 0;
    for (Index k = 0; k < scores.cols(); ++k) {
      const double y = scores.cols() == 1 ? (label == 1 ? 1.0 : -1.0) : (k == label ? 1.0 : 0.0);
      sum += (y - scores(i, k)) * (y - scores(i, k));
    }
    return block.weight(i) * sum;
  }

  const Predictor* plane_;
  const Eigen::MatrixXd* root_;
  double threshold_;
  bool bias_;
  RowMajor z_;
  TooCorrect found_;
  Index wrong_ = 0;
  double errors_ = 0;
};

std::string warning_of(const TooCorrect& found, const Training& training) {
  if (found.wrong == 0 || found.leverage < least_leverage) return "";
  std::string rows;
  for (std::size_t i = 0; i < std::min(found.rows.size(), most_named); ++i) {
    const Index row = found.rows[i];
    const Index number = training.rows->empty() ? row : (*training.rows)[static_cast<std::size_t>(row)];
    rows += fmt::format("{}{}", i > 0 ? ", " : "", number + 1);
  }
  if (found.rows.size() > most_named) rows += ", ...";
  const bool one = found.rows.size() == 1;
  return fmt::format(
      "{} of {} rows {} too correct (row{} {}): far from the others and a quarter or more beyond {} "
      "target, on the right side; with {:.0f} % of the leverage and {:.0f} % of the squared error {} the "
      "plane, which gets {} row{} wrong; `model` logistic or svm leaves such rows alone",
      found.rows.size(), training.source.rows(), one ? "is" : "are", one ? "" : "s", rows,
      one ? "its" : "their", 100 * found.leverage, 100 * found.error, one ? "it bends" : "they bend",
      found.wrong, found.wrong == 1 ? "" : "s");
}

}  // namespace

std::string too_correct_warning(const Training& training, const Predictor& plane, const Eigen::MatrixXd& r,
                                const Scaling& scaling, double l2, bool bias) {
  const Index d = training.source.cols();
  if (training.rows == nullptr || training.before != nullptr || training.task != Task::classification ||
      d > widest_search)
    return "";
  Eigen::VectorXd penalty = Eigen::VectorXd::Zero(1 + d);
  penalty.tail(d) = l2 * scaling.penalty.array() * scaling.scale.array().square();
  const Eigen::MatrixXd root = inverse_root(r, penalty, scaling.center);
  const double parameters = (r * root).squaredNorm();
  const double threshold = high_leverage * parameters / scaling.weight;
  const TooCorrectSearch found =
      fold(training.source, TooCorrectSearch(plane, root, threshold, bias), training.monitor);
  return warning_of(found.result(parameters), training);
}

}  // namespace discern
