#include "rag/quoting/wanted_words.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "rag/text/asked/person.h"
#include "rag/text/asked/price.h"
#include "rag/text/asked/quality.h"
#include "rag/text/asked/quantity.h"
#include "rag/text/asked/unsaid_words.h"
#include "rag/text/languages/elision.h"
#include "rag/text/languages/language.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/languages/unspaced_words.h"
#include "rag/text/quantities/month_names.h"
#include "rag/text/quantities/numbers.h"
#include "rag/text/variants/compounds.h"
#include "rag/text/variants/ending_forms.h"
#include "rag/text/variants/joined_verbs.h"
#include "rag/text/variants/related_words.h"
#include "rag/text/variants/synonyms.h"
#include "rag/text/variants/trade_groups.h"
#include "rag/text/variants/word_forms.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr std::string_view kMeasure = "?";  // behind the stem of a measure's adjective, which is no word of the matter
constexpr size_t kMeasuredWithin = 3;       // words: "80 cm deep"

// "When do I have to pay?"
constexpr std::string_view kDue[] = {"due",      "payable",     "fallig",   "falligkeit", "zahlbar",
                                     "echeance", "vencimiento", "scadenza", "vencimento"};

double rarity(double n, int holders) {
  return std::log(1.0 + (n + 1.0) / (holders + 0.5));
}

// "80 cm deep": the adjective behind a number says the measure, elsewhere it is a word like others.
bool follows_number(const std::vector<std::string>& stems, size_t i) {
  const size_t first = i - std::min(i, kMeasuredWithin);
  return std::any_of(stems.begin() + static_cast<std::ptrdiff_t>(first), stems.begin() + static_cast<std::ptrdiff_t>(i),
                     [](const std::string& stem) { return is_number(stem); });
}

std::unordered_set<std::string> distinct(const std::vector<std::string>& stems) {
  return {stems.begin(), stems.end()};
}

std::optional<UnspacedWords> words_without_spaces(std::string_view text) {
  return written_without_spaces(text) ? std::optional<UnspacedWords>(text) : std::nullopt;
}

// "Reparaturkosten"
bool ends_as_price(std::string_view compound) {
  constexpr std::string_view kPrices[] = {"kosten", "preis", "gebuhr", "gebuhren", "betrag", "entgelt", "beitrag"};
  return std::any_of(std::begin(kPrices), std::end(kPrices),
                     [&](std::string_view price) { return compound.ends_with(price); });
}

// "After an accident": what a case begins with is a part of it, where the question has it, too.
bool opens_case(std::string_view stem) {
  constexpr std::string_view kOpening[] = {"after", "before", "during", "when", "if", "bei", "nach", "vor", "wenn"};
  return std::find(std::begin(kOpening), std::end(kOpening), stem) != std::end(kOpening);
}

}  // namespace

WantedWords::WantedWords(std::string_view question)
    : kind_(kind_of_question(question)),
      wants_person_(kind_ == QuestionKind::kPerson),
      wants_somebody_(asks_for_somebody(question)),
      language_(language_of(question)),
      compounds_(makes_compounds(language_)),
      inflects_(!facts_of(language_).forms.endings.empty()),
      asks_price_(asks_price(question)),
      asks_owed_(kind_ == QuestionKind::kDate && !wants_date(question)),
      measure_(asked_measure(question)),
      quality_(asked_quality(question)),
      joined_(joined_verbs(question)) {
  for (const std::string& word : words_of(question)) asked_.emplace(stem_of(word));
}

void WantedWords::add(const PassageOutline& outline) {
  ++n_passages_;
  for (const OutlinePart& part : outline.parts()) {
    for (const std::string& stem : distinct(part.stems)) ++sentences_with_[stem];
    ++n_sentences_;
  }
  for (const std::string& stem : distinct(outline.context_stems())) ++contexts_with_[stem];
}

void WantedWords::let_stand_for(std::string_view word, const std::vector<std::string_view>& others) {
  const std::string stem(stem_of(word));
  for (const std::string_view other : others) {
    std::string form(stem_of(other));
    if (!asked_.contains(form)) form_of_.emplace(std::move(form), stem);
  }
}

