// The proof that comes with every fit.
#pragma once

#include <iosfwd>
#include <string>

namespace discern {

// The proof that a fit is what it claims to be.
struct Certificate {
  // "relative-gradient-norm": |grad E(w)| over a scale made from the gradient at zero, see
  //     optim/problem/certificate.hpp
  // "relative-duality-gap": (P - D) / |P| of the objective P and a lower bound D of its minimum
  // "relative-residual": |S w - m| / |m| of the linear system that defines the model
  // "exact": 0, the model is a formula in counts and moments and nothing had to be solved
  // "training-mistakes": training rows that the model gets wrong
  // "positive-residual", "common-point": how far a verdict of ho-kashyap is from exact (ho_kashyap.hpp)
  // "progressive-loss": mean loss of streamed rows before each was learned; it proves nothing, and such a fit
  //     never says that it has converged
  std::string kind;
  double value = 0;
};

// "relative gradient norm 6.3e-18"
std::ostream& operator<<(std::ostream& out, const Certificate& certificate);

}  // namespace discern
