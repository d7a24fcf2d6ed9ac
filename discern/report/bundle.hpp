// The script and the style of the page (web/dist/), and the policy that admits them. Compiled in; the build makes the
// source from the files.
#pragma once

#include <string_view>

namespace discern::report {

std::string_view bundle_script();
std::string_view bundle_style();
std::string_view bundle_policy();

}  // namespace discern::report
