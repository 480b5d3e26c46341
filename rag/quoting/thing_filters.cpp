#include "rag/quoting/thing_filters.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/ascii.h"
#include "rag/text/asked/author.h"
#include "rag/text/asked/code.h"
#include "rag/text/asked/default.h"
#include "rag/text/asked/labels.h"
#include "rag/text/asked/limit.h"
#include "rag/text/asked/predicate.h"
#include "rag/text/asked/quantity.h"
#include "rag/text/asked/subject.h"
#include "rag/text/languages/language.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/quantities/physical_units.h"
#include "rag/text/variants/word_forms.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr double kAllSaid = 0.99;  // of the question's words
// Of the question's words: of more, another word may be told for what is asked; of what says less of what is to be
// done, its place is not enough.
constexpr double kHardlyKnown = 0.5;

bool bears_name(const AskedPassages& asked, const QuoteCandidate& candidate) {
  const CalledNames& names = asked.question().names;
  if (names.share_in(candidate.quote.text) > 0.0) return true;
  const std::vector<OutlinePart>& parts = asked.outline_of(candidate.quote).parts();
  for (size_t i = 0; i < parts.size(); ++i) {
    const OutlinePart& part = parts[i];
    if (part.span.byte_begin < candidate.quote.byte_begin || part.span.byte_end > candidate.quote.byte_end) continue;
    if (names.share_in(part.raw) > 0.0 || (i > 0 && names.share_in(parts[i - 1].raw) > 0.0)) return true;
    if (part.heading >= 0 && names.share_in(parts[static_cast<size_t>(part.heading)].raw) > 0.0) return true;
  }
  return false;
}

// Whether sentences show that they hold such a thing. A person may be told by a word for what they do, instructions, an
// attribute, or what a thing is, in words that nothing marks.
bool is_marked(QuestionKind kind) {
  switch (kind) {
    case QuestionKind::kDate:
    case QuestionKind::kNumber:
    case QuestionKind::kDuration:
    case QuestionKind::kFrequency:
    case QuestionKind::kPlace:
    case QuestionKind::kReason: return true;
    default: return false;
  }
}

// What is told of a thing by one of its names: neither a person nor a place, of which texts tell in many words.
bool is_value(QuestionKind kind) {
  return kind == QuestionKind::kAttribute || kind == QuestionKind::kDefinition || kind == QuestionKind::kNumber ||
         kind == QuestionKind::kDuration;
}

// "The IBAN of Greta", and nothing else that the question tells of it.
bool asks_part_of_whole(const QuoteQuestion& question) {
  const size_t n_whole = asked_whole(question.text).size();
  const std::vector<std::string> words = words_of(question.text);
  const auto n_words = std::count_if(words.begin(), words.end(),
                                     [&](const std::string& w) { return !is_stop_word(w, question.language); });
  return n_whole > 0 && static_cast<size_t>(n_words) <= question.subject.size() + n_whole;
}

// A part of what is quoted, or the heading it stands under, for which `holds`. Parts that are quoted are looked at one
// by one.
template <typename Holds>
bool any_part(const AskedPassages& asked, const QuoteCandidate& candidate, const Holds& holds) {
  if (holds(candidate.quote.text)) return true;
  const std::vector<OutlinePart>& parts = asked.outline_of(candidate.quote).parts();
  return std::any_of(parts.begin(), parts.end(), [&](const OutlinePart& part) {
    if (part.span.byte_begin < candidate.quote.byte_begin || part.span.byte_end > candidate.quote.byte_end)
      return false;
    return part.heading >= 0 && holds(parts[static_cast<size_t>(part.heading)].raw);
  });
}

enum class Around { kAboveAndBefore, kAbove };

