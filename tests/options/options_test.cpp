#include <gtest/gtest.h>

#include <set>
#include <type_traits>

#include "discern/options/all.hpp"
#include "discern/options/decision.hpp"
#include "discern/options/multiclass.hpp"

namespace discern::options_test {
namespace {

template <class... Models>
constexpr bool all_aggregates(const std::variant<Models...>*) {
  return (std::is_aggregate_v<Models> && ...);
}
static_assert(all_aggregates(static_cast<const ModelOptions*>(nullptr)));
static_assert(std::is_aggregate_v<MulticlassOptions> && std::is_aggregate_v<DecisionOptions>);
static_assert(LinearModel<Logistic> && LinearModel<Svm> && LinearModel<LeastSquares>);
static_assert(!LinearModel<Mlp> && !LinearModel<HoKashyap>);

TEST(Options, OfLinearModelsAreWrittenByNameAndKeepTheDefaultsOfTheOthers) {
  const Logistic logistic{.l2 = 0.5, .tol = 1e-12, .firth = true};
  EXPECT_EQ(logistic.l2, 0.5);
  EXPECT_EQ(logistic.tol, 1e-12);
  EXPECT_TRUE(logistic.firth);
  EXPECT_EQ(logistic.max_iter, 1000);
  EXPECT_EQ(Logistic{}.l2, 1);
  EXPECT_EQ(Svm{}.l2, 1);
  EXPECT_EQ(LeastSquares{}.l2, 0);
}

// A field that linear_options forgot would keep its default.
template <LinearModel M>
void expect_all_carried(M model) {
  const LinearOptions plain;
  model.l1 = 0.25, model.l2 = 0.75, model.solver = Solver::sgd, model.tol = 1e-3, model.max_iter = 7;
  model.no_bias = true, model.penalize_bias = true, model.learning_rate = 0.125;
  model.schedule = Schedule::inverse, model.batch_size = 3, model.epochs = 4, model.average = true;
  model.order = SampleOrder::given, model.normalize_weights = true, model.normalize_criterion = true;
  LinearOptions carried = linear_options(model);
  std::vector<std::string> values, standard, expected;
  const auto texts = [](std::vector<std::string>& out) {
    return [&out]<class T>(T& value, const Field& field) {
      if constexpr (std::is_enum_v<T>)
        out.push_back(
            fields::describe_choice(field, static_cast<std::size_t>(value), value_names(value)).value);
      else
        out.push_back(fields::describe(field, value).value);
    };
  };
  visit_linear_fields(carried, texts(values));
  visit_linear_fields(plain, texts(standard));
  visit_linear_fields(model, texts(expected));
  EXPECT_EQ(values, expected);
  ASSERT_EQ(values.size(), 15u);
  for (std::size_t k = 0; k < values.size(); ++k) EXPECT_NE(values[k], standard[k]) << k;
}

TEST(Options, OfLinearModelsAllReachTheSolver) {
  expect_all_carried(Logistic{});
  expect_all_carried(Svm{});
  expect_all_carried(LeastSquares{});
}

TEST(Options, HaveDifferentNamesAndTheOnesOfTheirMembersInMessages) {
  std::visit(
      [](const auto&... options) {
        const auto check = [](const auto& one) {
          std::set<std::string> names;
          for (const FieldInfo& field : list_fields(one)) EXPECT_TRUE(names.insert(field.name).second);
        };
        (check(options), ...);
      },
      ModelOptions(Mlp{}));
  EXPECT_EQ(option_name("max-iter"), "`max_iter`");
}

}  // namespace
}  // namespace discern::options_test
