// Which solver learns a network, and the solvers that take all rows at a time.
#pragma once

#include <string>

#include "discern/model/network/mlp_batches.hpp"

namespace discern {

struct NetworkChoice {
  NetworkSolver solver;
  std::string reason;
};

// As asked, or for auto by the work of a pass. Throws Code::usage for a flag that only another solver knows.
NetworkChoice choose_network_solver(const Mlp& options, const NetworkTask& task, const Training& training);

// `compared`: where the gradient is that certificates compare with; null: at the start.
NetworkMinimum solve_network(NetworkSolver solver, const Mlp& options, const NetworkTask& task,
                             const Source& source, NetworkFunction& function, const Eigen::VectorXd& start,
                             std::uint64_t seed, const SolverOptions& how,
                             const Eigen::VectorXd* compared = nullptr);

}  // namespace discern
