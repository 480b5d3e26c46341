#include "rag/readers/roff/mdoc_macros.h"

#include <algorithm>
#include <utility>

#include "rag/readers/front_matter.h"

namespace mneme::readers {
namespace {

constexpr size_t kDeepest = 32;  // lists within lists

}  // namespace

void MdocMacros::take(const RoffLine& line) {
  if (line.request.empty()) {
    const std::string words = lines_.text(line.rest);
    if (words.empty() && !page_.in_code()) return page_.paragraph();
    return page_.in_code() ? page_.text(words) : put(words);
  }
  const std::vector<std::string> words = lines_.texts(line.rest);
  if (take_structure(line.request, words) || take_display(line.request, words)) return;
  if (line.request == "Nm" && in_synopsis_) page_.break_line();
  if (line.request == "Nd") {
    put("- " + inline_.words(words));
  } else if (line.request == "Fo") {
    put((words.empty() ? "" : words[0]) + "(");
  } else if (line.request == "Fc") {
    put(")");
  } else if (MdocWords::knows(line.request)) {
    put(inline_.line(line.request, words));
  }
}

void MdocMacros::put(std::string_view words) {
  if (page_.in_code()) return page_.text(words);
  MdocWords::append(page_.open_text(), words);
}

bool MdocMacros::take_structure(std::string_view request, const std::vector<std::string>& words) {
  if (request == "Dd") {
    std::string date;
    for (const std::string& word : words) date += word + " ";
    take_metadata(document_, "date", date);
  } else if (request == "Dt") {
    if (!words.empty()) page_.set_name(words[0], words.size() > 1 ? words[1] : "");
  } else if (request == "Sh" || request == "Ss") {
    const std::string heading = inline_.words(words);
    if (request == "Sh") in_synopsis_ = heading == "SYNOPSIS";
    page_.end_code();
    page_.heading(request == "Sh" ? 1 : 2, heading);
  } else if (request == "Pp" || request == "Lp" || request == "Rs" || request == "Re") {
    page_.paragraph();
  } else if (request == "Bl") {
    begin_list(words);
  } else if (request == "El") {
    page_.paragraph();
    if (!lists_.empty()) lists_.pop_back();
  } else if (request == "It") {
    take_item(words);
  } else {
    return false;
  }
  return true;
}

bool MdocMacros::take_display(std::string_view request, const std::vector<std::string>& words) {
  if (request == "Bd") {
    const bool is_code =
        std::any_of(words.begin(), words.end(), [](const auto& w) { return w == "-literal" || w == "-unfilled"; });
    is_code ? page_.begin_code() : page_.paragraph();
  } else if (request == "Ed") {
    page_.in_code() ? page_.end_code() : page_.paragraph();
  } else if (request == "D1" || request == "Dl") {
    page_.begin_code();
    page_.text(inline_.words(words));
    page_.end_code();
  } else if (request == "br") {
    page_.break_line();
  } else if (request == "sp") {
    page_.paragraph();
  } else {
    return false;
  }
  return true;
}

void MdocMacros::begin_list(const std::vector<std::string>& words) {
  page_.paragraph();
  if (lists_.size() >= kDeepest) return;
  const auto is = [&](std::string_view option) { return std::find(words.begin(), words.end(), option) != words.end(); };
  const ListKind kind = is("-enum")                                                    ? ListKind::kNumbers
                        : is("-column")                                                ? ListKind::kColumns
                        : is("-bullet") || is("-dash") || is("-hyphen") || is("-item") ? ListKind::kBullets
                                                                                       : ListKind::kTags;
  lists_.push_back({kind});
}

void MdocMacros::take_item(const std::vector<std::string>& words) {
  if (lists_.empty()) return page_.paragraph();
  List& list = lists_.back();
  ++list.n_items;
  const auto depth = static_cast<int>(lists_.size()) - 1;
  switch (list.kind) {
    case ListKind::kBullets: page_.item("-", depth); break;
    case ListKind::kNumbers: page_.item(std::to_string(list.n_items) + ".", depth); break;
    case ListKind::kTags: page_.item(inline_.words(words), depth); break;
    case ListKind::kColumns: take_columns(words); break;
  }
}

// Cells are parted by "Ta" or by a tab.
void MdocMacros::take_columns(const std::vector<std::string>& words) {
  std::vector<std::string> cells;
  std::vector<std::string> cell;
  const auto close = [&] {
    std::string text = inline_.words(std::exchange(cell, {}));
    for (size_t tab = text.find('\t'); tab != std::string::npos; tab = text.find('\t')) {
      cells.push_back(text.substr(0, tab));
      text.erase(0, tab + 1);
    }
    cells.push_back(std::move(text));
  };
  for (const std::string& word : words) {
    if (word == "Ta") {
      close();
    } else {
      cell.push_back(word);
    }
  }
  close();
  page_.table_row(cells);
}

}  // namespace mneme::readers
