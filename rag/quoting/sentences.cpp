#include "rag/quoting/sentences.h"

#include <algorithm>
#include <optional>

#include "base/ascii.h"
#include "rag/chunking/text_units.h"
#include "rag/quoting/entry_marks.h"
#include "rag/quoting/line_shapes.h"
#include "rag/quoting/passage_lines.h"
#include "rag/quoting/source_lines.h"
#include "rag/text/symbols.h"
#include "rag/text/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kLongestEmphasis = 80;  // bytes

bool is_alnum(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// A letter or digit of a script that parts words by spaces, beginning at i or ending before i. Where it does not (signs
// of three bytes and more), marks of emphasis stand between the letters.
bool begins_letter(std::string_view sentence, size_t i) {
  return i < sentence.size() && (is_alnum(sentence[i]) || (static_cast<unsigned char>(sentence[i]) & 0xE0) == 0xC0);
}
bool ends_letter(std::string_view sentence, size_t i) {
  const auto at = [&](size_t back) { return i < back ? '\0' : sentence[i - back]; };
  return is_alnum(at(1)) || (static_cast<unsigned char>(at(2)) & 0xE0) == 0xC0;
}

// "Nutzer*innen", "a*b": a star of the text.
bool is_within_word(std::string_view sentence, size_t i) {
  return ends_letter(sentence, i) && begins_letter(sentence, i + 1);
}

// A lone star between spaces is a multiplication.
bool is_emphasis(std::string_view sentence, size_t i) {
  if (is_within_word(sentence, i)) return false;
  return i == 0 || i + 1 >= sentence.size() || sentence[i + 1] == sentence[i] || sentence[i - 1] == sentence[i] ||
         !is_space(sentence[i + 1]) || !is_space(sentence[i - 1]);
}

// "_emphasised words_" at `i`: the place of the closing mark; 0 for the underscores of names (`_private`, `__init__`).
size_t emphasis_end(std::string_view sentence, size_t i) {
  const auto is_word = [](char c) { return is_alnum(c) || static_cast<unsigned char>(c) >= 0x80; };
  const bool at_word = i == 0 || (!is_word(sentence[i - 1]) && sentence[i - 1] != '_');
  if (!at_word || i + 1 >= sentence.size() || !is_word(sentence[i + 1])) return 0;
  size_t close = sentence.find('_', i + 1);
  // "_hello_cargo_" is one word emphasised.
  const size_t space = std::min(sentence.find_first_of(" \n\t", i), sentence.size());
  while (close < space && close + 1 < space && is_word(sentence[close + 1])) {
    close = sentence.find('_', close + 1);
    if (close >= space) return 0;
  }
  if (close == std::string_view::npos || close - i > kLongestEmphasis || !is_word(sentence[close - 1])) return 0;
  const bool ends_word = close + 1 == sentence.size() || (!is_word(sentence[close + 1]) && sentence[close + 1] != '_');
  return ends_word ? close : 0;
}

// "1." or "12)", the number of a list's item, or "20.2.", the day of a diary: not a sentence of its own.
bool is_item_number(std::string_view piece) {
  constexpr size_t kLongest = 6;
  if (piece.starts_with("- ") || piece.starts_with("* ") || piece.starts_with("+ ")) piece.remove_prefix(2);
  if (piece.size() < 2 || piece.size() > kLongest || (piece.back() != '.' && piece.back() != ')')) return false;
  const bool dated = piece.back() == '.' && piece.find("..") == std::string_view::npos && is_digit(piece.front());
  piece.remove_suffix(1);
  return std::all_of(piece.begin(), piece.end(), [&](char c) { return is_digit(c) || (dated && c == '.'); });
}

// "3. Term.", what a clause begins with, is its name.
bool names_clause(std::string_view piece, const LineBlock& block) {
  constexpr size_t kMostWords = 3;  // its number among them
  return block.kind == SentenceKind::kItem && block.ordered && words_of(piece).size() <= kMostWords;
}

// An entry of a reference, as short as they mostly are, is read as a whole: "-j, --jobs N: Copy N files at a time. The
// default is 3."
bool is_entry(std::string_view body, const LineBlock& block) {
  constexpr size_t kLongestEntry = 300;
  return body.size() <= kLongestEntry && block.kind == SentenceKind::kText &&
         (block.defined || begins_with_option(body));
}

// A line of markup says nothing to a reader: <Listing number="8-1">.
bool is_tag(std::string_view piece) {
  return piece.starts_with('<') && piece.ends_with('>');
}

// "19 % MwSt.      34,56": behind the full stop of a shortened word, and far from it, the sum of a line of a bill.
bool is_sum_of_line(std::string_view rest) {
  const std::string_view line = rest.substr(0, rest.find('\n'));
  const size_t first = line.find_first_not_of(' ');
  return first != std::string_view::npos && first >= 2 && is_digit(line[first]) && states_number(line);
}

// Cuts the text of one block into its sentences.
void add_sentences(std::string_view text, const LineBlock& block, TextForm form, std::vector<Sentence>& sentences) {
  const std::string_view body = text.substr(block.byte_begin, block.byte_end - block.byte_begin);
  const bool whole = is_entry(body, block);
  size_t begin = 0;
  for (const size_t end : chunking::sentence_ends(body)) {
    size_t first = begin;
    size_t last = std::min(end, body.size());
    if (last < body.size() && (whole || is_sum_of_line(body.substr(last)))) continue;
    begin = last;
    while (first < last && is_space(body[first])) ++first;
    if (form == TextForm::kSource) first += comment_mark(body.substr(first, last - first));
    while (last > first && is_space(body[last - 1])) --last;
    const std::string_view piece = body.substr(first, last - first);
    if (is_item_number(piece) || (first == 0 && last < body.size() && names_clause(piece, block))) {
      begin = first;  // belongs to the sentence after it
    } else if (first < last && !is_tag(piece)) {
      sentences.push_back(
          {block.byte_begin + first, block.byte_begin + last, block.kind, block.group, block.item, block.ordered});
      sentences.back().defined = block.defined && first == 0;
      if (first == 0 && last < body.size() && block.kind == SentenceKind::kText && is_entry_mark(piece)) {
        sentences.back().kind = SentenceKind::kHeading;
        sentences.back().leads_in = true;
      }
    }
  }
}

}  // namespace

