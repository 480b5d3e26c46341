#include "rag/answering/sentences.h"

#include <algorithm>
#include <optional>

#include "rag/chunking/text_units.h"

namespace mneme::rag {

namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Lines that begin something of their own.
bool begins_item(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (line.empty()) return true;
  if (line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ ") || line.starts_with("#") ||
      line.starts_with("|") || line.starts_with(">") || line.starts_with("```")) {
    return true;
  }
  size_t digits = 0;
  while (digits < line.size() && line[digits] >= '0' && line[digits] <= '9') ++digits;
  return digits > 0 && digits <= 3 && digits + 1 < line.size() && (line[digits] == '.' || line[digits] == ')') &&
         line[digits + 1] == ' ';
}

std::string_view line_at(std::string_view text, size_t begin) {
  return text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
}

// Ends of paragraphs and of lines that stand alone.
std::vector<size_t> block_ends(std::string_view text) {
  std::vector<size_t> ends;
  for (size_t at = 0; at < text.size();) {
    const std::string_view line = line_at(text, at);
    const size_t next = at + line.size() + 1;
    const bool alone = line.starts_with('#') || line.starts_with('|');
    if (alone || next >= text.size() || begins_item(line_at(text, next))) ends.push_back(std::min(next, text.size()));
    at = next;
  }
  return ends;
}

// A lone star between spaces is a multiplication.
bool is_emphasis(std::string_view sentence, size_t i) {
  return i == 0 || i + 1 >= sentence.size() || sentence[i + 1] == sentence[i] || sentence[i - 1] == sentence[i] ||
         !is_space(sentence[i + 1]) || !is_space(sentence[i - 1]);
}

// "1." or "12)": the number of a list's item, not a sentence of its own.
bool is_item_number(std::string_view piece) {
  if (piece.size() < 2 || piece.size() > 4 || (piece.back() != '.' && piece.back() != ')')) return false;
  piece.remove_suffix(1);
  return std::all_of(piece.begin(), piece.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// A line of markup says nothing to a reader: <Listing number="8-1">.
bool is_tag(std::string_view piece) {
  return piece.starts_with('<') && piece.ends_with('>');
}

}  // namespace

std::vector<Sentence> split_sentences(std::string_view text) {
  std::vector<Sentence> sentences;
  size_t block = 0;
  for (const size_t block_end : block_ends(text)) {
    const std::string_view body = text.substr(block, block_end - block);
    size_t begin = 0;
    for (const size_t end : chunking::sentence_ends(body)) {
      size_t first = begin;
      size_t last = std::min(end, body.size());
      begin = last;
      while (first < last && is_space(body[first])) ++first;
      while (last > first && is_space(body[last - 1])) --last;
      const std::string_view piece = body.substr(first, last - first);
      if (is_item_number(piece)) {
        begin = first;  // belongs to the sentence after it
      } else if (first < last && !is_tag(piece)) {
        sentences.push_back({block + first, block + last, body[first] == '#'});
      }
    }
    block = block_end;
  }
  return sentences;
}

namespace {

// At "[text](target)" or "![alt](target)": the end of the whole and the text's span; nothing for other brackets.
struct Link {
  size_t end = 0;
  std::string_view text;
};
std::optional<Link> link_at(std::string_view sentence, size_t at) {
  const bool image = sentence[at] == '!';
  const size_t open = at + (image ? 1 : 0);
  if (open >= sentence.size() || sentence[open] != '[') return std::nullopt;
  const size_t close = sentence.find(']', open);
  if (close == std::string_view::npos || close + 1 >= sentence.size() || sentence[close + 1] != '(')
    return std::nullopt;
  const size_t end = sentence.find(')', close);
  if (end == std::string_view::npos) return std::nullopt;
  return Link{end + 1, image ? std::string_view{} : sentence.substr(open + 1, close - open - 1)};
}

}  // namespace

std::string plain_sentence(std::string_view sentence) {
  sentence.remove_prefix(std::min(sentence.find_first_not_of(" \t\r\n#>|"), sentence.size()));
  for (const std::string_view mark : {"- ", "* ", "+ "}) {
    if (sentence.starts_with(mark)) sentence.remove_prefix(mark.size());
  }
  std::string plain;
  bool gap = false;
  for (size_t i = 0; i < sentence.size(); ++i) {
    const char c = sentence[i];
    if (is_space(c)) {
      gap = true;
      continue;
    }
    std::string_view piece = sentence.substr(i, 1);
    if (c == '[' || c == '!') {
      if (const std::optional<Link> link = link_at(sentence, i); link.has_value()) {
        i = link->end - 1;
        piece = link->text;
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
  return plain;
}

}  // namespace mneme::rag
