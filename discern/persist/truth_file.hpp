// The truth about generated data as a JSON file (docs/data.md): what `discern generate --truth` writes and
// `discern evaluate --truth` reads. Anyone who knows the density of data can write one.
#pragma once

#include <string>
#include <string_view>

#include "discern/evaluate/bayes.hpp"

namespace discern {

std::string truth_to_text(const Truth& truth);
// Throws Code::data naming the member that is missing, of another type or size, or out of its range.
Truth truth_from_text(std::string_view text, const std::string& file);

void save_truth(const Truth& truth, const std::string& path);
Truth load_truth(const std::string& path);

}  // namespace discern
