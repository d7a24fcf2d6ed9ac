#include "discern/report/page.hpp"

#include <fmt/format.h>

#include "discern/io/file/file.hpp"
#include "discern/report/bundle.hpp"
#include "discern/report/plot.hpp"

namespace discern::report {
namespace {

std::string valid(const std::string& text) {
  const std::string quoted = text_of(Json(text));
  return Json::parse(quoted).get<std::string>();
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : valid(text)) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')
      out += ' ';
    else
      out += c;
  }
  return out;
}

// The same with what stands between backquotes as code.
std::string prose(const std::string& text) {
  std::string out;
  bool code = false;
  for (const char c : escaped(text)) {
    if (c != '`')
      out += c;
    else
      out += (code = !code) ? "<code>" : "</code>";
  }
  return code ? out + "</code>" : out;
}

Json pairs_json(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Json list = Json::array();
  for (const auto& [name, value] : pairs) list.push_back({name, value});
  return list;
}

// Between the members of a figure its data, which are JSON already.
std::string figure_json(const Figure& figure) {
  Json head{{"id", figure.id}, {"title", figure.title}, {"text", figure.text}};
  if (!figure.formula.empty()) head["formula"] = figure.formula;
  if (!figure.notes.empty()) head["notes"] = figure.notes;
  if (!figure.numbers.empty()) head["numbers"] = pairs_json(figure.numbers);
  std::string text = text_of(head);
  text.back() = ',';
  return text + "\"data\":" + figure.data + "}";
}

// "<" never occurs outside of strings, where its escape means the same.
std::string harmless(const std::string& json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

std::string words_html(const Page& page) {
  std::string html =
      fmt::format("<h1>{}</h1>\n<p class=\"program\">discern {}</p>\n<div class=\"summary\">\n",
                  escaped(page.title), escaped(page.command));
  for (const std::string& text : page.summary) html += fmt::format("<p>{}</p>\n", prose(text));
  html += "</div>\n";
  for (const std::string& text : page.warnings)
    html += fmt::format("<p class=\"warning\">{}</p>\n", prose(text));
  if (page.facts.empty()) return html;
  html += "<dl class=\"tiles\">\n";
  for (const auto& [name, value] : page.facts)
    html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", escaped(name), escaped(value));
  return html + "</dl>\n";
}

}  // namespace

std::string page_json(const Page& page) {
  Json head{{"version", 1},
            {"title", page.title},
            {"command", page.command},
            {"summary", page.summary},
            {"facts", pairs_json(page.facts)},
            {"warnings", page.warnings}};
  std::string text = text_of(head);
  text.back() = ',';
  text += "\"figures\":[";
  for (std::size_t i = 0; i < page.figures.size(); ++i)
    text += (i == 0 ? "" : ",") + figure_json(page.figures[i]);
  return text + "]}";
}

std::string page_html(const Page& page) {
  std::string html = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  html += fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n", bundle_policy());
  html += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  html += fmt::format("<title>{}</title>\n<style>", escaped(page.title));
  html += bundle_style();
  html += "</style>\n</head>\n<body>\n<main>\n" + words_html(page);
  html +=
      "<noscript><p class=\"warning\">The figures need JavaScript, which is turned off "
      "here.</p></noscript>\n";
  html += "<div id=\"figures\"></div>\n</main>\n<script type=\"application/json\" id=\"data\">";
  html += harmless(page_json(page));
  html += "</script>\n<script>";
  html += bundle_script();
  return html + "</script>\n</body>\n</html>\n";
}

void write_page(const Page& page, const std::string& path) {
  FileWriter file(path);
  file.write(page_html(page));
  file.commit();
}

}  // namespace discern::report
