#include "storage/catalogue/lexical_terms.h"

#include <algorithm>

#include "base/apostrophe.h"
#include "base/ascii.h"
#include "base/utf8.h"
#include "storage/catalogue/character_class.h"
#include "storage/catalogue/lexical_signs.h"
#include "storage/catalogue/light_stemmer.h"

namespace mneme::storage {
namespace {

// Longer terms (hashes, base64, runs without spaces) are cut here: they are found by their beginning.
constexpr size_t kMaxTermBytes = 64;
constexpr size_t kMaxJoinedBytes = 48;
constexpr size_t kMaxSignToken = 16;  // a sign with the quotation marks around it

// A character with where it stands.
struct Cursor {
  char32_t character = 0;
  size_t begin = 0;
  size_t end = 0;
};

class TermScanner {
 public:
  TermScanner(std::string_view text, TermPurpose purpose, const std::function<bool(const LexicalTerm&)>& visit)
      : text_(text), question_(purpose == TermPurpose::kQuery), visit_(visit) {}

  void run() {
    while (!stopped_) {
      if (scan_plain_word()) continue;
      if (!peek()) break;
      switch (char_info(current_.character).kind) {
        case CharClass::kLetter:
        case CharClass::kDigit:
        case CharClass::kMark: scan_compound(); break;
        case CharClass::kGram: scan_grams(); break;
        case CharClass::kSeparator: scan_sign(); break;
        case CharClass::kIgnore: advance(); break;
      }
    }
  }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

  // A word of small ASCII letters before a space or a stop, which most words of most texts are: scan_compound() would
  // come to the same by a longer way.
  bool scan_plain_word() {
    const size_t run = small_letters_at(offset_);
    if (run == 0) return false;
    const size_t begin = offset_;
    const size_t end = begin + run;
    if (end < text_.size() && std::string_view(" \n,.;:").find(text_[end]) == std::string_view::npos) return false;
    offset_ = end;
    emit(stem(text_.substr(begin, run)), begin, end, false);
    return true;
  }

  // Goes past a separator; a sign that stands alone there is a term. It stands with the term before it, so that phrases
  // do not depend on signs.
  void scan_sign() {
    const bool begins = offset_ == 0 || is_space(text_[offset_ - 1]);
    if (begins && scan_box()) return;
    if (!begins || current_.character >= 0x7F || is_space(text_[offset_])) return advance();
    const std::string_view rest = text_.substr(offset_, kMaxSignToken + 1);
    const std::string_view token = rest.substr(0, rest.find_first_of(" \t\r\n"));
    const size_t end = offset_ + token.size();
    SignPlace place{.question = question_};
    const size_t before = offset_ == 0 ? std::string_view::npos : text_.find_last_not_of(" \t", offset_ - 1);
    place.line_start = before == std::string_view::npos || text_[before] == '\n' || text_[before] == '\r';
    place.text_end = text_.find_first_not_of(" \t\r\n", end) == std::string_view::npos;
    const std::string sign = token.size() > kMaxSignToken ? std::string() : lone_sign(token, place);
    if (sign.empty()) return advance();
    emit(sign, offset_, end, true);
    offset_ = end;
  }

  bool scan_box() {
    const BoxSign box = box_sign(text_.substr(offset_));
    if (box.term.empty()) return false;
    emit(box.term, offset_, offset_ + box.n_bytes, true);
    offset_ += box.n_bytes;
    return true;
  }

  // Loads the character at offset_ into current_.
  bool peek() {
    if (offset_ >= text_.size()) return false;
    size_t end = offset_;
    current_.character = utf8::next(text_, end);
    current_.begin = offset_;
    current_.end = end;
    return true;
  }
  void advance() { offset_ = current_.end; }

  CharClass class_at(size_t offset) const {
    if (offset >= text_.size()) return CharClass::kSeparator;
    return char_info(utf8::next(text_, offset)).kind;
  }

  void emit(std::string_view term, size_t begin, size_t end, bool colocated) {
    if (stopped_ || term.empty()) return;
    if (term.size() > kMaxTermBytes) term = term.substr(0, utf8::floor_boundary(term, kMaxTermBytes));
    stopped_ = !visit_(LexicalTerm{term, begin, end, colocated});
  }

