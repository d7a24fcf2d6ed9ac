#include "discern/model/perceptron/kernel_perceptron.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/model/perceptron/perceptron_passes.hpp"
#include "discern/model/perceptron/perceptron_survey.hpp"
#include "discern/model/shape/kernel_sum.hpp"
#include "discern/optim/stochastic/samples.hpp"
#include "discern/stats/fold.hpp"

namespace discern {
namespace {

constexpr double remembered_bytes = 512e6;  // of kernels
constexpr double support_bytes = 4e9;       // of the samples in the sum

// What the passes leave behind.
struct DualPasses {
  Matrix alpha;   // rows x scores, with the sign of the class
  Matrix scores;  // of all rows
  double radius_squares = 0;
  Index epochs = 0, mistakes = 0;
  bool separated = false, interrupted = false;
  bool forgot = false;  // the budget was not enough
};

using Watch = std::function<void(const DualPasses& so_far)>;  // at the start and after every epoch

template <class RowsOf, class FrameRows>
class DualPerceptron {
 public:
  DualPerceptron(const KernelPerceptron& options, const Training& training, const PerceptronFrame& frame,
                 const Kernel& kernel, const std::vector<Block>& blocks, const FrameRows& rows,
                 const KernelSum* before)
      : options_(options),
        training_(training),
        frame_(frame),
        kernel_(kernel),
        blocks_(blocks),
        rows_(rows),
        remembered_(static_cast<std::size_t>(training.source.rows())),
        order_(remembered_.size()) {
    const Index n = training.source.rows(), scores = perceptron_scores(training);
    result_.alpha.setZero(n, scores);
    result_.scores.setZero(n, scores);
    if (before != nullptr)
      parallel_for(static_cast<Index>(blocks.size()), [&](Index b) {
        const Block& block = blocks[static_cast<std::size_t>(b)];
        result_.scores.middleRows(block.first, block.rows()) = scores_of(*before, block.x);
      });
    std::iota(order_.begin(), order_.end(), 0U);
    set_squares();
  }

  DualPasses operator()(const Watch& watch) {
    Random random(training_.seed);
    watch(result_);
    while (result_.epochs < options_.epochs && !result_.separated && !result_.interrupted) {
      if (options_.shuffle) random.shuffle(order_);
      epoch();
      watch(result_);
    }
    return std::move(result_);
  }

 private:
  Index count() const { return result_.scores.rows(); }
  const Block& block_of(Index n) const {
    return blocks_[static_cast<std::size_t>(n / training_.source.rows_per_block())];
  }
  std::int32_t label(Index n) const {
    const Block& block = block_of(n);
    return block.labels[static_cast<std::size_t>(n - block.first)];
  }

  void set_squares();
  void epoch();
  void correct(Index n, Index rival);
  void forget_one();
  void add(Index n, const double* amounts);
  std::vector<double> kernels_with(Index n);
  double kernel_with_itself(Index n) const {
    return kernel_(squares_[n], squares_[n], squares_[n]) + (options_.no_bias ? 0 : 1);
  }

