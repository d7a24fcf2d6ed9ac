// Learns one step of a basis (transform/basis_spec.hpp) from the features that come before it.
#pragma once

#include <optional>

#include "discern/transform/basis_spec.hpp"
#include "discern/transform/pipeline.hpp"

namespace discern {

// `source`: the features that `so_far` makes, with their weights. Throws Code::usage for a column that is not
// among them, for one that the basis cannot use and for an argument that makes no sense. `interrupted`
// becomes true when the monitor stopped the placing of centres, and the step has those so far.
Step fit_basis(const BasisItem& item, const Source& source, const Pipeline& so_far,
               const PipelineOptions& options, bool& interrupted);

// The step that takes the dates among the columns apart (PointFunction::parts); nothing when there are none.
std::optional<Step> fit_date_parts(const Source& source, const Pipeline& so_far);

}  // namespace discern