std::vector<Sentence> split_sentences(std::string_view text, TextForm form) {
  std::vector<Sentence> sentences;
  for (const LineBlock& block : form == TextForm::kSource ? source_blocks(text) : line_blocks(text)) {
    if (block.kind == SentenceKind::kText || block.kind == SentenceKind::kItem) {
      add_sentences(text, block, form, sentences);
    } else if (!is_tag(text.substr(block.byte_begin, block.byte_end - block.byte_begin))) {
      sentences.push_back({block.byte_begin, block.byte_end, block.kind, block.group, block.item, block.ordered});
    }
  }
  return sentences;
}

namespace {

// At "[text](target)", "[text][target]" or "![alt](target)": the end of the whole and the text's span; nothing for
// other brackets.
struct Link {
  size_t end = 0;
  std::string_view text;
};
std::optional<Link> link_at(std::string_view sentence, size_t at) {
  const bool image = sentence[at] == '!';
  const size_t open = at + (image ? 1 : 0);
  if (open >= sentence.size() || sentence[open] != '[') return std::nullopt;
  const size_t close = sentence.find(']', open);
  if (close == std::string_view::npos || close + 1 >= sentence.size()) return std::nullopt;
  const char opens = sentence[close + 1];
  if (opens != '(' && opens != '[') return std::nullopt;
  const size_t end = sentence.find(opens == '(' ? ')' : ']', close + 2);
  if (end == std::string_view::npos) return std::nullopt;
  return Link{end + 1, image ? std::string_view{} : sentence.substr(open + 1, close - open - 1)};
}

// At ":pep:`8`" or ":func:`open <builtins.open>`" of reStructuredText: its end and what it says, the kind of paper with
// its number, the text of others without what it leads to; nothing elsewhere.
struct Role {
  size_t end = 0;
  std::string text;
};
std::optional<Role> role_at(std::string_view sentence, size_t at) {
  constexpr std::string_view kName = "abcdefghijklmnopqrstuvwxyz:+-";
  const size_t open = sentence.find_first_not_of(kName, at);
  if (open == std::string_view::npos || open < at + 3 || sentence[open] != '`' || sentence[open - 1] != ':') return {};
  const size_t close = sentence.find('`', open + 1);
  if (close == std::string_view::npos) return {};
  const std::string_view name = sentence.substr(at + 1, open - at - 2);
  std::string_view text = sentence.substr(open + 1, close - open - 1);
  if (const size_t target = text.find(" <"); target != std::string_view::npos) text = text.substr(0, target);
  const std::string_view paper = name == "pep" ? "PEP " : name == "rfc" ? "RFC " : "";
  const bool is_number = text.find_first_not_of("0123456789") == std::string_view::npos;
  return Role{close + 1, std::string(is_number ? paper : "") + std::string(text)};
}

// "<!-- ... -->", or attributes as in "price{: .term}", at `at`: the place behind it; 0: neither.
size_t unseen_end(std::string_view sentence, size_t at) {
  const bool comment = sentence.substr(at).starts_with("<!--");
  if (!comment && !sentence.substr(at).starts_with("{:")) return 0;
  const std::string_view mark = comment ? "-->" : "}";
  const size_t close = sentence.find(mark, at);
  if (close == std::string_view::npos) return comment ? sentence.size() : 0;
  return close + mark.size();
}

// Of a picture whose caption was cut into sentences: "](a.png)" at the end, "![" at the beginning. The end of it; 0:
// nothing of that.
size_t rest_of_link(std::string_view sentence, size_t at, int n_open) {
  const std::string_view rest = sentence.substr(at);
  if (at == 0 && rest.starts_with("![") && !link_at(sentence, at).has_value()) return at + 2;
  if (n_open > 0 || !rest.starts_with("](")) return 0;
  const size_t close = rest.find(')');
  return at + (close == std::string_view::npos ? rest.size() : close + 1);
}

// The end of a tag of HTML that says how the text looks, at `at`; 0: "<name>" says something itself.
size_t tag_end(std::string_view sentence, size_t at) {
  constexpr std::string_view kTags[] = {"div", "span", "p",    "br",     "em", "strong",
                                        "sup", "sub",  "cite", "figure", "img"};
  std::string_view rest = sentence.substr(at);
  if (!rest.starts_with('<')) return 0;
  const size_t first = rest.starts_with("</") ? 2 : 1;
  const size_t last = rest.find_first_of(" />", first);
  const size_t close = rest.find('>', first);
  if (last == std::string_view::npos || close == std::string_view::npos) return 0;
  const std::string_view name = rest.substr(first, last - first);
  return std::find(std::begin(kTags), std::end(kTags), name) == std::end(kTags) ? 0 : at + close + 1;
}

// What a backslash takes the meaning from: punctuation of ASCII.
bool is_escapable(char c) {
  return c > ' ' && c < 0x7f && !is_alnum(c) && c != '|';
}

// Bytes of the "> " before a further line of a quotation; 0: none.
size_t quotation_mark(std::string_view line) {
  const size_t at = std::min(line.find_first_not_of(' '), line.size());
  return line.substr(at).starts_with("> ") ? at + 2 : 0;
}

}  // namespace

