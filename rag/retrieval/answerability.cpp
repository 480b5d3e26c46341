#include "rag/retrieval/answerability.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "rag/chunking/text_units.h"
#include "rag/embedding/embedder.h"
#include "rag/retrieval/retriever.h"
#include "rag/text/asked/question_kind.h"
#include "rag/text/told/definitions.h"
#include "rag/text/words/identifiers.h"
#include "rag/text/words/symbols.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr double kDefines = 0.6;    // an answer's cue, of a definition
constexpr double kHeads = 0.5;      // share of the question's weight in title or headings
constexpr double kShort = 2.0;      // words that no document has: a question that says less
constexpr size_t kOftenEnough = 3;  // what occurs so often in a passage is its matter

std::string named_text(const Hit& hit) {
  return called_by_path(hit.document, hit.names) + "\n" + hit.title + "\n" + hit.heading_path;
}

std::string whole_text(const Hit& hit) {
  return named_text(hit) + "\n" + hit.text;
}

AskedWords::Held years_among(const AskedWords& words, std::span<const std::string> terms) {
  AskedWords::Held years = 0;
  for (const std::string& term : terms) {
    const bool is_year = term.size() == 4 && (term.starts_with("19") || term.starts_with("20")) &&
                         std::all_of(term.begin(), term.end(), is_digit);
    if (is_year) years |= words.of_term(term);
  }
  return years;
}

// Signs that stand alone, and names that only programs give: "--watch", "idle_timeout".
std::vector<std::string> signs_asked(std::string_view question) {
  std::vector<std::string> signs = lone_symbols(question);
  for (std::string& name : names_with_signs(question)) {
    if (name.starts_with('-') || name.find('_') != std::string::npos) signs.push_back(std::move(name));
  }
  return signs;
}

// What a manual says of an option is said in one place: "-b RATE  Do not send more than RATE kilobytes a second. By
// default there is no limit."
bool goes_on_briefly(std::string_view text, size_t end) {
  constexpr size_t kLongestEntry = 300;
  const size_t first = text.find_first_not_of(" \n");
  if (first == std::string_view::npos) return false;
  const size_t paragraph = std::min(text.find("\n\n", first), text.size());
  const size_t below = text.find_first_not_of(" \n", std::min(text.find('\n', first), text.size()));  // "OPTIONS"
  const bool lists =
      begins_with_option(text.substr(first)) || (below < paragraph && begins_with_option(text.substr(below)));
  return lists && end < paragraph && paragraph <= kLongestEntry;
}

bool asks_definition(std::string_view question) {
  const std::vector<std::string> words = words_of(question);
  const bool asks_deed = !words.empty() && words.back() == "do";  // "What does the heartbeat do?"
  if (asks_particular(question) || asks_deed) return false;
  return kind_of_question(question) == QuestionKind::kDefinition && asked_spellings(question).empty();
}

}  // namespace

AnswerabilityJudge::AnswerabilityJudge(std::string_view question, QuestionTerms terms, std::span<const AskedName> names,
                                       const Embedder& embedder)
    : question_(question),
      weights_(std::move(terms)),
      embedder_(embedder),
      scorer_(
          question, [&](std::string_view term) { return weights_.idf(term); }, PassageScorer::Reads::kPlaces),
      names_(question, CalledNames::Which::kIdentifiers),
      thing_(words_of(asked_thing(question))),
      identifiers_(identifiers_in(question_)),
      signs_(signs_asked(question)),
      writing_(writing_of(question)),
      words_(question, weights_),
      total_(words_.total()),
      unseen_(std::max(1e-6, weights_.idf_of_unseen())),
      years_(years_among(words_, weights_.terms())) {
  if (asks_definition(question)) {
    definitions_.emplace(question, nullptr, [&](std::string_view term) { return weights_.idf(term); });
  }
  find_names(names);
}

// The rarest one is what the question is about: "What did Ahab say to Nemo?" asks the one book that knows Nemo.
void AnswerabilityJudge::find_names(std::span<const AskedName> names) {
  double most = 0.0;
  for (const AskedName& name : names) {
    ProperName proper{0, name.known};
    double rarest = 0.0;
    for (const std::string& term : name.terms) {
      const AskedWords::Held word = words_.of_term(term);
      proper.words |= word;
      rarest = std::max(rarest, words_.weight_of(word));
    }
    if (rarest <= most) continue;
    most = rarest;
    proper_ = proper;
  }
}

void AnswerabilityJudge::count_words(AskedWords::Held held, AnswerEvidence& evidence) const {
  evidence.decisive = (held & words_.rarest()) != 0 ? 1.0 : 0.0;
  if (total_ <= 0.0) return;
  const double weight = words_.weight_of(held);
  evidence.coverage = weight / total_;
  evidence.rare = words_.squared_weight_of(held) / words_.squared_weight_of(words_.all());
  evidence.held = weight / unseen_;
  evidence.missing = (total_ - weight) / unseen_;
  evidence.unknown = words_.unknown();
}

