#include "storage/catalogue/lexical_query.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "storage/catalogue/character_class.h"
#include "storage/catalogue/fts_extension.h"
#include "storage/catalogue/lexical_terms.h"
#include "storage/catalogue/stop_words.h"

namespace mneme::storage {
namespace {

// A pasted page is not a question: what follows these many different terms is not looked for.
constexpr size_t kMaxTerms = 64;
constexpr size_t kMaxQueryBytes = 16384;
constexpr size_t kMaxPhrases = 8;

struct Piece {
  std::string term;
  size_t begin;
  size_t end;
  bool colocated;
  bool gram;    // of an unspaced script
  int n_chars;  // of the term
};

std::vector<Piece> pieces_of(std::string_view text) {
  std::vector<Piece> pieces;
  for_each_term(text, TermPurpose::kQuery, [&](const LexicalTerm& term) {
    size_t offset = 0;
    const bool gram = char_info(utf8::next(term.term, offset)).kind == CharClass::kGram;
    int n_chars = 0;
    for (size_t at = 0; at < term.term.size();) {
      if (char_info(utf8::next(term.term, at)).kind != CharClass::kMark) ++n_chars;
    }
    pieces.push_back({std::string(term.term), term.byte_begin, term.byte_end, term.colocated, gram, n_chars});
    return pieces.size() < 4 * kMaxTerms;
  });
  return pieces;
}

// The character that closes a run of pairs says nothing new, unless it is the whole run.
bool closes_run(const std::vector<Piece>& pieces, size_t i) {
  return i > 0 && pieces[i].gram && pieces[i].n_chars == 1 && pieces[i - 1].gram && pieces[i - 1].end == pieces[i].end;
}

void add_term(LexicalQuery& query, const Piece& piece) {
  const auto same = [&](const QueryTerm& term) { return term.term == piece.term; };
  const auto known = std::find_if(query.terms.begin(), query.terms.end(), same);
  if (known != query.terms.end()) {
    known->weight += 1;
    return;
  }
  if (query.terms.size() >= kMaxTerms) return;
  query.terms.push_back({piece.term, 1.0, piece.gram && piece.n_chars == 1, false});
}

void add_words(LexicalQuery& query, std::string_view text) {
  const std::vector<Piece> pieces = pieces_of(text);
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (!closes_run(pieces, i)) add_term(query, pieces[i]);
  }
}

void add_phrase(LexicalQuery& query, std::string_view text) {
  const std::vector<Piece> pieces = pieces_of(text);
  std::vector<std::string> terms;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].colocated) continue;
    // At the end of the phrase the text may go on, so the closing character may not stand alone there.
    if (i + 1 == pieces.size() && closes_run(pieces, i)) continue;
    terms.push_back(pieces[i].term);
  }
  // A single term is no phrase, and a single character could only match the end of a run.
  if (terms.size() > 1 && query.phrases.size() < kMaxPhrases) {
    query.phrases.push_back(std::move(terms));
  } else {
    add_words(query, text);
  }
}

void mark_stop_terms(LexicalQuery& query) {
  std::vector<std::string> terms;
  for (const QueryTerm& term : query.terms) terms.push_back(term.term);
  const StopTerms stops(terms);
  for (QueryTerm& term : query.terms) term.stop = stops.contains(term.term);
}

// The next quotation mark at or after `from`; its length in `length`.
size_t find_quote(std::string_view text, size_t from, size_t& length) {
  size_t best = std::string_view::npos;
  for (const std::string_view mark :
       {std::string_view("\""), std::string_view("\u201c"), std::string_view("\u201d"), std::string_view("\u201e")}) {
    const size_t at = text.find(mark, from);
    if (at < best) {
      best = at;
      length = mark.size();
    }
  }
  return best;
}

}  // namespace

LexicalQuery parse_lexical_query(std::string_view text) {
  text = text.substr(0, utf8::floor_boundary(text, std::min(text.size(), kMaxQueryBytes)));
  LexicalQuery query;
  size_t at = 0;
  while (at < text.size()) {
    size_t open_length = 0;
    size_t close_length = 0;
    const size_t open = find_quote(text, at, open_length);
    const size_t close = open == std::string_view::npos ? open : find_quote(text, open + open_length, close_length);
    if (close == std::string_view::npos) {
      add_words(query, text.substr(at));
      break;
    }
    add_words(query, text.substr(at, open - at));
    add_phrase(query, text.substr(open + open_length, close - open - open_length));
    at = close + close_length;
  }
  mark_stop_terms(query);
  return query;
}

std::string fts_string(const std::vector<std::string>& terms) {
  std::string text = "\"";
  for (const std::string& term : terms) {
    text += kRawTermSign;
    for (const char c : term) {
      if (c == '"') text += '"';
      text += c;
    }
  }
  return text + "\"";
}

}  // namespace mneme::storage