// Stems of what a quotation says and stands under: title, headings, names of columns, and, for kAboveAndBefore, the
// passage's beginning and the sentence before it.
std::vector<std::string> stems_about(const AskedPassages& asked, const QuoteCandidate& candidate,
                                     Around around = Around::kAboveAndBefore) {
  const PassageOutline& outline = asked.outline_of(candidate.quote);
  const std::vector<OutlinePart>& parts = outline.parts();
  std::vector<std::string> about;
  const auto take = [&](const std::vector<std::string>& stems) {
    about.insert(about.end(), stems.begin(), stems.end());
  };
  take(outline.context_stems());
  take(outline.name_stems());
  if (around == Around::kAboveAndBefore) take(parts.front().stems);
  for (size_t i = 0; i < parts.size(); ++i) {
    const OutlinePart& part = parts[i];
    if (part.span.byte_begin < candidate.quote.byte_begin || part.span.byte_end > candidate.quote.byte_end) continue;
    take(part.stems);
    take(stems_of(outline.head_of(part)));
    if (i > 0 && around == Around::kAboveAndBefore) take(parts[i - 1].stems);
    if (part.heading >= 0) take(parts[static_cast<size_t>(part.heading)].stems);
  }
  return about;
}

// Whether a passage has a name only behind labels that say what somebody did or is, not whom all of it is about.
bool is_named_in_passing(const PassageOutline& outline, const std::string& name) {
  constexpr std::string_view kWhose[] = {"name",     "patient", "patientin", "customer", "client",
                                         "kunde",    "kundin",  "owner",     "tenant",   "mieter",
                                         "mieterin", "member",  "for",       "fur",      "mitglied"};
  const auto holds = [&](const std::vector<std::string>& stems) {
    return std::find(stems.begin(), stems.end(), name) != stems.end();
  };
  if (holds(outline.context_stems()) || holds(outline.name_stems())) return false;
  bool in_passing = false;
  for (const OutlinePart& part : outline.parts()) {
    if (!holds(part.stems)) continue;
    const std::vector<std::string> label = words_of(label_of(part.raw));
    const bool whose =
        std::any_of(label.begin(), label.end(), [&](const std::string& word) { return one_of(word, kWhose); });
    if (label.empty() || whose) return false;
    in_passing = true;
  }
  return in_passing;
}

// "Senate" tells of senators.
bool begin_alike(const std::string& a, const std::string& b) {
  constexpr size_t kAlike = 5;
  return a.size() >= kAlike && b.size() >= kAlike && a.compare(0, kAlike, b, 0, kAlike) == 0;
}

// What a value is asked of: of "the default page size" the page and the size, of "the maximum size" nothing, which
// only says what of it.
std::vector<std::string> things_with_value(const QuoteQuestion& question) {
  std::vector<std::string> things;
  for (const std::string& word : question.subject) {
    if (is_default_word(word) || is_limit_word(word) || is_physical_name(word)) continue;
    things.emplace_back(stem_of(word));
  }
  return things;
}

// Stems of what a number tells unsaid: "pages of 50" have a size.
std::unordered_set<std::string> measures_in(std::string_view question) {
  std::unordered_set<std::string> measures;
  for (const std::string& word : words_of(question)) {
    if (is_physical_name(word)) measures.emplace(stem_of(word));
  }
  return measures;
}

bool is_latin(std::string_view text) {
  return std::any_of(text.begin(), text.end(), is_letter);
}

// The place that a question of how to do something ends with: "bash" of "How do I report a bug in bash?".
std::string asked_within(const QuoteQuestion& question) {
  constexpr std::string_view kIn[] = {"in", "auf", "with"};
  const std::vector<std::string> words = words_of(question.text);
  if (question.kind != QuestionKind::kManner || words.size() < 4 || !one_of(words[words.size() - 2], kIn)) return {};
  return std::string(stem_of(words.back()));
}

}  // namespace

void keep_with_symbols(const QuoteQuestion& question, QuoteCandidates& candidates) {
  const auto shows = [](const QuoteCandidate& c) { return c.evidence.symbols > 0.0; };
  // "# rc" tells of no `Rc<T>` as long as something else does.
  const bool any_shows = std::any_of(candidates.begin(), candidates.end(), shows);
  const auto has = [&](const QuoteCandidate& c) { return shows(c) || (!any_shows && c.evidence.leads); };
  if (question.kind == QuestionKind::kDifference) return;  // of two things, each may be told of by itself
  if (!question.symbols.empty() && std::any_of(candidates.begin(), candidates.end(), has)) {
    std::erase_if(candidates, std::not_fn(has));
  }
}