// What is asked must be said in one place: "the boiling point of gold" is not told of where something boils, a point is
// reached and a watch is of gold, each in its own sentence.
void AnswerabilityJudge::bind_words(const Hit& hit, AnswerEvidence& evidence) const {
  if (total_ <= 0.0) return;
  const std::string_view text = hit.text;
  const AskedWords::Held named = words_.in(named_text(hit));
  double most = 0.0;
  size_t begin = 0;
  for (const size_t end : chunking::sentence_ends(text)) {
    if (goes_on_briefly(text.substr(begin), end - begin)) continue;
    most = std::max(most, words_.weight_of(named | words_.in(text.substr(begin, end - begin))));
    begin = end;
  }
  evidence.bound = most / total_;
  evidence.lacking = std::max(0.0, kShort - total_ / unseen_) * (1.0 - evidence.bound);
}

std::vector<AnswerEvidence> AnswerabilityJudge::look(std::span<const Hit> hits) const {
  std::vector<AnswerEvidence> looked;
  for (const Hit& hit : hits.first(std::min(hits.size(), kJudged))) {
    const std::string text = whole_text(hit);
    AnswerEvidence& evidence = looked.emplace_back();
    count_words(words_.in(text), evidence);
    bind_words(hit, evidence);
    PassageEvidence places;
    scorer_.score(text, places);
    evidence.window = places.window;
    evidence.lead = places.lead;
  }
  return looked;
}

std::vector<AnswerEvidence> AnswerabilityJudge::look_at_all(std::span<const Hit> hits) const {
  std::vector<AnswerEvidence> looked = look(hits);
  const auto idf = [&](std::string_view term) { return weights_.idf(term); };
  const PassageScorer scorer(question_, idf);
  const SecondLook second_look(question_, nullptr, idf);
  const double floor = embedder_.similarity_floor();
  for (size_t i = 0; i < looked.size(); ++i) {
    const LookedAt passage{whole_text(hits[i]), named_text(hits[i]), called_by_path(hits[i].document, hits[i].names)};
    PassageEvidence seen;
    scorer.score(passage.text, seen);
    second_look.look(passage, seen);
    looked[i].near = seen.near;
    looked[i].pairs = seen.pairs;
    looked[i].answer = seen.answer;
    looked[i].dense = std::max(0.0, (hits[i].dense_similarity - floor) / (1.0 - floor));
  }
  return looked;
}

// What is written with signs has no other name: of "|>" tells only what shows it.
bool AnswerabilityJudge::shows_signs(std::span<const Hit> hits) const {
  return signs_.empty() || std::any_of(hits.begin(), hits.end(), [&](const Hit& hit) {
           const std::string text = whole_text(hit);
           return std::any_of(signs_.begin(), signs_.end(),
                              [&](const std::string& sign) { return has_spelling(text, sign); });
         });
}

bool AnswerabilityJudge::bears_names(std::span<const Hit> hits) const {
  return names_.empty() ||
         std::any_of(hits.begin(), hits.end(), [&](const Hit& hit) { return names_.share_in(whole_text(hit)) > 0.0; });
}

// Of what is asked about Berlin, a passage that names no such place says nothing, whatever else it holds. Of a name
// that the documents know part of it is enough ("Holmes"); words that no passage has together must all be there.
bool AnswerabilityJudge::speaks_of_name(const Hit& hit) const {
  if (!proper_.has_value()) return true;
  const AskedWords::Held held = words_.in(whole_text(hit))&proper_->words;
  return proper_->known ? held != 0 : held == proper_->words;
}

// What is asked about 2021 is not answered by what is told of 2023.
bool AnswerabilityJudge::speaks_of_years(const Hit& hit) const {
  return years_ == 0 || (words_.in(whole_text(hit))&years_) != 0;
}

bool AnswerabilityJudge::is_matter_of(const Hit& hit) const {
  PassageEvidence seen;
  definitions_->look({whole_text(hit), named_text(hit), {}, lowest_heading(hit.heading_path, hit.title)}, seen);
  if (seen.answer >= kDefines || has_entry(hit.text)) return true;
  if (words_.weight_of(words_.in(named_text(hit))) >= kHeads * total_) return true;
  return words_.all_often(hit.text, kOftenEnough);
}

bool AnswerabilityJudge::has_entry(std::string_view text) const {
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    if (is_entry_of(text.substr(begin, end - begin), thing_)) return true;
    begin = end + 1;
  }
  return false;
}

// Code defines its names without saying that it does.
bool AnswerabilityJudge::is_named_in_code(const Hit& hit) const {
  return hit.form == TextForm::kSource &&
         std::any_of(identifiers_.begin(), identifiers_.end(),
                     [&](std::string_view name) { return hit.text.find(name) != std::string::npos; });
}

bool AnswerabilityJudge::may_answer(std::span<const Hit> hits, std::span<const AnswerEvidence> evidence) const {
  if (hits.empty()) return false;
  if (total_ <= 0.0) return true;  // of nothing but grammar words: nothing in particular could be missing
  if (!bears_names(hits) || !shows_signs(hits)) return false;
  for (size_t i = 0; i < evidence.size(); ++i) {
    if (answer_odds(evidence[i], writing_) < 0.0 || !speaks_of_name(hits[i]) || !speaks_of_years(hits[i])) continue;
    if (!definitions_.has_value() || writing_ == Writing::kUnspaced || is_matter_of(hits[i])) return true;
    if (is_named_in_code(hits[i])) return true;
  }
  return false;
}

}  // namespace mneme::rag
