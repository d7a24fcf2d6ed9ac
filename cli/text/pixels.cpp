#include "cli/text/pixels.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "discern/base/error.hpp"
#include "discern/data/schema.hpp"
#include "discern/io/file/file.hpp"

namespace discern::cli {
namespace {

struct Size {
  Index height = 0, width = 0;
};

Size parse_size(const std::string& text, Index features) {
  const auto cross = text.find('x');
  const auto length = [&](std::string_view part) {
    const auto number = number_of(part);
    return number && *number >= 1 && *number <= 1e6 && *number == std::floor(*number)
               ? static_cast<Index>(*number)
               : Index{0};
  };
  Size size;
  if (cross != std::string::npos)
    size = {length(std::string_view(text).substr(0, cross)),
            length(std::string_view(text).substr(cross + 1))};
  if (size.height == 0 || size.width == 0)
    throw Error(Code::usage, fmt::format("--pixels: expected HEIGHTxWIDTH, as in 28x23, got '{}'", text));
  if (size.height * size.width != features)
    throw Error(Code::usage, fmt::format("--pixels: {} x {} are {} pixels, and there are {} features",
                                         size.height, size.width, size.height * size.width, features));
  return size;
}

std::string picture(const Eigen::Ref<const Eigen::RowVectorXd>& weights, const Size& size) {
  std::string bytes = fmt::format("P5\n{} {}\n255\n", size.width, size.height);
  const double largest = weights.cwiseAbs().maxCoeff();
  for (Index j = 0; j < weights.size(); ++j) {
    const double shade = largest > 0 ? weights[j] / largest : 0;
    bytes += static_cast<char>(static_cast<unsigned char>(std::lround(127.5 + 127.5 * shade)));
  }
  return bytes;
}

// A class's name as part of a file's.
std::string plain(const std::string& name) {
  std::string result;
  for (const char c : name) {
    const bool safe =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
    result += safe ? c : '_';
  }
  return result;
}

}  // namespace

std::vector<Flag> pixel_flags(const std::string& standard) {
  return {{.name = "pixels",
           .metavar = "HxW",
           .help = "the features are the pixels of an image, row by row: write the weights as pictures (PGM)",
           .group = "output"},
          {.name = "images",
           .metavar = "PREFIX",
           .help = "how the names of the pictures start",
           .group = "output",
           .standard = standard}};
}

std::optional<std::pair<Index, Index>> pixel_size(const Arguments& arguments, Index features) {
  if (!arguments.has("pixels")) return std::nullopt;
  const Size size = parse_size(arguments.text("pixels"), features);
  return std::pair{size.height, size.width};
}

std::vector<std::string> write_pictures(const Arguments& arguments, const Matrix& weights,
                                        const std::vector<std::string>& names, const std::string& prefix) {
  if (!arguments.has("pixels")) {
    if (arguments.has("images")) throw Error(Code::usage, "--images needs --pixels HxW");
    return {};
  }
  const Size size = parse_size(arguments.text("pixels"), weights.cols());
  const std::string start = arguments.text("images", prefix);
  std::vector<std::string> files;
  for (Index k = 0; k < weights.rows(); ++k) {
    files.push_back(fmt::format("{}-{}.pgm", start, plain(names[static_cast<std::size_t>(k)])));
    FileWriter writer(files.back());
    writer.write(picture(weights.row(k), size));
    writer.commit();
  }
  return files;
}

}  // namespace discern::cli
