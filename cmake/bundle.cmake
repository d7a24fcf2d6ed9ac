# Makes the source that holds the script, the style and the policy of reports:
#   cmake -D FROM=web/dist -D TO=bundle.cpp -P bundle.cmake
function(bytes_of file out)
  file(READ "${file}" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  set(${out} "${bytes}" PARENT_SCOPE)
endfunction()
bytes_of("${FROM}/report.js" script)
bytes_of("${FROM}/report.css" style)
bytes_of("${FROM}/policy.txt" policy)
file(WRITE "${TO}.new" "// Made by cmake/bundle.cmake from web/dist.
#include \"discern/report/bundle.hpp\"

namespace discern::report {
namespace {
constexpr unsigned char script_bytes[] = {${script}};
constexpr unsigned char style_bytes[] = {${style}};
constexpr unsigned char policy_bytes[] = {${policy}};
template <unsigned long N>
std::string_view view_of(const unsigned char (&bytes)[N]) {
  return {reinterpret_cast<const char*>(bytes), N};
}
}  // namespace
std::string_view bundle_script() { return view_of(script_bytes); }
std::string_view bundle_style() { return view_of(style_bytes); }
std::string_view bundle_policy() { return view_of(policy_bytes); }
}  // namespace discern::report
")
file(COPY_FILE "${TO}.new" "${TO}" ONLY_IF_DIFFERENT)
