// Fits a linear discriminant to a CSV file whose labels are in the column "class".
#include <cstdio>

#include "discern/discern.hpp"

int main(int, char** argv) try {
  const discern::Frame data = discern::read_frame(argv[1]);
  const discern::FittedModel model = discern::fit(discern::Lda{}, data, "class");
  const discern::EvaluationResult seen = discern::evaluate(model, data);
  std::printf("%.0f of %.0f right, %zu classes\n", seen.confusion.trace(), seen.weight,
              model.classes().size());
} catch (const discern::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
