// A table with text and missing cells; also from a file: table FILE TARGET
#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include "discern/discern.hpp"

int main(int count, char** words) try {
  const discern::FitOptions prepare{.standardize = true, .encode = true, .impute = true};
  if (count == 3) {
    const discern::Frame file = discern::read_frame(words[1]);
    const auto model = discern::fit(discern::Lda{}, file, words[2], prepare);
    std::cout << "accuracy " << evaluate(model, file).measure("accuracy") << "\n";
    return 0;
  }

  const double missing = std::numeric_limits<double>::quiet_NaN();
  discern::Frame people;
  people.add_numbers("age", std::vector<double>{23, 35, missing, 61, 44, 29, 52, 38})
      .add_text("town",
                std::vector<std::string>{"Ghent", "Lyon", "Lyon", "", "Ghent", "Turin", "Turin", "Lyon"})
      .add_text("buys", std::vector<std::string>{"no", "yes", "no", "yes", "yes", "no", "yes", "no"});
  const auto model = discern::fit(discern::Logistic{}, people, "buys", prepare);

  discern::Frame visitor;  // columns are found by their names
  visitor.add_text("town", std::vector<std::string>{"Turin"}).add_numbers("age", std::vector<int>{50});
  std::cout << "buys: " << model.labels(visitor)[0] << ", P = " << model.probabilities(visitor)(0, 1) << "\n";
} catch (const discern::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