std::string plain_sentence(std::string_view sentence, TextForm form) {
  if (form == TextForm::kSource && sentence.ends_with("*/")) sentence.remove_suffix(2);
  sentence.remove_prefix(std::min(sentence.find_first_not_of(" \t\r\n#>|"), sentence.size()));
  for (const std::string_view mark : {"- ", "* ", "+ "}) {
    if (sentence.starts_with(mark)) sentence.remove_prefix(mark.size());
  }
  std::string plain;
  bool gap = false;
  size_t closing = 0;  // of emphasis by underscores
  int open = 0;        // brackets
  for (size_t i = 0; i < sentence.size(); ++i) {
    const char c = sentence[i];
    // "\*" is no mark of anything; the backslash is the document's, too.
    if (c == '\\' && i + 1 < sentence.size() && is_escapable(sentence[i + 1])) {
      if (gap && !plain.empty()) plain.push_back(' ');
      gap = false;
      plain += sentence.substr(i++, 2);
      continue;
    }
    if (c == '_' && closing == 0) {
      closing = emphasis_end(sentence, i);
      if (closing > 0) continue;
    } else if (c == '_' && i == closing) {
      closing = 0;
      continue;
    }
    if (is_space(c)) {
      gap = true;
      const std::string_view next = c == '\n' ? sentence.substr(i + 1) : std::string_view();
      i += form == TextForm::kSource ? comment_mark(next) : quotation_mark(next);
      continue;
    }
    std::string_view piece = sentence.substr(i, 1);
    if (const size_t end = std::max(unseen_end(sentence, i), tag_end(sentence, i)); end > 0) {
      i = end - 1;
      continue;
    }
    if (const size_t end = rest_of_link(sentence, i, open); end > 0) {
      i = end - 1;
      continue;
    }
    const std::optional<Role> role = c == ':' ? role_at(sentence, i) : std::nullopt;
    if (role.has_value()) {
      i = role->end - 1;
      piece = role->text;
    }
    open += c == '[' ? 1 : c == ']' && open > 0 ? -1 : 0;
    if (c == '[' || c == '!') {
      if (const std::optional<Link> link = link_at(sentence, i); link.has_value()) {
        i = link->end - 1;
        piece = link->text;
        open = 0;
      }
    } else if ((c == '*' || c == '`') && is_emphasis(sentence, i)) {
      continue;
    }
    if (piece.empty()) continue;
    if (gap && !plain.empty()) plain.push_back(' ');
    gap = false;
    plain += piece;
  }
  while (plain.ends_with('|') || plain.ends_with(' ')) plain.pop_back();
  if (plain.ends_with("\")") && plain.find('(') == std::string::npos)
    plain.resize(plain.size() - 2);  // a caption's end
  return plain;
}