  const KernelPerceptron& options_;
  const Training& training_;
  const PerceptronFrame& frame_;
  Kernel kernel_;
  const std::vector<Block>& blocks_;
  FrameRows rows_;
  Vector squares_;  // |u|^2 of all rows
  std::vector<std::vector<double>> remembered_;
  double bytes_ = 0;
  std::vector<Index> support_;
  std::vector<std::uint32_t> order_;
  DualPasses result_;
};

template <class RowsOf, class FrameRows>
void DualPerceptron<RowsOf, FrameRows>::set_squares() {
  squares_.resize(count());
  const SquaredLengths lengths(frame_);
  for (const Block& block : blocks_) {
    const auto& x = std::get<RowsOf>(block.x);
    for (Index i = 0; i < x.rows; ++i)
      squares_[block.first + i] = lengths.of(x.row(i), rows_.squares(rows_.seen(x.row(i))));
  }
  for (Index n = 0; n < count(); ++n)
    result_.radius_squares = std::max(result_.radius_squares, kernel_with_itself(n));
}

template <class RowsOf, class FrameRows>
void DualPerceptron<RowsOf, FrameRows>::epoch() {
  const Index before = result_.mistakes;
  for (Index at = 0; at < count(); ++at) {
    const Index n = order_[static_cast<std::size_t>(at)];
    const Margin margin = margin_of(result_.scores.row(n).data(), result_.scores.cols(), label(n));
    if (margin.value > 0) continue;
    result_.interrupted = !go_on(
        training_.monitor,
        {.stage = "fitting", .done = result_.epochs * count() + at, .total = options_.epochs * count()});
    if (result_.interrupted) return;
    correct(n, margin.rival);
  }
  ++result_.epochs;
  result_.separated = result_.mistakes == before;
}

template <class RowsOf, class FrameRows>
void DualPerceptron<RowsOf, FrameRows>::correct(Index n, Index rival) {
  ++result_.mistakes;
  const Block& block = block_of(n);
  Vector amounts = Vector::Zero(result_.alpha.cols());
  set_amounts(block.weight(n - block.first), label(n), rival, amounts.size(), amounts.data());
  if (result_.alpha.row(n).isZero(0)) support_.push_back(n);
  add(n, amounts.data());
  if (result_.alpha.row(n).isZero(0)) support_.erase(std::find(support_.begin(), support_.end(), n));
  if (options_.budget > 0 && static_cast<Index>(support_.size()) > options_.budget) forget_one();
}

// Takes out the sample whose margin would be the largest without it, the first of equals.
template <class RowsOf, class FrameRows>
void DualPerceptron<RowsOf, FrameRows>::forget_one() {
  result_.forgot = true;
  std::size_t best = 0;
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t s = 0; s < support_.size(); ++s) {
    const Index n = support_[s];
    const Vector without = (result_.scores.row(n) - kernel_with_itself(n) * result_.alpha.row(n)).transpose();
    const double margin = margin_of(without.data(), without.size(), label(n)).value;
    if (margin > largest) largest = margin, best = s;
  }
  const Index n = support_[best];
  const Vector amounts = -result_.alpha.row(n).transpose();
  add(n, amounts.data());
  result_.alpha.row(n).setZero();
  support_.erase(support_.begin() + static_cast<std::ptrdiff_t>(best));
}

// alpha_n += amounts, and what that does to the scores of all rows.
template <class RowsOf, class FrameRows>
void DualPerceptron<RowsOf, FrameRows>::add(Index n, const double* amounts) {
  auto& kept = remembered_[static_cast<std::size_t>(n)];
  const double bytes = 8.0 * static_cast<double>(count());
  std::vector<double> fresh;
  if (kept.empty()) {
    const bool room = bytes_ + bytes <= remembered_bytes;
    if (room) bytes_ += bytes;
    (room ? kept : fresh) = kernels_with(n);
  }
  const std::vector<double>& kernels = kept.empty() ? fresh : kept;
  for (Index k = 0; k < result_.alpha.cols(); ++k) {
    if (amounts[k] == 0) continue;
    result_.alpha(n, k) += amounts[k];
    for (Index i = 0; i < count(); ++i)
      result_.scores(i, k) += amounts[k] * kernels[static_cast<std::size_t>(i)];
  }
}

template <class RowsOf, class FrameRows>
std::vector<double> DualPerceptron<RowsOf, FrameRows>::kernels_with(Index n) {
  std::vector<double> kernels(static_cast<std::size_t>(count()));
  const Block& own = block_of(n);
  const KernelPoint point =
      kernel_point(frame_, rows_, std::get<RowsOf>(own.x).row(n - own.first), training_.source.cols());
  const double bias = options_.no_bias ? 0 : 1;
  parallel_for(static_cast<Index>(blocks_.size()), [&](Index b) {
    const Block& block = blocks_[static_cast<std::size_t>(b)];
    const auto& x = std::get<RowsOf>(block.x);
    FrameRows rows = rows_;
    for (Index i = 0; i < x.rows; ++i)
      kernels[static_cast<std::size_t>(block.first + i)] =
          bias + kernel_(product(rows.seen(x.row(i)), point), squares_[block.first + i], point.squares);
  });
  return kernels;
}

DualPasses dual_passes(const KernelPerceptron& options, const Training& training,
                       const PerceptronFrame& frame, const Kernel& kernel, const std::vector<Block>& blocks,
                       const KernelSum* before, const Watch& watch) {
  return std::visit(
      [&]<class RowsOf>(const RowsOf&) {
        return with_rows(frame, [&]<class FrameRows>(FrameRows& rows) {
          return DualPerceptron<RowsOf, FrameRows>(options, training, frame, kernel, blocks, rows,
                                                   before)(watch);
        });
      },
      blocks.front().x);
}

KernelSum sum_of(const DualPasses& passes, const PerceptronFrame& frame, const Kernel& kernel, bool bias,
                 const Training& training, const std::vector<Block>& blocks, const KernelSum* before) {
  std::vector<Index> support;
  for (Index n = 0; n < passes.alpha.rows(); ++n)
    if (!passes.alpha.row(n).isZero(0)) support.push_back(n);
  const Index earlier = before == nullptr ? 0 : before->support.rows();
  const Index size = earlier + static_cast<Index>(support.size());
  const Index d = training.source.cols();
  if (8.0 * static_cast<double>(size) * static_cast<double>(d) > support_bytes)
    throw Error(Code::memory,
                fmt::format("the {} samples in the sum, with {} features each, take more than {:.0f} "
                            "GB; take a `budget`",
                            size, d, support_bytes / 1e9));
  KernelSum sum;
  sum.kernel = kernel;
  sum.center = frame.center;
  if (!frame.plain()) {
    sum.scale = frame.metric.array().sqrt().inverse();
    if (sum.center.size() == 0) sum.center.setZero(d);
  }
  sum.support.setZero(size, d);
  sum.coefficients.resize(passes.alpha.cols(), size);
  if (before != nullptr) {
    sum.support.topRows(earlier) = before->support;
    sum.coefficients.leftCols(earlier) = before->coefficients;
  }
  for (Index s = earlier; s < size; ++s) {
    const Index n = support[static_cast<std::size_t>(s - earlier)];
    const Block& block = blocks[static_cast<std::size_t>(n / training.source.rows_per_block())];
    std::visit(
        [&](const auto& x) {
          for_each(x.row(n - block.first), [&](Index j, double v) { sum.support(s, j) = v; });
        },
        block.x);
    sum.coefficients.col(s) = passes.alpha.row(n).transpose();
  }
  sum.bias = Vector::Zero(passes.alpha.cols());
  if (bias) sum.bias = sum.coefficients.rowwise().sum();
  return sum;
}

std::vector<Fact> theory(const DualPasses& passes, const Training& training, Index support,
                         double least_margin) {
  const double length = std::sqrt(std::max(0.0, passes.alpha.cwiseProduct(passes.scores).sum()));
  const double margin = length > 0 ? least_margin / length : 0;
  std::vector<Fact> facts{{"support", static_cast<double>(support)},
                          {"mistakes", static_cast<double>(passes.mistakes)},
                          {"radius", std::sqrt(passes.radius_squares)}};
  // The rest is about all rows and mistakes, of which a sum that goes on has not seen the first ones here.
  if (training.start == nullptr) facts.push_back({"margin", margin});
  PerceptronFrame plain;
  const bool covered = training.start == nullptr && !passes.forgot &&
                       fold(training.source, PerceptronRadius(plain)).equal_weights();
  if (covered && margin > 0) {
    const double bound = (training.classes > 2 ? 2 : 1) * passes.radius_squares / (margin * margin);
    facts.push_back({"mistake_bound", bound});
    facts.push_back({"within_bound", static_cast<double>(passes.mistakes) <= bound});
  }
  facts.push_back(
      {"coordinates", std::string(training.standardize ? "standardised features" : "features as they are")});
  return facts;
}

}  // namespace