// Sentences' words that are forms of a question's word no sentence has: "weight" for "weigh".
int WantedWords::find_forms(const std::string& stem) {
  int sentences = 0;
  for (const auto& [other, count] : sentences_with_) {
    if (!is_form(stem, other) && !is_ending_form(language_, stem, other)) continue;
    form_of_.emplace(other, stem);
    sentences += count;
  }
  return sentences;
}

// "Moved" where some sentences have "move": the stemmer joins longer words alone. What ends otherwise may be of another
// kind ("a winning season"). "Passera" where some have "passe".
int WantedWords::find_inflections(const std::string& stem) {
  int sentences = 0;
  for (const auto& [other, count] : sentences_with_) {
    const bool inflected = other.ends_with("ed") && is_inflection(stem, other);
    const bool ends_otherwise = other != stem && is_ending_form(language_, stem, other);
    if ((!inflected && !ends_otherwise) || asked_.contains(other)) continue;
    form_of_.emplace(other, stem);
    sentences += count;
  }
  return sentences;
}

// Compounds of what is asked for, in German and its like: "Kaltmiete" is a "Miete". One that only begins with it is of
// something else, unless nothing is called so itself: a "Mitgliederversammlung" tells of no "Mitglieder".
// "Reparaturkosten" tell what the "Reparatur" costs.
int WantedWords::find_kinds(const std::string& stem, bool is_said) {
  int sentences = 0;
  for (const auto& [compound, count] : sentences_with_) {
    const bool of_price = asks_price_ && ends_as_price(compound) && is_compound_in(language_, compound, stem);
    const bool tells =
        is_kind_in(language_, compound, stem) || (!is_said && is_compound_in(language_, compound, stem)) || of_price;
    if (!tells || asked_.contains(compound)) continue;
    form_of_.emplace(compound, stem);
    sentences += count;
  }
  return sentences;
}

// Words whose compound is asked for: what holds both is told of by both.
int WantedWords::find_parts(const std::string& stem) {
  int sentences = 0;
  for (const auto& [first, count] : sentences_with_) {
    if (!may_begin_compound(stem, first)) continue;
    for (const auto& [second, other_count] : sentences_with_) {
      if (!is_compound_of(stem, first, second)) continue;
      form_of_.emplace(second, stem);  // the second says what it is
      sentences += other_count;
    }
  }
  return sentences;
}

// "Kündigung", which a question for the "Kündigungsfrist" is about: under it stands how long.
int WantedWords::find_thing_of_duration(const std::string& stem) {
  const std::string_view thing = thing_of_duration(stem);
  if (thing.empty()) return 0;
  int sentences = 0;
  for (const auto& [other, count] : sentences_with_) {
    if (other != thing && !is_form(thing, other)) continue;
    form_of_.emplace(other, stem);
    sentences += count;
  }
  return sentences;
}

// "Breakdown" of "when the car breaks down".
int WantedWords::find_joined(std::string_view word, const std::string& stem) {
  int sentences = 0;
  for (const JoinedVerb& joined : joined_) {
    std::string noun(stem_of(joined.noun));
    const auto at = joined.verb == word ? sentences_with_.find(noun) : sentences_with_.end();
    if (at == sentences_with_.end() || asked_.contains(noun)) continue;
    if (form_of_.emplace(std::move(noun), stem).second) sentences += at->second;
  }
  return sentences;
}

// "In February", of rows with dates in numbers.
int WantedWords::find_month(std::string_view word, const std::string& stem) {
  const int month = month_named(word);
  const auto at = month == 0 ? sentences_with_.end() : sentences_with_.find(month_mark(month));
  if (at == sentences_with_.end()) return 0;
  form_of_.emplace(at->first, stem);
  return at->second;
}

// "Woonoppervlakte" and "m2", where it is asked how large something is.
void WantedWords::add_areas(std::string_view word, std::vector<std::string_view>& relatives) const {
  static const PhrasesOfLanguages kLarge(&LanguageFacts::large, " ");
  static const PhrasesOfLanguages kAreas(&LanguageFacts::areas, " ");
  if (!kLarge.of(language_).holds(word)) return;
  const std::span<const std::string> areas = kAreas.of(language_).all();
  relatives.insert(relatives.end(), areas.begin(), areas.end());
}