std::string plain_code(std::string_view code) {
  std::string plain = unindented(code);
  return plain.find('\n') == std::string::npos ? plain : "```\n" + plain + "\n```";
}

namespace {

std::vector<std::string_view> split_cells(std::string_view row) {
  std::vector<std::string_view> cells;
  const auto cut = [&](const auto& next) {
    for (size_t at = 0; at <= row.size();) {
      const auto [end, after] = next(at);
      cells.push_back(row.substr(at, end - at));
      at = after;
    }
  };
  if (row.find('|') != std::string_view::npos) {
    cut([&](size_t at) {
      size_t end = row.find('|', at);
      while (end != std::string_view::npos && end > 0 && row[end - 1] == '\\') end = row.find('|', end + 1);
      end = std::min(end, row.size());
      return std::pair{end, end + 1};
    });
  } else if (row.find("  ") != std::string_view::npos) {
    cut([&](size_t at) {
      const size_t end = std::min(row.find("  ", at), row.size());
      return std::pair{end, std::max(end + 1, std::min(row.find_first_not_of(' ', end), row.size() + 1))};
    });
  } else {
    const auto is_parted_by = [&](char c) { return std::count(row.begin(), row.end(), c) >= 2; };
    const char separator = is_parted_by(';') ? ';' : is_parted_by('\t') ? '\t' : ',';
    cut([&](size_t at) {
      bool quoted = false;
      size_t end = at;
      for (; end < row.size() && (quoted || row[end] != separator); ++end) quoted ^= row[end] == '"';
      return std::pair{end, end + 1};
    });
  }
  return cells;
}

// "Order: | 2024-12 | Cinema: | Downtown": "Order: 2024-12; Cinema: Downtown".
std::string labelled_values(const std::vector<std::string>& cells) {
  std::string plain;
  bool of_label = false;
  for (const std::string& cell : cells) {
    if (cell.empty()) continue;
    if (!plain.empty()) plain += of_label ? " " : "; ";
    plain += cell;
    of_label = cell.ends_with(':');
  }
  return plain;
}

}  // namespace

std::vector<std::string> row_cells(std::string_view row) {
  row.remove_prefix(std::min(row.find_first_not_of(" \t\r\n"), row.size()));
  if (row.starts_with('|')) row.remove_prefix(1);
  std::vector<std::string> cells;
  for (std::string_view cell : split_cells(row)) {
    std::string plain;
    for (const char c : plain_sentence(cell)) {
      if (c != '\\' && c != '"') plain.push_back(c);
    }
    cells.push_back(std::move(plain));
  }
  while (!cells.empty() && cells.back().empty()) cells.pop_back();
  return cells;
}

bool labels_its_cells(const std::vector<std::string>& cells) {
  for (size_t i = 0; i + 1 < cells.size(); ++i) {
    if (cells[i].ends_with(':') && !cells[i + 1].empty() && !cells[i + 1].ends_with(':')) return true;
  }
  return false;
}

std::string plain_row(std::string_view row, std::string_view head) {
  return plain_row(row_cells(row), row_cells(head));
}

std::string plain_row(const std::vector<std::string>& cells, const std::vector<std::string>& names) {
  if (labels_its_cells(cells)) return labelled_values(cells);
  // Of two columns the first is the name of the second; so it is in a row of sums, which leaves the first columns out.
  if (cells.size() == 2 && !cells[0].empty()) return cells[0] + ": " + cells[1];
  const auto said = std::find_if(cells.begin(), cells.end(), [](const std::string& cell) { return !cell.empty(); });
  const auto n_said = std::count_if(cells.begin(), cells.end(), [](const std::string& cell) { return !cell.empty(); });
  if (said != cells.begin() && n_said == 2) return *said + ": " + cells.back();
  std::string plain;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].empty()) continue;
    const bool named = i < names.size() && !names[i].empty();
    if (!plain.empty()) plain += names.empty() ? " | " : "; ";
    plain += named ? names[i] + ": " + cells[i] : cells[i];
  }
  return plain;
}

}  // namespace mneme::rag