  // A word with its joined neighbours: put_document, utf-8, putDocument, 3.14, Lis[t]. Parts are terms of their own;
  // the whole stands with the first part, without its joiners, so that every way of writing it meets.
  void scan_compound() {
    const size_t begin = offset_;
    size_t end = begin;
    joined_.clear();
    int n_parts = 0;
    held_.clear();
    while (!stopped_) {
      n_parts += scan_word(n_parts);
      end = offset_;
      if (!joins_at(offset_)) break;
      ++offset_;
    }
    if (n_parts == 1) return emit_part(held_, held_begin_, held_end_);
    // The first part was held back; the others were collected behind it.
    emit_part(held_, held_begin_, held_end_);
    if (joined_.size() <= kMaxJoinedBytes) emit(stem(joined_), begin, end, true);
    for (const Part& part : parts_) emit_part(part.text, part.begin, part.end);
    parts_.clear();
  }

  // True when the ASCII sign at `offset` holds two parts together.
  bool joins_at(size_t offset) const {
    if (offset == 0 || offset + 1 >= text_.size()) return false;
    const char sign = text_[offset];
    if (sign == '_' || sign == '-') {
      const CharClass next = class_at(offset + 1);
      return next == CharClass::kLetter || next == CharClass::kDigit;
    }
    if (sign == '.') {
      const auto digit = [](char c) { return c >= '0' && c <= '9'; };
      return digit(text_[offset - 1]) && digit(text_[offset + 1]);
    }
    if (sign == '[') return is_marked_letter(offset);
    return sign == ']' && offset >= 2 && is_marked_letter(offset - 2) && is_letter(text_[offset + 1]);
  }

  // "[t]" as in "Lis[t] the contents" and "E[x]tract", where manuals show which letter an option stands for.
  bool is_marked_letter(size_t offset) const {
    return offset + 2 < text_.size() && text_[offset] == '[' && is_letter(text_[offset + 1]) &&
           text_[offset + 2] == ']';
  }

  struct Part {
    std::string text;
    size_t begin;
    size_t end;
  };

  void add_part(std::string& folded, size_t begin, size_t end, bool first) {
    joined_ += folded;
    if (first) {
      held_ = folded;
      held_begin_ = begin;
      held_end_ = end;
    } else {
      parts_.push_back({folded, begin, end});
    }
    folded.clear();
  }

  size_t small_letters_at(size_t offset) const {
    size_t end = offset;
    while (end < text_.size() && text_[end] >= 'a' && text_[end] <= 'z') ++end;
    return end - offset;
  }

  // Letters and digits up to the next other sign, cut at camelCase borders. Returns the number of parts.
  int scan_word(int parts_before) {
    std::string folded;
    size_t begin = offset_;
    int parts = 0;
    bool was_lower = false;
    while (true) {
      // Small letters of ASCII, which most text is made of, fold to themselves.
      if (const size_t run = small_letters_at(offset_); run > 0) {
        folded.append(text_, offset_, run);
        offset_ += run;
        was_lower = true;
      }
      if (!peek()) break;
      const CharInfo& info = char_info(current_.character);
      if (info.kind == CharClass::kIgnore) {
        advance();
        continue;
      }
      if (info.kind == CharClass::kSeparator && skip_apostrophe()) continue;
      if (info.kind == CharClass::kSeparator || info.kind == CharClass::kGram) break;
      if (info.upper && was_lower && !folded.empty()) {
        add_part(folded, begin, current_.begin, parts_before + parts == 0);
        ++parts;
        begin = current_.begin;
      }
      was_lower = !info.upper && info.kind == CharClass::kLetter;
      for (int i = 0; i < info.n_folded; ++i) utf8::append(folded, info.folded[i]);
      advance();
    }
    if (!folded.empty()) {
      add_part(folded, begin, offset_, parts_before + parts == 0);
      ++parts;
    }
    return parts;
  }

