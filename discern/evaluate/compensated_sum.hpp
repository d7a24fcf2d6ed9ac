// A sum that carries the rounding errors of its additions along (Neumaier 1974).
#pragma once

namespace discern {

class CompensatedSum {
 public:
  void add(double term);
  void merge(const CompensatedSum& other);
  double value() const;

 private:
  double sum_ = 0;
  double lost_ = 0;
};

}  // namespace discern
