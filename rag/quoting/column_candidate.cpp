#include "rag/quoting/column_candidate.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "rag/quoting/part_candidate.h"
#include "rag/text/asked/predicate.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kLeastValues = 2;
constexpr size_t kMostValues = 24;
constexpr double kToldAbove = 0.75;  // of the question's weight: the table is of what is asked about
constexpr double kRounding = 1e-9;

// As many as there are: none is called so.
size_t asked_column(const std::vector<std::string>& names, const std::vector<std::string>& kind) {
  const auto at = std::find_if(names.begin(), names.end(),
                               [&](const std::string& name) { return !kind.empty() && stems_of(name) == kind; });
  return static_cast<size_t>(at - names.begin());
}

// Each value once, in order.
std::string values_of(const PassageOutline& outline, size_t begin, size_t end, size_t column) {
  std::string text;
  std::set<std::string> said;
  for (size_t i = begin; i < end; ++i) {
    const std::vector<std::string> cells = outline.cells_of(outline.parts()[i]);
    if (column >= cells.size() || cells[column].empty() || !said.insert(cells[column]).second) continue;
    if (!text.empty()) text += ", ";
    if (said.size() > kMostValues) return text + "...";
    text += cells[column];
  }
  return text;
}

}  // namespace

QuoteCandidate column_candidate(const AskedPassages& asked, size_t p, size_t head) {
  QuoteCandidate candidate;
  const PassageOutline& outline = asked.outline(p);
  const std::vector<OutlinePart>& parts = outline.parts();
  const std::vector<std::string>& kind = asked.question().members;
  const std::vector<std::string> names = outline.cells_of(parts[head]);
  const size_t column = asked_column(names, kind);
  size_t end = head + 1;
  while (end < parts.size() && parts[end].span.group == parts[head].span.group) ++end;
  if (column == names.size() || end - head <= kLeastValues) return candidate;
  const WantedWords& wanted = asked.wanted();
  SentenceEvidence& evidence = candidate.evidence;
  evidence.held = wanted.share_of(kind, candidate.found);
  std::set<std::string> known = candidate.found;
  if (head > 0) evidence.under = wanted.share_of(parts[head - 1].stems, known);
  look_around(asked, p, head, evidence, known);
  const double told = evidence.held + evidence.under + evidence.above;
  // "Which medicines does Walter take?": that he takes them, the table need not say.
  std::set<std::string> named = known;
  const double unsaid = wanted.share_of(stems_of(asked_predicate(asked.question().text)), named);
  double further = 0.0;
  for (size_t i = head; i < end; ++i) further += wanted.share_of(parts[i].stems, known);
  if (told < kToldAbove * (1.0 - unsaid) || further > kRounding) return candidate;
  const std::string values = values_of(outline, head + 1, end, column);
  if (values.empty()) return candidate;
  evidence.whole = 1.0;
  candidate.quote = {static_cast<int>(p), parts[head].span.byte_begin, parts[end - 1].span.byte_end, 0.0,
                     names[column] + ": " + values};
  evidence.n_words = static_cast<int>(words_of(candidate.quote.text).size());
  return candidate;
}

}  // namespace mneme::rag
