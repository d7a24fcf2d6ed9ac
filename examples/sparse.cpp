// A linear support vector machine on counts of words, as compressed sparse rows that are not copied.
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "discern/discern.hpp"

int main() try {
  // Words: 0 cheap, 1 winner, 2 meeting, 3 report, 4 free. Six short messages.
  const std::vector<std::int64_t> starts{0, 2, 4, 6, 8, 9, 11};
  const std::vector<std::uint32_t> words{0, 4, 1, 4, 2, 3, 2, 3, 3, 0, 1};
  const std::vector<float> counts{2, 1, 1, 3, 1, 2, 2, 1, 1, 1, 1};
  const std::vector<std::string> labels{"spam", "spam", "work", "work", "work", "spam"};
  const auto mail = discern::MatrixView::csr(5, starts, words, counts);

  const auto model =
      discern::fit(discern::Svm{.loss = discern::SvmLoss::squared_hinge, .l2 = 0.1}, mail, labels,
                   {.feature_names = {"cheap", "winner", "meeting", "report", "free"}});
  std::cout << "above zero speaks for " << model.positive() << "\n";
  const std::vector<std::string> names = model.feature_names();
  for (std::size_t j = 0; j < names.size(); ++j)
    std::cout << names[j] << ": " << model.weights()(0, static_cast<Eigen::Index>(j)) << "\n";
  std::cout << "the third message is " << model.labels(mail)[2] << "\n";
} catch (const discern::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