  // "Einstein's" is einstein: the possessive is dropped. Other apostrophes separate words.
  bool skip_apostrophe() {
    if (!is_apostrophe(current_.character)) return false;
    const size_t next = current_.end;
    if (next >= text_.size() || (text_[next] != 's' && text_[next] != 'S')) return false;
    const CharClass after = class_at(next + 1);
    if (after == CharClass::kLetter || after == CharClass::kDigit || after == CharClass::kMark) return false;
    offset_ = next + 1;
    return true;
  }

  void emit_part(std::string_view part, size_t begin, size_t end) {
    emit(stem(without_leading_zeros(part)), begin, end, false);
  }

  // "pep-0008" is PEP 8.
  static std::string_view without_leading_zeros(std::string_view part) {
    const bool number = std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!number || part.empty()) return part;
    return part.substr(std::min(part.find_first_not_of('0'), part.size() - 1));
  }

  std::string_view stem(std::string_view word) {
    stemmed_.assign(word);
    light_stem(stemmed_);
    return stemmed_;
  }

  // Pairs of neighbours over a run of unspaced script, each at its first character's place; the last character alone
  // closes the run, so that "starts with this character" finds every character.
  void scan_grams() {
    Part previous{};
    Part unit{};
    while (!stopped_ && peek()) {
      const CharInfo& info = char_info(current_.character);
      if (info.kind == CharClass::kIgnore) {
        advance();
        continue;
      }
      if (unit.text.empty() || !continues_unit(unit.text, info)) {
        if (info.kind != CharClass::kGram) break;
        // The unit before is complete only now: signs after it belong to it.
        if (!previous.text.empty()) emit(previous.text + unit.text, previous.begin, unit.end, false);
        previous = std::move(unit);
        unit = {std::string(), current_.begin, current_.end};
        for (int i = 0; i < info.n_folded; ++i) utf8::append(unit.text, info.folded[i]);
      }
      unit.end = current_.end;
      advance();
    }
    if (!previous.text.empty()) emit(previous.text + unit.text, previous.begin, unit.end, false);
    emit(unit.text, unit.begin, unit.end, false);
  }

  // Adds a sign or a part of a syllable to the unit before it; false when it is a unit of its own.
  static bool continues_unit(std::string& unit, const CharInfo& info) {
    size_t first_end = 0;
    const char32_t first = utf8::next(unit, first_end);
    // Only what can compose asks the tables: the voicing marks and the vowels and finals of Hangul.
    const char32_t next = info.folded[0];
    const bool may_compose = next == 0x3099 || next == 0x309a || (next >= 0x1161 && next <= 0x11c2);
    if (may_compose && first_end == unit.size()) {
      if (const char32_t composed = compose_pair(first, next); composed != 0) {
        unit.clear();
        utf8::append(unit, composed);
        return true;
      }
    }
    if (info.kind != CharClass::kMark) return false;
    for (int i = 0; i < info.n_folded; ++i) utf8::append(unit, info.folded[i]);
    return true;
  }

  std::string_view text_;
  const bool question_;
  const std::function<bool(const LexicalTerm&)>& visit_;
  size_t offset_ = 0;
  Cursor current_;
  bool stopped_ = false;
  std::string joined_;
  std::string held_;
  size_t held_begin_ = 0;
  size_t held_end_ = 0;
  std::vector<Part> parts_;
  std::string stemmed_;
};

}  // namespace

void for_each_term(std::string_view text, TermPurpose purpose, const std::function<bool(const LexicalTerm&)>& visit) {
  TermScanner(text, purpose, visit).run();
}

std::vector<std::string> lexical_terms(std::string_view text, TermPurpose purpose) {
  std::vector<std::string> terms;
  for_each_term(text, purpose, [&](const LexicalTerm& term) {
    terms.emplace_back(term.term);
    return true;
  });
  return terms;
}

std::string term_of_word(std::string_view word) {
  std::string first;
  for_each_term(word, TermPurpose::kQuery, [&](const LexicalTerm& term) {
    first = term.term;
    return false;
  });
  return first;
}

}  // namespace mneme::storage
