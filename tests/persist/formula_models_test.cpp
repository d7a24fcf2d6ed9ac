// Models with products of texts, logarithms and roots come back from a file as they were.
#include <gtest/gtest.h>

#include <cmath>

#include "discern/catalogue/models.hpp"
#include "discern/persist/model_file.hpp"
#include "tests/support/fitting.hpp"

namespace discern::formula_models_test {
namespace {

Table sample() {
  std::vector<std::vector<double>> cells;
  std::vector<std::string> labels;
  for (int i = 0; i < 80; ++i) {
    cells.push_back({1.0 + i % 7, static_cast<double>(i % 2), static_cast<double>((i / 2) % 3),
                     0.5 * (i % 11), i % 4 + 0.25});
    labels.emplace_back((i * i) % 7 < 3 ? "yes" : "no");
  }
  Table table = support::make_table(cells, labels);
  table.schema = Schema({{"age", false, {}},
                         {"sex", true, {"f", "m"}},
                         {"port", true, {"C", "Q", "S"}},
                         {"fare", false, {}},
                         {"size", false, {}}});
  table.noticed.resize(5);
  return table;
}

TEST(FormulaModels, ComeBackAsTheyWere) {
  const Table table = sample();
  for (const char* basis :
       {"products:2(sex,age)", "products:3(sex,port,age)", "poly:3(sex,age,fare)", "poly:2(port)",
        "products:2(sex=m,age)", "log(age),sqrt(fare),log1p(size)",
        "log1p(fare),products:2(\"log1p(fare)\",port,age),standardize",
        "products:2(sex,age),powers:2(fare),rbf:3", "products:2(sex,age),poly:2(port,size)"}) {
    for (const double l2 : {0.0, 1.0}) {
      FitSettings settings;
      settings.options = Logistic{.l2 = l2};
      settings.target = "class";
      settings.encode = settings.impute = settings.standardize = true;
      settings.basis = basis;
      settings.reference = l2 > 0 ? "" : "port=Q";
      const FitOutcome fit = fit_model(table, settings);
      const std::string bytes = model_to_bytes(fit.model);
      const Model loaded = model_from_bytes(bytes);
      EXPECT_EQ(loaded.pipeline.feature_names(), fit.model.pipeline.feature_names()) << basis;
      EXPECT_EQ(predict(loaded, table, {}).proba, predict(fit.model, table, {}).proba) << basis;
      EXPECT_EQ(model_to_bytes(loaded), bytes) << basis;
      for (Index j = 0; j < loaded.pipeline.features(); ++j)
        EXPECT_EQ(loaded.pipeline.category(j), fit.model.pipeline.category(j)) << basis << ' ' << j;
    }
  }
}

}  // namespace
}  // namespace discern::formula_models_test
