// Containers as a stranger could make them: any header and any data, with a right checksum, so that a
// test reaches the checks behind it.
#pragma once

#include <string>

namespace discern {

// `tensors` is what follows the metadata in the header, `metadata` what follows the checksum in them.
std::string forge_container(const std::string& tensors, const std::string& data,
                            const std::string& metadata = "");

}  // namespace discern
