// Texts that few rows have, taken together: a model cannot learn from two rows what a text means, but from all such
// rows what it means to be rare.
#pragma once

#include "discern/data/table.hpp"

namespace discern {

// In each text column the levels that fewer than `least` rows have become one, `other`, behind the levels that stay
// (in a column that has a level of this name `(other)`, ...). A column without such levels stays as it is. The
// column knows which level it is (Column::other), so that texts that no row had count as it, too. Returns how many
// levels were pooled.
Index pool_rare_levels(Table& table, Index least);

}  // namespace discern