// Irregular forms, what one who does it is called ("Author: " for "who wrote"), and synonyms. Only where the word
// itself is nowhere, where a person is asked for (who created it is told beside "Author", not beside "Created"), and in
// German and other languages that inflect much, of whose verbs no stemmer joins the forms ("Schnitt", "geschnitten").
// What is asked for by the word for its kind ("what colour") is told by words of that kind.
int WantedWords::find_relatives(std::string_view word, const std::string& stem) {
  int sentences = 0;
  std::vector<std::string_view> relatives = related_words(word);
  const std::vector<std::string_view> synonyms = synonyms_of(word);
  relatives.insert(relatives.end(), synonyms.begin(), synonyms.end());
  if (wants_somebody_) {
    const std::vector<std::string_view> trade = words_of_trade(word);
    relatives.insert(relatives.end(), trade.begin(), trade.end());
  }
  if (asks_owed_ && is_price_word(word, language_)) relatives.insert(relatives.end(), std::begin(kDue), std::end(kDue));
  const std::vector<std::string_view> lasting = words_of_lasting(kind_, word);
  relatives.insert(relatives.end(), lasting.begin(), lasting.end());
  const std::vector<std::string_view> times = words_of_times(kind_, word);
  relatives.insert(relatives.end(), times.begin(), times.end());
  if (word == measure_) add_areas(word, relatives);
  if (word == quality_) {
    const std::vector<std::string_view> named = words_of_quality(quality_);
    relatives.insert(relatives.end(), named.begin(), named.end());
  }
  for (const std::string_view relative : relatives) {
    std::string other(stem_of(relative));
    const auto at = sentences_with_.find(other);
    if (at == sentences_with_.end() || asked_.contains(other)) continue;
    sentences += at->second;
    form_of_.emplace(std::move(other), stem);
  }
  return sentences;
}

// Of a word that stands above some of the passages only: the folder that says which language an operator is of.
double WantedWords::rarity_above(const std::string& stem) const {
  const auto at = contexts_with_.find(stem);
  if (at == contexts_with_.end() || at->second == n_passages_) return 0.0;
  return rarity(n_passages_, at->second);
}

// Rarity is taken from the passages themselves: words of the topic are in all of them and decide little between them.
// In how many sentences a word is told of: by itself, by its forms, by what it is made of or joined to.
int WantedWords::n_telling(const Word& word, const std::string& stem, bool is_measure) {
  const auto said = sentences_with_.find(stem);
  int sentences = said != sentences_with_.end() ? said->second : is_measure ? 0 : find_forms(stem);
  if (sentences > 0 && said != sentences_with_.end()) sentences += find_inflections(stem);
  if (compounds_ && !is_measure) sentences += find_kinds(stem, sentences > 0);
  if (word.pair) return sentences;
  if (sentences == 0) sentences = find_parts(stem);
  if (sentences == 0) sentences = find_thing_of_duration(stem);
  return sentences + find_joined(word.text, stem) + find_month(word.text, stem);
}

// Whether it is looked for in other words, too, though it may be said as it is.
bool WantedWords::is_told_otherwise(std::string_view word) const {
  return wants_somebody_ || compounds_ || inflects_ || word == quality_ ||
         (asks_owed_ && is_price_word(word, language_)) || !words_of_times(kind_, word).empty();
}

void WantedWords::weigh(std::string_view text, double share, const std::function<bool(std::string_view)>& leaves_out) {
  const std::optional<UnspacedWords> unspaced = words_without_spaces(text);
  weigh_words(text, share, leaves_out, unspaced ? &*unspaced : nullptr);
  if (unspaced && weight_.empty()) weigh_words(text, share, leaves_out, nullptr);  // all that there is to go by
}

// unspaced: tells pairs of grammar, which are left out; null: none is.
void WantedWords::weigh_words(std::string_view text, double share,
                              const std::function<bool(std::string_view)>& leaves_out, const UnspacedWords* unspaced) {
  WordScanner scanner(text);
  Word word;
  while (scanner.next(word)) {
    std::string stem(stem_of(word.text));
    const bool grammar =
        unspaced && word.pair && unspaced->place_of(word.byte_begin, word.byte_end) == UnspacedWords::Place::kGrammar;
    if (grammar) {
      spaced_ = false;
      continue;
    }
    if (excludes(word.text)) share *= kExcluded;
    if (is_stop_word(word.text, language_) || leaves_out(word.text) || is_elided(text, word)) continue;
    spaced_ &= !word.pair;
    const bool is_measure = word.text == measure_;
    const bool is_said = sentences_with_.contains(stem);
    int sentences = n_telling(word, stem, is_measure);
    if (is_measure) stem += kMeasure;
    if (!is_said || is_measure || is_told_otherwise(word.text)) sentences += find_relatives(word.text, stem);
    if (sentences == 0 && need_not_be_said(kind_, word.text) && !contexts_with_.contains(stem)) continue;
    const double idf = share * (sentences > 0 ? rarity(n_sentences_, sentences) : rarity_above(stem));
    if (idf <= 0.0) {  // nowhere here, or above all: cannot tell one sentence from another
      // Pairs that occur nowhere mostly lie across the border of two words.
      if (sentences == 0 && !word.pair && !is_measure && !contexts_with_.contains(stem))
        nowhere_.insert(std::move(stem));
      continue;
    }
    if (weight_.emplace(std::move(stem), idf).second) total_ += idf;
  }
}

