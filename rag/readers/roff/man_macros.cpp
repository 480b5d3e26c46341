#include "rag/readers/roff/man_macros.h"

#include <algorithm>
#include <array>
#include <utility>

#include "rag/readers/front_matter.h"

namespace mneme::readers {
namespace {

template <size_t N>
bool is_one_of(std::string_view request, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), request) != names.end();
}

// Fonts: words in one, or pieces of a word in two that alternate.
constexpr std::array<std::string_view, 4> kFonts = {"B", "I", "SM", "SB"};
constexpr std::array<std::string_view, 6> kAlternating = {"BR", "RB", "BI", "IB", "IR", "RI"};
constexpr std::array<std::string_view, 5> kParagraphs = {"PP", "P", "LP", "HP", "Sp"};
constexpr std::array<std::string_view, 3> kCode = {"nf", "EX", "Vb"};
constexpr std::array<std::string_view, 3> kCodeEnds = {"fi", "EE", "Ve"};
constexpr int kDeepest = 8;

}  // namespace

std::string ManMacros::joined(std::string_view rest, std::string_view between) const {
  std::string all;
  for (const std::string& word : lines_.texts(rest)) {
    if (!all.empty()) all += between;
    all += word;
  }
  return all;
}

void ManMacros::take(const RoffLine& line) {
  if (line.request.empty()) {
    const std::string words = lines_.text(line.rest);
    if (words.empty() || (words.find_first_not_of(' ') == std::string::npos && !page_.in_code())) {
      if (wanted_ == Wanted::kText && line.rest.empty()) page_.paragraph();
      return;
    }
    return take_words(words);
  }
  if (take_structure(line) || take_layout(line.request)) return;
  // A macro of the page's own is mostly another font.
  if (is_one_of(line.request, kFonts) || lines_.prints(line.request)) {
    take_words(joined(line.rest, " "));
  } else if (is_one_of(line.request, kAlternating)) {
    take_words(joined(line.rest, ""));
  } else if (line.request == "OP") {
    take_words("[" + joined(line.rest, " ") + "]");
  } else if (line.request == "MR") {
    const std::vector<std::string> words = lines_.texts(line.rest);
    if (words.size() > 1) take_words(words[0] + "(" + words[1] + ")" + (words.size() > 2 ? words[2] : ""));
  }
}

void ManMacros::take_words(std::string_view words) {
  if (words.empty()) return;
  switch (std::exchange(wanted_, Wanted::kText)) {
    case Wanted::kText: page_.text(words); break;
    case Wanted::kTag: page_.item(words, depth_); break;
    case Wanted::kFurtherTag: page_.further_marker(words); break;
    case Wanted::kHeading: page_.heading(1, words); break;
    case Wanted::kSubheading: page_.heading(2, words); break;
  }
}

bool ManMacros::take_structure(const RoffLine& line) {
  const std::string_view request = line.request;
  if (request == "TH") {
    take_title(line);
  } else if (request == "SH" || request == "SS") {
    depth_ = 0;
    page_.end_code();
    wanted_ = request == "SH" ? Wanted::kHeading : Wanted::kSubheading;
    take_words(joined(line.rest, " "));
  } else if (request == "TP" || request == "IP" || request == "TQ") {
    take_item(line);
  } else if (is_one_of(request, kParagraphs)) {
    page_.paragraph();
  } else if (request == "SY") {
    page_.paragraph();
    take_words(joined(line.rest, " "));
  } else if (request == "UR" || request == "MT" || request == "UE" || request == "ME") {
    take_link(line);
  } else {
    return false;
  }
  return true;
}

bool ManMacros::take_layout(std::string_view request) {
  if (is_one_of(request, kCode)) {
    page_.begin_code();
  } else if (is_one_of(request, kCodeEnds)) {
    page_.end_code();
  } else if (request == "RS") {
    depth_ = std::min(depth_ + 1, kDeepest);
  } else if (request == "RE") {
    depth_ = std::max(depth_ - 1, 0);
  } else if (request == "br") {
    page_.break_line();
  } else if (request == "sp") {
    page_.paragraph();
  } else {
    return false;
  }
  return true;
}

// .TH name section date source manual
void ManMacros::take_title(const RoffLine& line) {
  const std::vector<std::string> words = lines_.texts(line.rest);
  if (words.empty()) return;
  page_.set_name(words[0], words.size() > 1 ? words[1] : "");
  if (words.size() > 2) take_metadata(document_, "date", words[2]);
}

void ManMacros::take_item(const RoffLine& line) {
  page_.end_code();
  if (line.request != "IP") {
    wanted_ = line.request == "TQ" ? Wanted::kFurtherTag : Wanted::kTag;
    return;
  }
  const std::vector<std::string> words = lines_.texts(line.rest);
  if (words.empty() || words[0].empty()) return page_.paragraph();
  page_.item(words[0], depth_);
}

void ManMacros::take_link(const RoffLine& line) {
  const std::vector<std::string> words = lines_.texts(line.rest);
  const bool begins = line.request == "UR" || line.request == "MT";
  if (begins) {
    link_ = words.empty() ? "" : words[0];
  } else if (!link_.empty()) {
    take_words("<" + std::exchange(link_, {}) + ">" + (words.empty() ? "" : words[0]));
  }
}

}  // namespace mneme::readers
