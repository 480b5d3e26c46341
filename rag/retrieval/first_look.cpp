#include "rag/retrieval/first_look.h"

#include <algorithm>
#include <future>

#include "base/background.h"
#include "rag/text/asked/question_kind.h"
#include "rag/text/words/script_runs.h"
#include "rag/text/words/symbols.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

// Characters of the runs that spelling is compared by: in Latin letters four tell more than three, elsewhere vowels or
// whole syllables go unwritten.
constexpr int kRunOfLatin = 4;
constexpr int kRun = 3;
constexpr size_t kTellsLanguage = 600;  // bytes of a passage that tell its language
// Below this many passages are read before a thread has begun.
constexpr size_t kWorthAThread = 32;

// Calls body(begin, end) with two halves of [0, n), the second one on a thread of its own where there are enough.
template <typename Body>
void in_halves(size_t n, const Body& body) {
  if (n < kWorthAThread) return body(0, n);
  std::future<void> second = in_background([&body, n] { body(n / 2, n); });
  body(0, second.valid() ? n / 2 : n);
  if (second.valid()) second.get();
}

}  // namespace

FirstLook::FirstLook(std::string_view question, const std::function<double(std::string_view)>& idf)
    : question_(question),
      asks_short_form_(!short_form_asked(question).empty()),
      unspaced_(written_without_spaces(question)),
      scorer_(question, idf),
      spelling_(question, writing_of(question) == Writing::kLatin ? kRunOfLatin : kRun),
      language_(storage::StopTerms::of(question)),
      in_latin_(writing_of(question) == Writing::kLatin),
      names_(question),
      identifiers_(question, CalledNames::Which::kIdentifiers),
      labels_(question),
      symbols_(asked_spellings(question)) {}

void FirstLook::look(std::span<const LookedAt> passages, std::span<PassageEvidence> evidence) const {
  std::vector<SpellingCounts> counts(passages.size());
  in_halves(passages.size(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      look_at_one(passages[i], evidence[i]);
      counts[i] = spelling_.count(passages[i].text);
    }
  });
  const std::vector<double> spelling = spelling_.scores(counts, true);
  for (size_t i = 0; i < passages.size(); ++i) evidence[i].spelling = spelling[i];
  if (unspaced_) look_at_runs(passages, evidence);
}

void FirstLook::look_at_one(const LookedAt& passage, PassageEvidence& evidence) const {
  scorer_.score(passage.text, evidence);
  // What can be nothing but a name says twice as much: "PEP 20", not "season 3".
  evidence.named = std::max(names_.share_in(passage.name), 2.0 * identifiers_.share_in(passage.name));
  evidence.path = scorer_.share_in(passage.path);
  evidence.code = passage.form == TextForm::kSource ? 1.0 : 0.0;
  if (in_latin_ && !language_.may_be_english()) {
    const auto lead = std::string_view(passage.text).substr(0, kTellsLanguage);
    evidence.language = language_.shares_language(storage::StopTerms::of(lead)) ? 1.0 : 0.0;
  }
  // A source file has but its name, "tests" or "index", and keys are no labels.
  const uint64_t title = passage.form == TextForm::kSource ? 0 : labels_.taken_by(passage.title);
  if (title != 0) {
    evidence.labelled = labels_.best_share(passage.text, title);
    // A program called by a short form is not what its letters stand for.
    if (!asks_short_form_) evidence.titled = scorer_.share_in(passage.title);
  }
  for (const std::string& symbol : symbols_) {
    const double share = 1.0 / static_cast<double>(symbols_.size());
    evidence.symbols += has_spelling(passage.text, symbol) ? share : 0.0;
  }
}

void FirstLook::look_at_runs(std::span<const LookedAt> passages, std::span<PassageEvidence> evidence) const {
  std::vector<std::string_view> texts;
  for (const LookedAt& passage : passages) texts.push_back(passage.text);
  const std::vector<double> shares = ScriptRuns(question_).shares(texts);
  for (size_t i = 0; i < passages.size(); ++i) evidence[i].runs = shares[i];
}

}  // namespace mneme::rag
