// Which model, which penalty, and can a plane separate the classes at all? On the iris flowers:
// cross_validation data/iris.csv
#include <iostream>

#include "discern/discern.hpp"

int main(int, char** words) try {
  const discern::Frame iris = discern::read_frame(words[1]);

  const auto cv = discern::cross_validate(discern::Lda{}, iris, "class", {.folds = {.folds = 10}});
  const discern::CvMeasure& accuracy = cv.measure("accuracy");
  std::cout << "lda: accuracy " << *accuracy.mean << " +- " << *accuracy.standard_error << "\n";

  const auto all =
      discern::compare(iris, "class", {.models = {"lda", "qda", "logistic"}, .metric = "log_loss"});
  for (const discern::Rank& one : all.ranking) std::cout << one.model << ": log loss " << *one.score << "\n";

  const auto path =
      discern::path(discern::Logistic{}, iris, "class", {.points = 30, .folds = discern::FoldOptions{}});
  const discern::PathStep& step = path.steps[*path.within_se];
  std::cout << "lasso: l1 = " << step.l1 << " keeps " << step.nonzero << " weights\n";

  for (const discern::SeparablePair& pair : discern::separable(iris, "class").pairs)
    std::cout << pair.positive << " and " << pair.negative
              << (pair.verdict == discern::SeparableVerdict::yes ? " are" : " are not") << " separable\n";
} catch (const discern::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
