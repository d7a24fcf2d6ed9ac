// E of a network as the descent methods see it: value and gradient by back-propagation, one fold, in double
// precision or, for what was learned in it, in single.
//
//   E(W) = sum_i s_i L(g(x_i), y_i) + l2/2 sum of the squares of the weights
//
// over the rows that are not held out; the loss of those that are comes from the same pass.
#pragma once

#include "discern/model/network/network_pass.hpp"
#include "discern/optim/problem/smooth_function.hpp"

namespace discern {

class NetworkFunction : public SmoothFunction {
 public:
  enum class Precision { single, full };
  NetworkFunction(const NetworkTask& task, const Source& source, Precision precision = Precision::full);

  Index size() const override { return task_->layout.size(); }
  Evaluation evaluate(const Eigen::VectorXd& point, const Monitor& monitor) override;
  // The mean loss of the rows that are held out, where E was evaluated last.
  double held_loss() const { return held_loss_; }
  double weight() const { return weight_; }  // of the rows that are not held out

 private:
  const NetworkTask* task_;
  const Source* source_;
  Precision precision_;
  Eigen::VectorXd penalty_;
  double weight_ = 0, held_weight_ = 0, held_loss_ = 0;
};

}  // namespace discern
