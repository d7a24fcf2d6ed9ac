// Stochastic gradient descent on rows that come one after the other, each seen once, in constant memory: no
// row is kept, and nothing about the rows to come is known. A step after every batch B of b rows,
//
//   u <- u - h_l ( sum_{i in B} s_i grad L_i(u) + b l2 / W u ),     l = 1, 2, ...
//
// with W the weight of all rows so far: what is followed is the objective of problem.hpp over those.
//
// Scale. The point u is in coordinates that are learned on the way: z_j = (x_j - m_j) / d_j with the mean and
// the standard deviation of the rows up to this one, so features of any scale are learned alike, and a
// feature that has been constant not at all. The weights w_j = u_j / d_j are kept in the units of the file,
// with the bias at a fixed origin (the first row), so a move of m and d changes no score; a step is
//
//   w_j <- w_j - h s L' (x_j - m_j) / d_j^2,     b <- b - h s L' (1 - sum_j (m_j - o_j)(x_j - m_j) / d_j^2)
//
// Of the first 1,000 rows (of an entry: those that had it) a deviation that grows makes w_j smaller, so that
// u_j stays: two first values that happen to be near each other would leave a weight that takes for ever to
// unlearn. The scores at the means do not change.
//
// Without a bias, or with a penalised one, nothing is centred and d_j is the root of the mean square. Entries
// of sparse rows are not centred, and d_j is the root of the mean square of the entries that were there, so
// that rare features learn as fast as others when they appear. Unstandardised, x is taken as it is.
// A missing number (NaN) is taken as the mean so far.
//
// Steps. h_l = h, h / l or h / sqrt(l) where a learning rate h is given. Otherwise as in sgd.hpp: 1 / h is
// the mean of b c s_i |z_i|^2 so far, with c the largest curvature of the loss and z with the 1 of the bias,
// no row takes a longer step than that for itself, and l = 1 + rows / (mean |z|^2), so that the steps begin
// to shorten when there have been about as many rows as coordinates.
//
// Scores. One for two classes (y = -1 and +1) and for regression. More classes have a score each: softmax for
// the logistic loss, Kesler's construction for the perceptron, otherwise one against the rest (y = -1 and +1;
// 0 and 1 for squared loss). Features and scores may be added at any time; the score of two classes becomes
// two that mean the same.
//
// The mean of the weights, when asked for, gives those after step l the weight l (Lacoste-Julien, Schmidt and
// Bach 2012), which forgets the beginning without knowing the end.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <vector>

#include "discern/data/row.hpp"
#include "discern/optim/stochastic/online_loss.hpp"
#include "discern/optim/stochastic/sgd.hpp"
#include "discern/stats/block.hpp"

namespace discern {

struct OnlineOptions {
  Loss loss = LogisticLoss{};  // Squared, Logistic, Hinge, SquaredHinge or PerceptronCriterion
  double l2 = 0;
  double learning_rate = 0;                    // 0: chosen from the rows
  Schedule schedule = Schedule::inverse_sqrt;  // not linear, which needs an end
  Index batch_size = 1;
  bool average = false;
  bool bias = true;
  bool penalize_bias = false;
  bool standardize = true;
  bool unit_entries = false;    // sparse entries are indicators, which are not scaled
  bool count_mistakes = false;  // l counts the steps that changed something
};

class OnlineLearner {
 public:
  // Rows of `numbers` dense columns and any of `entries` sparse ones.
  OnlineLearner(const OnlineOptions& options, Index numbers, Index entries, Index scores);

  Index numbers() const { return numbers_; }
  Index entries() const { return weights_.rows() - numbers_; }
  Index scores() const { return weights_.cols(); }
  double steps() const { return counts_[steps_done]; }
  void add_entries(Index count);
  void arrange_entries(const std::vector<Index>& order);  // entry k becomes what order[k] was
  void set_scores(Index count);  // more than there are; from one score to at least three

