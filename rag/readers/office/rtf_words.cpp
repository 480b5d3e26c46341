#include "rag/readers/office/rtf_words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "rag/readers/document_builder.h"

namespace mneme::readers {
namespace {

constexpr auto kAsides = std::to_array<std::pair<std::string_view, RtfAside>>({
    {"annotation", RtfAside::kComment},
    {"atnauthor", RtfAside::kCommenter},
    {"footer", RtfAside::kRunning},
    {"footerf", RtfAside::kRunning},
    {"footerl", RtfAside::kRunning},
    {"footerr", RtfAside::kRunning},
    {"footnote", RtfAside::kNote},
    {"header", RtfAside::kRunning},
    {"headerf", RtfAside::kRunning},
    {"headerl", RtfAside::kRunning},
    {"headerr", RtfAside::kRunning},
    {"listtext", RtfAside::kMarker},
    {"pntext", RtfAside::kMarker},
});

constexpr auto kUnseen = std::to_array<std::string_view>(
    {"aftncn", "aftnsep", "aftnsepc", "colortbl", "fldinst", "ftncn", "ftnsep", "ftnsepc", "listoverridetable",
     "listtable", "nonesttables", "object", "pict", "shprslt", "sp", "stylesheet", "themedata", "xe"});

constexpr auto kSaid = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"bullet", "\u2022"},
    {"column", " "},
    {"emdash", "\u2014"},
    {"emspace", " "},
    {"endash", "\u2013"},
    {"enspace", " "},
    {"ldblquote", "\u201c"},
    {"line", kLineBreak},
    {"lquote", "\u2018"},
    {"nestcell", " "},
    {"nestrow", " "},
    {"qmspace", " "},
    {"rdblquote", "\u201d"},
    {"rquote", "\u2019"},
    {"tab", " "},
});

// "3.1", "Article III", "§ 4": not "4.", "(a)".
bool names_place(std::string_view number) {
  if (number.find(' ') != std::string_view::npos || number.starts_with("\u00a7")) return true;
  for (size_t i = 1; i + 1 < number.size(); ++i) {
    if (number[i] == '.' && is_digit(number[i - 1]) && is_digit(number[i + 1])) return true;
  }
  return false;
}

// The entry of a word in a list of pairs; null: it has none.
template <typename Pairs>
auto find_word(const Pairs& pairs, std::string_view word) {
  const auto it = std::find_if(pairs.begin(), pairs.end(), [&](const auto& pair) { return pair.first == word; });
  return it == pairs.end() ? nullptr : &*it;
}

}  // namespace

RtfAside rtf_aside(std::string_view word) {
  const auto* const found = find_word(kAsides, word);
  return found == nullptr ? RtfAside::kNone : found->second;
}

bool rtf_is_unseen(std::string_view word) {
  return std::find(kUnseen.begin(), kUnseen.end(), word) != kUnseen.end();
}

std::optional<std::string_view> rtf_said(std::string_view word) {
  const auto* const found = find_word(kSaid, word);
  return found == nullptr ? std::nullopt : std::optional(found->second);
}

ListPlace rtf_list_place(std::string_view marker, int level) {
  ListPlace place;
  place.is_listed = !marker.empty();
  place.level = level;
  const bool has_digit = std::any_of(marker.begin(), marker.end(), is_digit);
  // A letter alone is a sign: Word writes hollow bullets as "o".
  if (!has_digit && !marker.ends_with('.') && !marker.ends_with(')')) return place;
  place.number = marker;
  place.is_clause = names_place(marker);
  return place;
}

}  // namespace mneme::readers