Fitted fit(const KernelPerceptron& options, const Training& training) {
  const Kernel kernel = parse_kernel(options.kernel);
  const KernelSum* before = training.start == nullptr ? nullptr : &std::get<KernelSum>(*training.start);
  if (before != nullptr && options.budget > 0)
    throw Error(Code::usage,
                "a sum with a `budget` cannot go on: the samples that it would have to forget are not "
                "among the new rows");
  PerceptronFrame frame = before == nullptr ? fit_frame(training, !options.no_bias) : frame_of(*before);
  frame.bias = false;  // the rows of kernels have no 1
  const AllRows all(training.source);
  const auto predictor = [&](const DualPasses& passes) -> Predictor {
    return sum_of(passes, frame, kernel, !options.no_bias, training, all.blocks(), before);
  };
  const DualPasses passes =
      dual_passes(options, training, frame, kernel, all.blocks(), before, [&](const DualPasses& so_far) {
        if (!training.trace.due(so_far.epochs)) return;
        const Predictor now = predictor(so_far);
        training.trace.show({so_far.epochs, {}, {}, {}, now});
      });
  if (!passes.scores.allFinite())
    throw Error(Code::data,
                fmt::format("kernels {} of these rows leave the range of double precision; take a lower "
                            "degree or `standardize`",
                            options.kernel));
  Fitted fitted;
  fitted.predictor = predictor(passes);
  const auto survey = fold(training.source, PerceptronSurvey(fitted.predictor, frame, false));
  const Index support = std::get<KernelSum>(fitted.predictor).support.rows();
  Summary& summary = fitted.summary;
  summary.solver = "sequential";
  summary.objective = survey.criterion();
  summary.iterations = passes.epochs;
  summary.interrupted = passes.interrupted;
  summary.certificate = {"training-mistakes", static_cast<double>(survey.mistakes())};
  summary.converged = survey.mistakes() == 0 && !passes.interrupted;
  summary.facts = theory(passes, training, support, survey.margin());
  if (!summary.converged && !passes.interrupted)
    summary.warnings.push_back(
        fmt::format("not separated after {} epochs: {} of {} rows are on the wrong side. {}", passes.epochs,
                    survey.mistakes(), training.source.rows(),
                    passes.forgot ? "The `budget` was not enough to keep all samples that were corrected"
                                  : "More `epochs` may help, or a kernel with more freedom"));
  return fitted;
}

}  // namespace discern
