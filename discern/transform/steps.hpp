// The steps of a pipeline. Each turns blocks of rows into blocks of rows and knows the names of what it
// makes; a step is plain data, so that a model file can hold it.
//
//   Impute       a missing cell (NaN) becomes the column's fill value: median or most frequent level; on request
//                with a 0/1 indicator behind all columns that says where it was missing
//   OneHot       a categorical column becomes one 0/1 indicator a level (or all levels but the first)
//   Standardize  x_j becomes (x_j - center_j) / scale_j; sparse rows are scaled only
//   Monomials    products of powers of the numeric features, up to a total degree
//   Pointwise    bumps and steps of single features (transform/pointwise.hpp)
//   Radial       nearness to centres (transform/radial.hpp)
//   Fourier      random waves (transform/fourier.hpp)
//   Hashing      columns and texts share a fixed number of features (transform/hashing.hpp)
//
// `extend` does the same to one row in extended precision.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "discern/data/features.hpp"
#include "discern/data/schema.hpp"
#include "discern/data/source.hpp"
#include "discern/transform/feature.hpp"
#include "discern/transform/fourier.hpp"
#include "discern/transform/hashing.hpp"
#include "discern/transform/pointwise.hpp"
#include "discern/transform/radial.hpp"

namespace discern {

struct Impute {
  std::vector<double> fill;            // a value each column; codes for categorical ones
  std::vector<Index> indicators = {};  // the columns, ascending, that get an indicator of what was missing

  std::vector<Feature> names(const std::vector<Feature>& in) const;
  Rows apply(const Rows& in, Workspace& out) const;
  void extend(std::vector<long double>& row) const;
};

struct OneHot {
  // For each column that comes in the number of its levels, 0 for a numeric one, which is passed on.
  std::vector<Index> levels;
  bool drop_first = false;  // reference coding: the first level is all zeros

  Index width() const;        // number of output columns
  bool makes_sparse() const;  // more than 1000 columns, less than a tenth of them filled
  // `in`: the features that come in, those of the schema and indicators of missing cells behind them.
  std::vector<Feature> names(const Schema& schema, const std::vector<Feature>& in) const;
  // A code of -1 (a level unknown in training) sets no indicator.
  Rows apply(const Rows& in, Workspace& out) const;
  void extend(std::vector<long double>& row) const;
};

struct Standardize {
  std::vector<double> center, scale;

  std::vector<Feature> names(const std::vector<Feature>& in) const { return in; }
  Rows apply(const Rows& in, Workspace& out) const;
  void extend(std::vector<long double>& row) const;
};

enum class Products {
  all,       // poly:k      x1, x2, x1^2, x1 x2, x2^2, ...
  distinct,  // products:k  only products of different features: x1, x2, x1 x2, ...
  powers     // powers:k    only powers of one feature: x1, x2, x1^2, x2^2, ...
};

// All monomials of the numeric features up to a total degree, without the constant, ordered by degree, then
// by feature; the other columns follow unchanged. Indicators take part where they are among `columns`: no monomial has
// two of one text column, whose product is 0, or one twice, which is itself. Products of three and more factors are formed in extended
// precision and rounded once.
struct Monomials {
  Index degree = 1;
  Products kind = Products::all;
  std::vector<Index> columns;  // asked for; empty: all numeric ones
  // Derived from the number of columns in use: monomial m is monomial parent[m] times used column
  // factor[m]; a parent of -1 is the constant 1.
  std::vector<Index> parent, factor;
  Selection selection;

  // Throws Code::usage when there would be more than a million features.
  static Monomials make(Index degree, Products kind, const std::vector<Feature>& in,
                        const std::vector<Index>& columns = {});
  std::vector<Feature> names(const std::vector<Feature>& in) const;
  Rows apply(const Rows& in, Workspace& out) const;
  void extend(std::vector<long double>& row) const;
};

using Step = std::variant<Impute, OneHot, Standardize, Monomials, Pointwise, Radial, Fourier, Hashing>;

}  // namespace discern