double WantedWords::share_of(const std::vector<std::string>& stems, std::set<std::string>& known) const {
  double weight = 0.0;
  for (size_t i = 0; i < stems.size(); ++i) {
    const auto form = form_of_.find(stems[i]);
    const bool measures = form == form_of_.end() && !measure_.empty() && stems[i] == stem_of(measure_);
    if (measures && !follows_number(stems, i)) continue;
    const std::string named = measures ? stems[i] + std::string(kMeasure) : stems[i];
    const auto at = weight_.find(form == form_of_.end() ? named : form->second);
    if (at != weight_.end() && known.insert(at->first).second) weight += at->second;
  }
  return total_ > 0.0 ? weight / total_ : 0.0;
}

double WantedWords::share_of_word(const std::string& stem) const {
  const auto at = weight_.find(stem);
  return at == weight_.end() ? 0.0 : at->second / total_;
}

double WantedWords::share_known() const {
  const auto tells = [](const auto& word) { return !word.first.ends_with(kMeasure); };
  const auto n_known = static_cast<double>(std::count_if(weight_.begin(), weight_.end(), tells));
  return n_known > 0.0 ? n_known / (n_known + static_cast<double>(nowhere_.size())) : 0.0;
}

double WantedWords::share_of_quality() const {
  const auto at = quality_.empty() ? weight_.end() : weight_.find(stem_of(quality_));
  return at == weight_.end() ? 0.0 : at->second / total_;
}

bool WantedWords::wants_only_quality() const {
  return weight_.size() == 1 && nowhere_.empty() && share_of_quality() > 0.0;
}

bool WantedWords::all_asked(const std::vector<std::string>& stems) const {
  const auto wanted = [&](const std::string& stem) { return weight_.contains(stem); };
  if (stems.empty() || !wanted(stems.back())) return false;
  if (!wanted(stems.front()) && !(opens_case(stems.front()) && asked_.contains(stems.front()))) return false;
  return std::all_of(stems.begin(), stems.end(), [&](const std::string& stem) {
    return wanted(stem) || is_stop_word(stem, language_);  // "law of demand"
  });
}

bool WantedWords::all_among(const std::unordered_set<std::string>& stems) const {
  return std::all_of(weight_.begin(), weight_.end(), [&](const auto& word) { return stems.contains(word.first); }) &&
         std::all_of(nowhere_.begin(), nowhere_.end(), [&](const std::string& stem) { return stems.contains(stem); });
}

bool WantedWords::knows_only(const std::unordered_set<std::string>& stems) const {
  return !nowhere_.empty() &&
         std::all_of(weight_.begin(), weight_.end(), [&](const auto& word) { return stems.contains(word.first); });
}

bool WantedWords::are_nowhere(const std::vector<std::string>& words) const {
  return std::all_of(words.begin(), words.end(),
                     [&](const std::string& word) { return nowhere_.contains(stem_of(word)); });
}

bool WantedWords::knows_all_but(const std::unordered_set<std::string>& stems) const {
  return !weight_.empty() &&
         std::all_of(nowhere_.begin(), nowhere_.end(), [&](const std::string& stem) { return stems.contains(stem); });
}

size_t WantedWords::n_beside(const std::vector<std::string>& stems) const {
  return static_cast<size_t>(std::count_if(weight_.begin(), weight_.end(), [&](const auto& wanted) {
    return std::find(stems.begin(), stems.end(), wanted.first) == stems.end();
  }));
}

}  // namespace mneme::rag
