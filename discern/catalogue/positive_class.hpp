// Which of two classes is the positive one, the one that a score of 0 or more means:
//
//   1. the one that is asked for;
//   2. by name, where that is allowed: the one that says yes when the other says no, whatever their order.
//      Yes: + yes y true t 1 positive pos, no: - no n false f 0 negative neg, in any mixture, in capitals or
//      not, with blanks around them or without;
//   3. otherwise the last in order.
#pragma once

#include <string>
#include <vector>

#include "discern/data/row.hpp"

namespace discern {

// The index of the positive class; 1 when there are not two. Throws Code::usage for a `wanted` class that is
// none of two.
Index positive_class(const std::vector<std::string>& classes, const std::string& wanted, bool by_name);

// The index of the one of two classes that says yes when the other says no; -1: their names say nothing.
Index class_that_says_yes(const std::vector<std::string>& classes);

}  // namespace discern