  // What the model said of a row before it learned it: the loss, and the label that it would have given.
  using Said = OnlineLoss;
  // y is the class, or the number of a regression.
  Said learn(const double* row, SparseRow<double> sparse, double y, double weight, bool regression);
  // Takes the step of a batch that is not full.
  void finish_batch();

  // The weights in the units of the rows (or their mean), and the bias at the origin: columns x scores.
  RowMajor weights() const;
  Eigen::VectorXd bias() const;
  Eigen::VectorXd origin() const;
  Eigen::VectorXd fill() const;  // the means of the dense columns so far
  // Begins with weights that were learned elsewhere from so many rows: the steps go on from there, the
  // moments are those of the rows to come.
  void start_at(const RowMajor& weights, const Eigen::VectorXd& bias, const Eigen::VectorXd& origin,
                double rows);

  template <class Self, class Visitor>
  static void visit_state(Self& self, Visitor&& visit) {
    visit("counts", self.counts_);
    visit("online_weights", self.weights_);
    visit("online_bias", self.bias_);
    visit("origin", self.origin_);
    visit("mean", self.mean_);
    visit("squares", self.squares_);
    visit("entries", self.entries_);
    visit("mean_weights", self.correction_);
    visit("mean_bias", self.bias_sum_);
  }
  void restored();  // after the state was set from outside
  // Whether such a state can go on: amounts are checked elsewhere (stats/statistics.hpp).
  bool sound() const { return counts_[factor] > 0 && counts_[rows_seen] > 0 && counts_[weight_seen] > 0; }

 private:
  enum Count : Index {
    rows_seen,
    weight_seen,
    steps_done,  // l - 1
    factor,      // of all weights
    size_sum,    // of s_i |z_i|^2
    mean_steps,  // steps in the mean of the weights, and the sums of their numbers, times the factor and not
    factor_sum,
    step_sum,
    followed,  // rows up to which weights follow a deviation that grows
    count_kinds
  };
  enum class Frame { centered, uncentered, plain };
  struct Pending {
    double weight = 0;   // of the row
    double squares = 0;  // |z|^2, with the 1 of the bias
    double bias = 0;     // the bias' part of the direction
    Index entries = 0;   // where those of the next row begin
  };

  Frame frame() const;
  void see_first(const double* row);
  void follow_scales(const double* row, double weight);
  void scale_weights(Index j, double ratio, double center);
  template <Frame frame>
  void look(const double* row, double weight, Pending& pending, double* direction);
  void look(SparseRow<double> sparse, double weight, Pending& pending);
  void add_scores(SparseRow<double> sparse);
  void step();
  double rate() const;
  void shrink(double share);
  void move(const double* slopes, const Pending& pending, const double* direction, Index first_entry);
  void settle();

  OnlineOptions options_;
  Index numbers_;
  double curvature_ = 1;
  Eigen::VectorXd counts_;
  RowMajor weights_;         // columns x scores, to be multiplied by the factor
  Eigen::VectorXd bias_;     // at the origin
  Eigen::VectorXd origin_;   // of the dense columns; infinite where no number was seen yet
  Eigen::VectorXd mean_;     // about the origin
  Eigen::VectorXd squares_;  // dense: about the mean; of entries: about zero
  Eigen::VectorXd entries_;  // the weight of the rows that had the entry
  RowMajor correction_;      // see lazy_weights.hpp
  Eigen::VectorXd bias_sum_;
  bool unseen_ = true;     // some origin is not known
  std::vector<double> x_;  // the row about the origin
  std::vector<double> scores_;
  std::vector<double> mean_scores_;  // w . m of each score
  // The rows of the batch so far.
  std::vector<Pending> pending_;
  std::vector<double> directions_, slopes_;
  std::vector<std::uint32_t> entry_columns_;
  std::vector<double> entry_directions_;
};

}  // namespace discern
