#include "discern/model/perceptron/perceptron_survey.hpp"

#include <algorithm>
#include <cmath>

namespace discern {

PerceptronSurvey::PerceptronSurvey(const Predictor& plane, const PerceptronFrame& frame, bool correct)
    : plane_(&plane), frame_(&frame) {
  if (!correct) return;
  correction_.setZero(score_count(plane), feature_count(plane));
  sums_.setZero(score_count(plane));
}

void PerceptronSurvey::add(const Block& block) {
  sparse_ = is_sparse(block.x);
  const Matrix scores = scores_of(*plane_, block.x);
  const Index count = scores.cols();
  Vector amounts = Vector::Zero(count);
  with_rows(*frame_, [&](auto& rows) {
    std::visit(
        [&](const auto& x) {
          for (Index i = 0; i < x.rows; ++i) {
            const std::int32_t label = block.labels[static_cast<std::size_t>(i)];
            const Margin margin = margin_of(scores.row(i).data(), count, label);
            margin_ = std::min(margin_, margin.value);
            if (margin.value > 0) continue;
            ++mistakes_;
            criterion_ -= block.weight(i) * margin.value;
            if (correction_.size() == 0) continue;
            amounts.setZero();
            set_amounts(block.weight(i), label, margin.rival, count, amounts.data());
            const auto row = rows.seen(x.row(i));
            for (Index k = 0; k < count; ++k)
              if (amounts[k] != 0) axpy(amounts[k], row, correction_.row(k).data());
            sums_ += amounts;
          }
        },
        block.x);
  });
}

void PerceptronSurvey::merge(const PerceptronSurvey& other) {
  sparse_ = sparse_ || other.sparse_;
  mistakes_ += other.mistakes_;
  criterion_ += other.criterion_;
  margin_ = std::min(margin_, other.margin_);
  correction_ += other.correction_;
  sums_ += other.sums_;
}

void PerceptronSurvey::correct(double h, Linear& plane) const {
  Matrix change = correction_;
  if (sparse_ && frame_->center.size() > 0) change -= sums_ * frame_->center.transpose();
  if (!frame_->plain()) change.array().rowwise() *= frame_->metric.transpose().array();
  plane.weights += h * change;
  if (frame_->bias) plane.bias += h * sums_;
}

PerceptronRadius::PerceptronRadius(const PerceptronFrame& frame) : frame_(&frame) {}

void PerceptronRadius::add(const Block& block) {
  const SquaredLengths lengths(*frame_);
  with_rows(*frame_, [&](auto& rows) {
    std::visit(
        [&](const auto& x) {
          for (Index i = 0; i < x.rows; ++i) {
            squares_ = std::max(squares_, lengths.of(x.row(i), rows.squares(rows.seen(x.row(i)))));
            least_ = std::min(least_, block.weight(i));
            most_ = std::max(most_, block.weight(i));
          }
        },
        block.x);
  });
}

void PerceptronRadius::merge(const PerceptronRadius& other) {
  squares_ = std::max(squares_, other.squares_);
  least_ = std::min(least_, other.least_);
  most_ = std::max(most_, other.most_);
}

}  // namespace discern