void keep_with_names(const AskedPassages& asked, QuoteCandidates& candidates) {
  if (asked.question().names.empty()) return;
  std::erase_if(candidates, [&](const QuoteCandidate& c) {
    return asked.any_own() ? !asked.is_own(static_cast<size_t>(c.quote.passage)) : !bears_name(asked, c);
  });
}

void keep_with_code(const AskedPassages& asked, QuoteCandidates& candidates) {
  const std::string& code = asked.question().code;
  if (code.empty()) return;
  std::erase_if(candidates, [&](const QuoteCandidate& c) {
    return !any_part(asked, c, [&](std::string_view text) { return tells_code(text, code); });
  });
}

void keep_with_author(const AskedPassages& asked, QuoteCandidates& candidates) {
  const Authorship authorship = asked_authorship(asked.question().text);
  if (authorship == Authorship::kNone) return;
  const auto tells = [&](std::string_view text) { return tells_authorship(text, authorship); };
  // "Minutes: Jane Hale", of who wrote the minutes.
  const auto is_labelled = [&](std::string_view text) {
    const std::vector<std::string> label = stems_of(label_of(text));
    return !label.empty() && std::all_of(label.begin(), label.end(), [&](const std::string& stem) {
      return asked.wanted().asked().contains(stem);
    });
  };
  std::erase_if(candidates, [&](const QuoteCandidate& c) {
    const std::vector<OutlinePart>& parts = asked.outline_of(c.quote).parts();
    const auto first = std::find_if(parts.begin(), parts.end(), [&](const OutlinePart& part) {
      return part.span.byte_begin >= c.quote.byte_begin;
    });
    const bool before = first != parts.begin() && first != parts.end() && tells((first - 1)->raw);
    return !before && !is_labelled(c.quote.text) && !any_part(asked, c, tells);
  });
}

void keep_with_default(const AskedPassages& asked, QuoteCandidates& candidates) {
  if (!asked.question().fallback) return;
  const bool all_known = asked.wanted().knows_all_but(measures_in(asked.question().text));
  const auto says_all = [&](const QuoteCandidate& c) {
    return all_known && c.evidence.held + c.evidence.above >= kAllSaid &&
           asked.question().is_told_new_number(c.quote.text);
  };
  std::erase_if(candidates,
                [&](const QuoteCandidate& c) { return !any_part(asked, c, states_default) && !says_all(c); });
}

void drop_untold(const AskedPassages& asked, QuoteCandidates& candidates) {
  const QuoteQuestion& question = asked.question();
  // "When do I collect the van?", and then "What about the deposit?": what was taken over need not be told of it, too.
  // Nor is "Can I hang a shelf?" answered by a shelf that no rule is of.
  const bool marked = is_marked(question.kind) || question.permission != Permission::kNone;
  if (asked.wanted().knows_all_but(question.topic_stems) || !marked) return;
  std::erase_if(candidates, [](const QuoteCandidate& c) {
    const SentenceEvidence& e = c.evidence;
    const bool says_so = e.leads || e.labelled >= kLeastLabelled || e.symbols > 0.0 || e.whole > 0.0;
    return e.cue <= 0.0 && !says_so;
  });
}

// "When did I sow carrots?", of which only the sowing is told.
void drop_of_other_things(const AskedPassages& asked, QuoteCandidates& candidates) {
  if (!is_marked(asked.question().kind)) return;
  const std::string predicate = asked_predicate(asked.question().text);
  if (!predicate.empty() && !is_participle(predicate) && asked.wanted().knows_only({stem_of(predicate)}))
    candidates.clear();
}

void drop_of_others(const AskedPassages& asked, QuoteCandidates& candidates) {
  const std::vector<std::string> owner = asked_owner(asked.question().text);
  if (owner.empty()) return;
  const std::string name(stem_of(owner.back()));
  std::erase_if(candidates, [&](const QuoteCandidate& c) {
    const PassageOutline& outline = asked.outline_of(c.quote);
    const std::vector<std::string> said =
        stems_of(outline.text().substr(c.quote.byte_begin, c.quote.byte_end - c.quote.byte_begin));
    const bool itself = std::find(said.begin(), said.end(), name) != said.end();
    return c.evidence.is_row && !itself && is_named_in_passing(outline, name);
  });
}

