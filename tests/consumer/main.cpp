// Fits a linear discriminant to a CSV file whose labels are in the column "class".
#include <cstdio>

#include "discern/base/error.hpp"
#include "discern/catalogue/models.hpp"
#include "discern/io/table/read.hpp"

int main(int, char** argv) try {
  discern::ReadOptions reading;
  reading.side = {{.column = "class"}};
  discern::FitSettings settings;
  settings.model = "lda";
  settings.options = discern::find_model("lda").make("lda");
  settings.target = "class";
  const discern::FitOutcome fit = discern::fit_model(discern::read_table(argv[1], reading), settings);

  std::size_t right = 0;
  for (std::size_t i = 0; i < fit.train_labels.size(); ++i)
    right += fit.train.labels[i] == fit.train_labels[i];
  std::printf("%zu of %zu right, %zu classes\n", right, fit.train_labels.size(), fit.model.classes.size());
} catch (const discern::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
