#include "discern/transform/steps.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "discern/base/error.hpp"

namespace discern {
namespace {

// At most this many features from a basis: more would not fit in memory for any fit, and a mistyped degree
// should say so at once.
constexpr Index monomial_limit = 1000000;

DenseRows<double> dense_output(Workspace& out, Index rows, Index cols) {
  out.values.resize(static_cast<std::size_t>(rows * cols));
  return {out.values.data(), rows, cols};
}

// Calls f(output row, input row) for every row, with the output row zeroed or not as `f` wants.
template <class F>
Rows each_row(const Rows& in, Index cols, Workspace& out, F&& f) {
  return std::visit(
      [&](const auto& rows) -> Rows {
        const auto result = dense_output(out, rows.rows, cols);
        for (Index i = 0; i < rows.rows; ++i) f(out.values.data() + i * cols, rows.row(i));
        return result;
      },
      in);
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

Rows Impute::apply(const Rows& in, Workspace& out) const {
  if (!std::visit([](const auto& rows) { return any_missing(rows); }, in)) return in;
  return each_row(in, static_cast<Index>(fill.size()), out, [&](double* y, const auto& x) {
    for_each(x, [&](Index j, double v) { y[j] = std::isnan(v) ? fill[static_cast<std::size_t>(j)] : v; });
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

std::vector<Feature> OneHot::names(const Schema& in) const {
  std::vector<Feature> out;
  for (Index j = 0; j < in.size(); ++j) {
    if (!in.categorical(j)) {
      out.push_back({in.name(j), false});
      continue;
    }
    const auto& names = in.column(j).levels;
    for (std::size_t k = drop_first ? 1 : 0; k < names.size(); ++k)
      out.push_back({fmt::format("{}={}", in.name(j), names[k]), true, j});
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

Monomials Monomials::make(Index degree, bool distinct, const std::vector<Feature>& in) {
  Monomials basis{degree, distinct, {}, {}, {}, {}};
  for (std::size_t j = 0; j < in.size(); ++j)
    (in[j].indicator ? basis.indicators : basis.numeric).push_back(static_cast<Index>(j));
  const auto d = static_cast<Index>(basis.numeric.size());
  // Each monomial of degree k-1 is extended by the factors that are not before its last one.
  Index first = -1, last = 0;  // range of the monomials of the previous degree; -1 is the constant
  for (Index k = 1; k <= degree; ++k) {
    const auto start = static_cast<Index>(basis.parent.size());
    for (Index m = first; m < last; ++m) {
      const Index from = m < 0 ? 0 : basis.factor[static_cast<std::size_t>(m)] + (distinct ? 1 : 0);
      for (Index j = from; j < d; ++j) {
        if (static_cast<Index>(basis.parent.size()) >= monomial_limit)
          throw Error(Code::usage, fmt::format("{}:{} of {} features makes more than {} features",
                                               distinct ? "products" : "poly", degree, d, monomial_limit));
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
      name += in[static_cast<std::size_t>(numeric[static_cast<std::size_t>(list[f])])].name;
      if (end - f > 1) name += fmt::format("^{}", end - f);
      f = end;
    }
    out.push_back({name, false});
    factors.push_back(std::move(list));
  }
  for (const Index j : indicators) out.push_back(in[static_cast<std::size_t>(j)]);
  return out;
}

Rows Monomials::apply(const Rows& in, Workspace& out) const {
  const auto made = static_cast<Index>(parent.size());
  const Index cols = made + static_cast<Index>(indicators.size());
  std::vector<double> dense(numeric.size() + indicators.size());
  std::vector<long double> exact(degree > 2 ? parent.size() : 0);
  return each_row(in, cols, out, [&](double* y, const auto& x) {
    std::fill(dense.begin(), dense.end(), 0.0);
    for_each(x, [&](Index j, double v) { dense[static_cast<std::size_t>(j)] = v; });
    for (std::size_t m = 0; m < parent.size(); ++m) {
      const double v = dense[static_cast<std::size_t>(numeric[static_cast<std::size_t>(factor[m])])];
      if (degree > 2) {
        exact[m] =
            parent[m] < 0 ? static_cast<long double>(v) : exact[static_cast<std::size_t>(parent[m])] * v;
        y[m] = static_cast<double>(exact[m]);
      } else {
        y[m] = parent[m] < 0 ? v : y[parent[m]] * v;
      }
    }
    for (std::size_t k = 0; k < indicators.size(); ++k)
      y[made + static_cast<Index>(k)] = dense[static_cast<std::size_t>(indicators[k])];
  });
}

void Impute::extend(std::vector<long double>& row) const {
  for (std::size_t j = 0; j < row.size(); ++j)
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
    const long double v = row[static_cast<std::size_t>(numeric[static_cast<std::size_t>(factor[m])])];
    out.push_back(parent[m] < 0 ? v : out[static_cast<std::size_t>(parent[m])] * v);
  }
  for (const Index j : indicators) out.push_back(row[static_cast<std::size_t>(j)]);
  row = std::move(out);
}

}  // namespace discern