void keep_with_subject(const AskedPassages& asked, QuoteCandidates& candidates) {
  const QuoteQuestion& question = asked.question();
  const bool owned = question.kind == QuestionKind::kAttribute && !asked_owner(question.text).empty();
  const bool number = question.kind == QuestionKind::kNumber || question.kind == QuestionKind::kDuration;
  if (!question.fallback && !number && !owned) return;
  const WantedWords& wanted = asked.wanted();
  const std::vector<std::string> things = things_with_value(question);
  const auto is_known = [&](const std::string& thing) { return wanted.wants(thing); };
  const bool elsewhere = is_romance(language_of(question.text)) || !is_latin(question.text);
  if (things.empty() || (!question.fallback && std::none_of(things.begin(), things.end(), is_known))) return;
  std::erase_if(candidates, [&](const QuoteCandidate& c) {
    if (c.evidence.leads || c.evidence.labelled >= kLeastLabelled || c.evidence.symbols > 0.0) return false;
    if (c.evidence.is_sum_beside) return false;  // "A return ticket costs 24 crowns. Cars need a place on the ferry."
    const std::vector<std::string> about = stems_about(asked, c);
    std::set<std::string> told;
    wanted.share_of(about, told);
    const auto is_told = [&](const std::string& thing) {
      return told.contains(thing) ||
             std::any_of(about.begin(), about.end(), [&](const std::string& stem) { return begin_alike(thing, stem); });
    };
    // "Plaza de garaje": one thing, of which another plaza tells nothing.
    return elsewhere ? !std::all_of(things.begin(), things.end(), is_told)
                     : std::none_of(things.begin(), things.end(), is_told);
  });
}

void drop_of_other_places(const AskedPassages& asked, QuoteCandidates& candidates) {
  const std::string place = asked_within(asked.question());
  if (place.empty() || !asked.wanted().wants(place)) return;
  std::erase_if(candidates, [&](const QuoteCandidate& c) {
    const std::vector<std::string> about = stems_about(asked, c, Around::kAbove);
    std::set<std::string> told;
    asked.wanted().share_of(about, told);
    return !told.contains(place) || c.evidence.held + c.evidence.above + c.evidence.under < kHardlyKnown;
  });
}

void drop_of_other_wholes(const AskedPassages& asked, QuoteCandidates& candidates) {
  const std::vector<std::string> words = asked_whole(asked.question().text);
  std::vector<std::string> whole;
  for (const std::string& word : words) {
    if (asked.wanted().wants(stem_of(word))) whole.emplace_back(stem_of(word));
  }
  // Of "plum cake" plums are told of, but no cake.
  const bool nothing_else = is_value(asked.question().kind) && asks_part_of_whole(asked.question());
  if (nothing_else && words.size() > 1 && !whole.empty() && asked.wanted().are_nowhere({words.back()}))
    candidates.clear();
  if (whole.empty()) return;
  std::erase_if(candidates, [&](const QuoteCandidate& c) {
    if (c.evidence.leads || c.evidence.labelled >= kLeastLabelled || c.evidence.symbols > 0.0) return false;
    std::vector<std::string> about = stems_about(asked, c);
    for (const OutlinePart& part : asked.outline_of(c.quote).parts())
      about.insert(about.end(), part.stems.begin(), part.stems.end());
    std::set<std::string> told;
    asked.wanted().share_of(about, told);
    return std::none_of(whole.begin(), whole.end(), [&](const std::string& stem) { return told.contains(stem); });
  });
}

void drop_without_subject(const AskedPassages& asked, QuoteCandidates& candidates) {
  const QuoteQuestion& question = asked.question();
  const std::vector<std::string>& subject = question.subject;
  if (subject.empty() || !asked.wanted().are_nowhere(subject)) return;
  const bool untold = asks_how_many(question.text) || asked.only_others_tell(subject);
  const bool of_whole = is_value(question.kind) && asks_part_of_whole(question);
  if (!untold && !of_whole && asked.wanted().share_known() > kHardlyKnown) return;
  std::erase_if(candidates, [&](const QuoteCandidate& c) {
    const bool leads = c.evidence.leads && !of_whole;  // what stands first under the whole's name tells of no such part
    return !leads && c.evidence.labelled < kLeastLabelled && c.evidence.symbols <= 0.0;
  });
}

}  // namespace mneme::rag
