#include "discern/transform/steps.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "discern/base/error.hpp"
#include "discern/transform/dense_step.hpp"

namespace discern {
namespace {

// At most this many features from a basis: more would not fit in memory for any fit, and a mistyped degree
// should say so at once.
constexpr Index monomial_limit = 1000000;

const char* name_of(Products kind) {
  if (kind == Products::powers) return "powers";
  return kind == Products::distinct ? "products" : "poly";
}

template <class T>
bool any_missing(const DenseRows<T>& rows) {
  for (Index i = 0; i < rows.rows * rows.cols; ++i)
    if (std::isnan(rows.values[i])) return true;
  return false;
}

// Sparse files have no missing cells.
template <class T>
bool any_missing(const SparseRows<T>&) {
  return false;
}

}  // namespace

std::vector<Feature> Impute::names(const std::vector<Feature>& in) const {
  std::vector<Feature> out = in;
  for (const Index j : indicators)
    out.push_back({fmt::format("missing({})", in[static_cast<std::size_t>(j)].name), true});
  return out;
}

Rows Impute::apply(const Rows& in, Workspace& out) const {
  if (indicators.empty() && !std::visit([](const auto& rows) { return any_missing(rows); }, in)) return in;
  const auto columns = static_cast<Index>(fill.size()), made = static_cast<Index>(indicators.size());
  return each_row(in, columns + made, out, [&](double* y, const auto& x) {
    for_each(x, [&](Index j, double v) { y[j] = std::isnan(v) ? fill[static_cast<std::size_t>(j)] : v; });
    if (indicators.empty()) return;
    auto next = indicators.begin();
    for_each(x, [&](Index j, double v) {
      if (next != indicators.end() && *next == j)
        y[columns + (next++ - indicators.begin())] = std::isnan(v) ? 1 : 0;
    });
  });
}

Index OneHot::width() const {
  Index total = 0;
  for (const Index count : levels) total += count == 0 ? 1 : count - (drop_first ? 1 : 0);
  return total;
}

bool OneHot::makes_sparse() const {
  return width() > 1000 && width() > 10 * static_cast<Index>(levels.size());
}

std::vector<Feature> OneHot::names(const Schema& schema, const std::vector<Feature>& in) const {
  std::vector<Feature> out;
  for (Index j = 0; j < static_cast<Index>(in.size()); ++j) {
    if (j >= schema.size() || !schema.categorical(j)) {
      out.push_back(in[static_cast<std::size_t>(j)]);
      continue;
    }
    const auto& names = schema.column(j).levels;
    for (std::size_t k = drop_first ? 1 : 0; k < names.size(); ++k)
      out.push_back({fmt::format("{}={}", schema.name(j), names[k]), true, j});
  }
  return out;
}

Rows OneHot::apply(const Rows& in, Workspace& out) const {
  const Index cols = width(), dropped = drop_first ? 1 : 0;
  // Calls put(column, value) for every entry of the row that is not zero, in order of columns.
  const auto expand = [&](const auto& x, auto&& put) {
    Index first = 0;
    for_each(x, [&](Index j, double v) {
      const Index count = levels[static_cast<std::size_t>(j)];
      if (count == 0) {
        if (v != 0) put(first, v);
        first += 1;
        return;
      }
      const auto code = static_cast<Index>(v);
      if (code >= dropped) put(first + code - dropped, 1.0);
      first += count - dropped;
    });
  };
  if (!makes_sparse()) {
    return each_row(in, cols, out, [&](double* y, const auto& x) {
      std::fill(y, y + cols, 0.0);
      expand(x, [&](Index j, double v) { y[j] = v; });
    });
  }
  return std::visit(
      [&](const auto& rows) -> Rows {
        out.values.clear();
        out.columns.clear();
        out.starts.assign(1, 0);
        for (Index i = 0; i < rows.rows; ++i) {
          expand(rows.row(i), [&](Index j, double v) {
            out.values.push_back(v);
            out.columns.push_back(static_cast<std::uint32_t>(j));
          });
          out.starts.push_back(static_cast<std::int64_t>(out.values.size()));
        }
        return SparseRows<double>{out.values.data(), out.columns.data(), out.starts.data(), rows.rows, cols};
      },
      in);
}

Rows Standardize::apply(const Rows& in, Workspace& out) const {
  return std::visit(
      [&]<class R>(const R& rows) -> Rows {
        if constexpr (std::is_same_v<R, DenseRows<float>> || std::is_same_v<R, DenseRows<double>>) {
          return each_row(in, rows.cols, out, [&](double* y, const auto& x) {
            for_each(x, [&](Index j, double v) {
              const auto c = static_cast<std::size_t>(j);
              y[j] = (v - center[c]) / scale[c];
            });
          });
        } else {
          out.values.clear();
          out.columns.clear();
          out.starts.assign(1, 0);
          for (Index i = 0; i < rows.rows; ++i) {
            for_each(rows.row(i), [&](Index j, double v) {
              out.values.push_back(v / scale[static_cast<std::size_t>(j)]);
              out.columns.push_back(static_cast<std::uint32_t>(j));
            });
            out.starts.push_back(static_cast<std::int64_t>(out.values.size()));
          }
          return SparseRows<double>{out.values.data(), out.columns.data(), out.starts.data(), rows.rows,
                                    rows.cols};
        }
      },
      in);
}

Monomials Monomials::make(Index degree, Products kind, const std::vector<Feature>& in,
                          const std::vector<Index>& columns) {
  Monomials basis{degree, kind, columns, {}, {}, Selection::make(in, columns, false)};
  const auto d = static_cast<Index>(basis.selection.used.size());
  const auto category = [&](Index j) {
    const Feature& feature = in[static_cast<std::size_t>(basis.selection.used[static_cast<std::size_t>(j)])];
    return feature.indicator ? feature.column : -1;
  };
  // Whether a factor of monomial m indicates a level of the text column that feature j does.
  const auto clashes = [&](Index m, Index j) {
    if (category(j) < 0) return false;
    for (; m >= 0; m = basis.parent[static_cast<std::size_t>(m)])
      if (category(basis.factor[static_cast<std::size_t>(m)]) == category(j)) return true;
    return false;
  };
  // Each monomial of degree k-1 is extended by the factors that are not before its last one.
  Index first = -1, last = 0;  // range of the monomials of the previous degree; -1 is the constant
  for (Index k = 1; k <= degree; ++k) {
    const auto start = static_cast<Index>(basis.parent.size());
    for (Index m = first; m < last; ++m) {
      const Index before = m < 0 ? 0 : basis.factor[static_cast<std::size_t>(m)];
      const Index from = m >= 0 && kind == Products::distinct ? before + 1 : before;
      const Index to = m >= 0 && kind == Products::powers ? before + 1 : d;
      for (Index j = from; j < to; ++j) {
        if (clashes(m, j)) continue;
        if (static_cast<Index>(basis.parent.size()) >= monomial_limit)
          throw Error(Code::usage, fmt::format("{}:{} of {} features makes more than {} features",
                                               name_of(kind), degree, d, monomial_limit));
        basis.parent.push_back(m);
        basis.factor.push_back(j);
      }
    }
    first = start;
    last = static_cast<Index>(basis.parent.size());
    if (first == last) break;  // products of more features than there are
  }
  return basis;
}

std::vector<Feature> Monomials::names(const std::vector<Feature>& in) const {
  std::vector<Feature> out;
  // The factors of each monomial, in order: "a^2*b".
  std::vector<std::vector<Index>> factors;
  for (std::size_t m = 0; m < parent.size(); ++m) {
    auto list = parent[m] < 0 ? std::vector<Index>{} : factors[static_cast<std::size_t>(parent[m])];
    list.push_back(factor[m]);
    std::string name;
    for (std::size_t f = 0; f < list.size();) {
      std::size_t end = f;
      while (end < list.size() && list[end] == list[f]) ++end;
      if (!name.empty()) name += '*';
      name += in[static_cast<std::size_t>(selection.used[static_cast<std::size_t>(list[f])])].name;
      if (end - f > 1) name += fmt::format("^{}", end - f);
      f = end;
    }
    // Alone an indicator stays one.
    out.push_back(list.size() == 1
                      ? in[static_cast<std::size_t>(selection.used[static_cast<std::size_t>(list[0])])]
                      : Feature{name, false});
    factors.push_back(std::move(list));
  }
  selection.append(in, out);
  return out;
}

Rows Monomials::apply(const Rows& in, Workspace& out) const {
  std::vector<long double> exact(degree > 2 ? parent.size() : 0);
  return each_dense_row(
      in, selection, static_cast<Index>(parent.size()), out, [&](double* y, const double* x) {
        for (std::size_t m = 0; m < parent.size(); ++m) {
          const double v = x[selection.used[static_cast<std::size_t>(factor[m])]];
          if (degree > 2) {
            exact[m] =
                parent[m] < 0 ? static_cast<long double>(v) : exact[static_cast<std::size_t>(parent[m])] * v;
            y[m] = static_cast<double>(exact[m]);
          } else {
            y[m] = parent[m] < 0 ? v : y[parent[m]] * v;
          }
        }
      });
}

void Impute::extend(std::vector<long double>& row) const {
  for (const Index j : indicators) row.push_back(std::isnan(row[static_cast<std::size_t>(j)]) ? 1.0L : 0.0L);
  for (std::size_t j = 0; j < fill.size(); ++j)
    if (std::isnan(row[j])) row[j] = static_cast<long double>(fill[j]);
}

void OneHot::extend(std::vector<long double>& row) const {
  std::vector<long double> out;
  for (std::size_t j = 0; j < row.size(); ++j) {
    if (levels[j] == 0) {
      out.push_back(row[j]);
      continue;
    }
    for (Index k = drop_first ? 1 : 0; k < levels[j]; ++k)
      out.push_back(row[j] == static_cast<long double>(k) ? 1.0L : 0.0L);
  }
  row = std::move(out);
}

void Standardize::extend(std::vector<long double>& row) const {
  for (std::size_t j = 0; j < row.size(); ++j)
    row[j] = (row[j] - static_cast<long double>(center[j])) / static_cast<long double>(scale[j]);
}

void Monomials::extend(std::vector<long double>& row) const {
  std::vector<long double> out;
  for (std::size_t m = 0; m < parent.size(); ++m) {
    const long double v = row[static_cast<std::size_t>(selection.used[static_cast<std::size_t>(factor[m])])];
    out.push_back(parent[m] < 0 ? v : out[static_cast<std::size_t>(parent[m])] * v);
  }
  selection.append(row, out);
  row = std::move(out);
}

}  // namespace discern
