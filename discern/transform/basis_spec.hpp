// The text that asks for basis functions: items that are applied one after the other, each to the features
// that the ones before it made,
//
//   ITEM,ITEM,...        ITEM: NAME, NAME:ARGUMENT:... or either with (COLUMN,COLUMN,...) behind it
//
//   poly:2,standardize   rbf:50:kmeans   gauss:10(age,hours),products:2
//
// A name with a comma or an odd parenthesis goes into double quotes, "" for a quote in it. Blanks before
// an item do not matter. With columns, an item works on those alone and passes the others on unchanged,
// behind what it makes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "discern/data/row.hpp"

namespace discern {

enum class BasisKind {
  poly,
  products,
  powers,
  log,
  log1p,
  sqrt,
  gauss,
  threshold,
  rbf,
  fourier,
  standardize
};

struct BasisForm {
  BasisKind kind;
  std::string_view name;
  std::string_view form;  // "poly:K", for messages and the help
  std::string_view what;  // one line
  Index least, most;      // range of the first argument, a whole number; 0 and 0: there is none
  std::size_t arguments;  // at most
};
std::span<const BasisForm> basis_forms();

struct BasisItem {
  const BasisForm* form = nullptr;
  std::string text;                    // as it was given
  std::size_t position = 1;            // of its first character, from 1
  Index count = 0;                     // the first argument
  std::vector<std::string> arguments;  // the rest of them
  std::vector<std::string> columns;    // empty: all
};

// Throws Code::usage with the position of what is wrong, what it is and what was expected there.
std::vector<BasisItem> parse_basis(std::string_view text);

[[noreturn]] void refuse_basis(const BasisItem& item, const std::string& problem);

}  // namespace discern
