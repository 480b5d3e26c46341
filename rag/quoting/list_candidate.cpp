#include "rag/quoting/list_candidate.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "rag/quoting/outline/sentence_shapes.h"
#include "rag/quoting/part_candidate.h"
#include "rag/quoting/quote_completion.h"
#include "rag/text/asked/action.h"
#include "rag/text/asked/predicate.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kLongestList = 1800;  // bytes of a list that is quoted whole
constexpr double kLeastRest = 0.2;
constexpr double kListHeadingShare = 0.3;  // of the question's weight that a list's heading must name
constexpr double kUnnamedSteps = 0.5;      // of a list under the asked heading that nothing calls steps

// "Next steps: [Configuration](..): how its file works": where to read on, which is not what to do.
bool points_elsewhere(const PassageOutline& outline, const OutlineList& list) {
  const auto is_link = [](const OutlinePart& part) {
    const size_t text = part.raw.find_first_not_of("-*+ \t");
    return text != std::string_view::npos && part.raw[text] == '[' && part.raw.find("](") != std::string_view::npos;
  };
  for (size_t i = list.begin; i < list.end; ++i) {
    const OutlinePart& part = outline.parts()[i];
    const bool begins_item = i == list.begin || outline.parts()[i - 1].span.item != part.span.item;
    if (begins_item && !is_link(part)) return false;
  }
  return true;
}

// "What to bring", where it is asked what the children should bring.
bool heads_what_is_done(const QuoteQuestion& question, std::string_view heading) {
  if (question.kind != QuestionKind::kOther) return false;
  const std::string predicate = asked_predicate(question.text);
  bool says = false;
  for (const std::string& word : words_of(heading)) {
    if (is_stop_word(word, question.language)) continue;
    if (stem_of(word) != stem_of(predicate)) return false;
    says = true;
  }
  return says;
}

// How something is made is told in other verbs: of "How do I make pancakes?" the pancakes count.
double share_of_making(const AskedPassages& asked) {
  const QuoteQuestion& question = asked.question();
  return makes_something(asked_action(question.text)) ? asked.wanted().share_of_word(question.action) : 0.0;
}

// How far a list is of the kind the question asks for: steps for "how", if they are steps of what is asked about, else
// what its heading names.
double list_fits(const AskedPassages& asked, const PassageOutline& outline, const OutlineList& list,
                 double heading_share, double above_share) {
  const OutlinePart& first = outline.parts()[list.begin];
  if (asked.question().kind == QuestionKind::kManner) {
    if (points_elsewhere(outline, list)) return 0.0;
    const bool steps = list.ordered || heads_steps(outline.heading_text(first));
    const double rest = std::max(kLeastRest, 1.0 - share_of_making(asked));
    if (steps) return std::max(heading_share, above_share / rest) >= kListHeadingShare ? 1.0 : 0.0;
    return heading_share >= kListHeadingShare ? kUnnamedSteps : 0.0;
  }
  // "Welche Programme hat der Trockner?": the list called so, of what the passage is about.
  const std::vector<std::string>& members = asked.question().members;
  if (!members.empty() && stems_of(outline.heading_text(first)) == members) {
    return heading_share + above_share >= kListHeadingShare ? 1.0 : 0.0;
  }
  if (heads_what_is_done(asked.question(), outline.heading_text(first)))
    return heading_share + above_share >= kListHeadingShare ? 1.0 : 0.0;
  if (asked.question().kind == QuestionKind::kList) {
    // A list called by the asked word belongs to what the passage is about.
    const bool named = heads_asked_list(asked.question().text, outline.heading_text(first));
    return (named ? std::max(heading_share, above_share) : heading_share) >= kListHeadingShare ? 1.0 : 0.0;
  }
  return 0.0;
}

}  // namespace

QuoteCandidate list_candidate(const AskedPassages& asked, size_t p, const OutlineList& list) {
  const PassageOutline& outline = asked.outline(p);
  const WantedWords& wanted = asked.wanted();
  const std::vector<OutlinePart>& parts = outline.parts();
  QuoteCandidate candidate;
  SentenceEvidence& evidence = candidate.evidence;
  const std::string heading = outline.heading_text(parts[list.begin]);
  std::set<std::string> named;
  // What the whole passage is about need not be in the list's heading.
  const double context_share = wanted.share_of(outline.context_stems(), named);
  const double heading_share = wanted.share_of(stems_of(heading), named) / std::max(kLeastRest, 1.0 - context_share);
  const double lead_share = list.begin > 0 ? wanted.share_of(parts[list.begin - 1].stems, named) : 0.0;
  // "How do I make guacamole?" of a recipe whose title alone names it: nothing is left to tell its sentences apart by.
  const bool titled_alone = wanted.empty();
  evidence.whole = list_fits(asked, outline, list, heading_share, titled_alone ? 1.0 : context_share + lead_share);
  if (evidence.whole <= 0.0) return candidate;
  std::string text = outline.text_of(list, kLongestList);
  if (!heading.empty()) text.insert(0, heading + ":\n");
  candidate.quote = {static_cast<int>(p), parts[list.begin].span.byte_begin, parts[list.end - 1].span.byte_end, 0.0,
                     std::move(text)};
  for (size_t i = list.begin; i < list.end; ++i) evidence.held += wanted.share_of(parts[i].stems, candidate.found);
  std::set<std::string> known = candidate.found;
  evidence.under = wanted.share_of(stems_of(heading), known);
  evidence.of_heading = evidence.under > 0.0;
  evidence.titled = asked.titled(p);
  evidence.heading_asked = wanted.all_asked(stems_of(heading));
  look_around(asked, p, list.begin, evidence, known);
  if (titled_alone) evidence.above = 1.0;
  evidence.cue = cue_weight(asked.question().kind, wanted.spaced());
  evidence.n_words = static_cast<int>(words_of(candidate.quote.text).size());
  return candidate;
}

bool tells_what_to_do(const AskedPassages& asked, const PassageOutline& outline, const OutlineList& section) {
  const std::vector<OutlinePart>& parts = outline.parts();
  const size_t bytes = parts[section.end - 1].span.byte_end - parts[section.begin].span.byte_begin;
  const OutlinePart& heading = parts[static_cast<size_t>(parts[section.begin].heading)];
  return asked.question().kind == QuestionKind::kManner && bytes <= kLongestTail &&
         asked.wanted().all_asked(heading.stems) && asked.wanted().n_beside(heading.stems) == 0;
}

}  // namespace mneme::rag
