// What a report consists of: a page with words and figures. The data of a figure are JSON, of which
// web/src/types.ts says what each kind holds; the page draws them (web/src/figures/).
//
// Pages hold nothing that differs from run to run (no times, no dates), so that the same fit gives the same bytes.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace discern::report {

struct Figure {
  std::string id;  // letters, digits and -
  std::string title;
  std::string text;  // what is to be seen, in two or three sentences
  std::string formula = {};
  std::vector<std::string> notes = {};                            // what was left out, or sampled
  std::vector<std::pair<std::string, std::string>> numbers = {};  // beside the picture
  std::string data = {};                                          // JSON
};

struct Page {
  std::string title;
  std::string command;                    // "fit"
  std::vector<std::string> summary = {};  // paragraphs
  std::vector<std::pair<std::string, std::string>> facts = {};
  std::vector<std::string> warnings = {};
  std::vector<Figure> figures = {};
};

}  // namespace discern::report
