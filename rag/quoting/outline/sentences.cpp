#include "rag/quoting/outline/sentences.h"

#include <algorithm>

#include "base/ascii.h"
#include "rag/chunking/text_units.h"
#include "rag/quoting/outline/entry_marks.h"
#include "rag/quoting/outline/line_shapes.h"
#include "rag/quoting/outline/passage_lines.h"
#include "rag/quoting/outline/source_lines.h"
#include "rag/text/words/symbols.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

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

}  // namespace mneme::rag
