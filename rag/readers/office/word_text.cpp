#include "rag/readers/office/word_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "rag/readers/document_builder.h"
#include "rag/readers/office/symbol_fonts.h"
#include "rag/readers/office_common.h"

namespace mneme::readers {
namespace {

std::string_view word_break(const pugi::xml_node& element) {
  const std::string_view type = attribute_named(element, "type");
  return type == "page" || type == "column" ? " " : kLineBreak;
}

std::string word_symbol(const pugi::xml_node& element) {
  const std::string_view written = attribute_named(element, "char");
  uint32_t code = 0;
  const auto parsed = std::from_chars(written.data(), written.data() + written.size(), code, 16);
  if (parsed.ec != std::errc()) return {};
  return symbol_text(attribute_named(element, "font"), code);
}

}  // namespace

bool is_unseen_in_word(std::string_view element) {
  static constexpr std::array<std::string_view, 9> kUnseen = {"del",   "moveFrom", "instrText", "pPr",     "rPr",
                                                              "sdtPr", "rt",       "rubyPr",    "Fallback"};
  return std::find(kUnseen.begin(), kUnseen.end(), element) != kUnseen.end();
}

std::optional<std::string> word_characters(const pugi::xml_node& element) {
  const std::string_view name = local_name(element);
  if (name == "t") return element.child_value();
  if (name == "tab" || name == "ptab") return " ";
  if (name == "br" || name == "cr") return std::string(word_break(element));
  if (name == "noBreakHyphen") return "-";
  if (name == "sym") return word_symbol(element);
  return std::nullopt;
}

Shift word_shift(const pugi::xml_node& run) {
  if (local_name(run) != "r") return Shift::kNone;
  const std::string_view place = attribute_named(child_named(child_named(run, "rPr"), "vertAlign"), "val");
  if (place == "superscript") return Shift::kRaised;
  return place == "subscript" ? Shift::kLowered : Shift::kNone;
}

}  // namespace mneme::readers
