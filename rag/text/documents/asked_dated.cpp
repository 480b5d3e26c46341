#include "rag/text/documents/asked_dated.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "rag/text/documents/document_kinds.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/quantities/numbers.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/placed_words.h"

namespace mneme::rag {

namespace {

using std::chrono::sys_days;
using Words = std::span<const PlacedWord>;

// Before what is asked for, nothing of it is said.
constexpr std::string_view kLead[] = {
    "what",   "which",   "s",       "is",     "are",   "was",   "were",  "show",  "me",    "find",  "open",
    "get",    "give",    "list",    "please", "can",   "could", "you",   "the",   "my",    "our",   "all",
    "where",  "tell",    "there",   "and",    "only",  "zeig",  "zeige", "mir",   "finde", "offne", "bitte",
    "welche", "welcher", "welches", "ist",    "sind",  "wo",    "der",   "die",   "das",   "den",   "mein",
    "meine",  "meinen",  "unsere",  "unser",  "liste", "nenne", "alle",  "einen", "a",     "an"};
constexpr std::string_view kNewest[] = {"newest",      "latest",      "neueste",    "neuesten", "neuester",
                                        "neuestes",    "neuste",      "neusten",    "neuster",  "neustes",
                                        "jungste",     "jungsten",    "jungster",   "jungstes", "aktuellste",
                                        "aktuellsten", "aktuellster", "aktuellstes"};
constexpr std::string_view kOldest[] = {"oldest",   "earliest", "alteste",   "altesten",  "alterster", "altester",
                                        "altestes", "fruheste", "fruhesten", "fruhester", "fruhestes"};
// Only right before a word for documents: "my last letter", not "the last chapter of ...".
constexpr std::string_view kLast[] = {"last", "letzte", "letzten", "letzter", "letztes"};
constexpr std::string_view kJoins[] = {"from", "of",  "by",  "about", "for", "to",   "with", "that", "which", "on",
                                       "in",   "at",  "von", "vom",   "der", "des",  "zu",   "zum",  "zur",   "uber",
                                       "fur",  "mit", "aus", "im",    "an",  "der",  "die",  "dem",  "den",   "the",
                                       "my",   "our", "are", "there", "es",  "gibt", "do",   "i",    "we",    "have"};
constexpr std::string_view kChanged[] = {
    "change",  "changed",  "edit",       "edited",      "modify",      "modified",     "write",    "wrote",
    "written", "update",   "updated",    "save",        "saved",       "touch",        "touched",  "create",
    "created", "geandert", "bearbeitet", "geschrieben", "gespeichert", "aktualisiert", "erstellt", "verandert"};
constexpr std::string_view kTakenIn[] = {"add",      "added",       "index",     "indexed",    "import",
                                         "imported", "hinzugefugt", "indiziert", "importiert", "aufgenommen"};
constexpr std::string_view kDoing[] = {"did",   "have", "has",   "i",   "we",  "were",  "was",    "been", "that",
                                       "which", "habe", "haben", "ich", "wir", "wurde", "wurden", "die"};
constexpr std::string_view kLastDone[] = {"last", "latest", "recently", "zuletzt", "kurzlich"};
constexpr std::string_view kFirstDone[] = {"first", "zuerst"};
constexpr size_t kMostBetween = 3;  // words between "latest" and the word for documents
constexpr size_t kMostPeriod = 6;

bool is_document(const PlacedWord& word) {
  return is_any_document(word.text) || is_document_kind(word.text);
}

// Several documents: by its ending, but for those that end so in the singular.
bool is_plural(std::string_view word) {
  constexpr std::string_view kOne[] = {"minutes", "notes", "slides", "unterlagen"};
  constexpr std::string_view kMany[] = {"dokumente", "dateien",     "briefe",     "berichte", "vertrage", "rechnungen",
                                        "notizen",   "nachrichten", "protokolle", "angebote", "rezepte",  "belege"};
  return one_of(word, kMany) || (word.ends_with("s") && !word.ends_with("ss") && !one_of(word, kOne));
}

Words without_lead(Words words) {
  while (!words.empty() && one_of(words.front().text, kLead)) words = words.subspan(1);
  return words;
}

// Takes the period that the last words name off them; with "from" or "in" before it.
NamedPeriod take_period(Words& words, sys_days today) {
  for (size_t n = std::min(words.size(), kMostPeriod); n > 0; --n) {
    const std::optional<NamedPeriod> period = named_period(words.last(n), today);
    if (!period) continue;
    words = words.first(words.size() - n);
    return *period;
  }
  return {};
}

bool is_open(const NamedPeriod& period) {
  return !period.since && !period.before;
}

// "invoice", "letter the bank": what documents are called by; any document by nothing.
std::string called_by(std::string_view question, Words words) {
  std::string called;
  for (const PlacedWord& word : words) {
    if (one_of(word.text, kJoins) || (is_any_document(word.text) && !is_document_kind(word.text))) continue;
    called += (called.empty() ? "" : " ") + std::string(question.substr(word.begin, word.end - word.begin));
  }
  return called;
}

// "felix" of "newest payslip felix", not "total" of "latest invoice total", which asks for what the document tells.
bool is_short_name(Words words) {
  constexpr size_t kMost = 2;
  constexpr std::string_view kTold[] = {
      "total",  "sum",   "amount", "number",  "date",   "price", "status", "version", "due",   "balance", "name",
      "author", "title", "summe",  "betrag",  "nummer", "datum", "preis",  "stand",   "titel", "saldo",   "page",
      "pages",  "seite", "change", "changes", "items",  "rent",  "salary", "address", "tax",   "vat"};
  return !words.empty() && words.size() <= kMost && std::none_of(words.begin(), words.end(), [&](const auto& word) {
    return is_stop_word(word.text) || one_of(word.text, kTold) || has_digits(word.text);
  });
}

// Words for documents with what is said of them before and behind: "electricity bills", "letter from the bank".
bool is_noun_phrase(Words words) {
  const auto* const noun = std::find_if(words.data(), words.data() + words.size(), is_document);
  const auto at = static_cast<size_t>(noun - words.data());
  if (at == words.size() || at > kMostBetween) return false;
  constexpr std::string_view kAsking[] = {"when", "who", "how", "why", "whose", "wann", "wer", "wie", "warum", "wo"};
  const bool asks = std::any_of(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(at),
                                [&](const PlacedWord& word) { return one_of(word.text, kAsking); });
  const Words behind = words.subspan(at + 1);
  if (asks) return false;  // "When was the lease last changed?"
  return behind.empty() || one_of(behind.front().text, kJoins) || is_document(behind.front());
}

// "The latest invoice", "my oldest letter from the bank".
AskedDated asked_extreme(std::string_view question, Words words, sys_days today) {
  words = without_lead(words);
  AskedDated asked;
  if (words.size() > 1 && words[0].text == "most" && words[1].text == "recent") {
    words = words.subspan(2);
  } else if (!words.empty() && (one_of(words[0].text, kNewest) || one_of(words[0].text, kOldest))) {
    asked.oldest_first = one_of(words[0].text, kOldest);
    words = words.subspan(1);
  } else if (words.size() > 1 && one_of(words[0].text, kLast) && is_document(words[1])) {
    words = words.subspan(1);
  } else {
    return {};
  }
  asked.period = take_period(words, today);
  const auto* const noun = std::find_if(words.data(), words.data() + words.size(), is_document);
  const auto behind = static_cast<size_t>(noun - words.data()) + 1;
  const bool named =
      behind <= words.size() && is_short_name(words.subspan(behind)) && is_noun_phrase(words.first(behind));
  if (!named && !is_noun_phrase(words)) return {};
  asked.is_asked = true;
  asked.only_one = !is_plural(noun->text);
  asked.called = called_by(question, words);
  return asked;
}

// "Which document did I change last?", "files added this week", "What did I edit yesterday?"
AskedDated asked_done(std::string_view question, Words words, sys_days today) {
  AskedDated asked;
  words = without_lead(words);
  asked.period = take_period(words, today);
  constexpr std::string_view kMost[] = {"most"};
  bool ordered = false;
  const auto take_order = [&](std::string_view word) {
    const bool first = one_of(word, kFirstDone);
    if (!first && !one_of(word, kLastDone) && !one_of(word, kMost)) return false;
    asked.oldest_first |= first;
    return ordered = true;
  };
  while (!words.empty() && take_order(words.back().text)) words = words.first(words.size() - 1);
  if (words.empty()) return {};
  const bool changed = one_of(words.back().text, kChanged);
  if (!changed && !one_of(words.back().text, kTakenIn)) return {};
  words = words.first(words.size() - 1);
  while (!words.empty() && take_order(words.back().text)) words = words.first(words.size() - 1);
  if (is_open(asked.period)) asked.period = take_period(words, today);
  const size_t n_before = words.size();
  while (!words.empty() && one_of(words.back().text, kDoing)) words = words.first(words.size() - 1);
  // "What did I change last?" names no documents; "documents changed" is not asked of anybody.
  if (words.empty() ? n_before == 0 : !is_noun_phrase(words)) return {};
  if (!ordered && is_open(asked.period)) return {};
  asked.is_asked = true;
  asked.by = changed ? AskedDated::By::kChanged : AskedDated::By::kTakenIn;
  const auto* const noun = std::find_if(words.data(), words.data() + words.size(), is_document);
  asked.only_one = ordered && is_open(asked.period) && (words.empty() || !is_plural(noun->text));
  asked.called = called_by(question, words);
  return asked;
}

// "How many payslips do I have", "list all invoices from the garage": those of one kind, newest first.
AskedDated asked_kind(std::string_view question, Words words, sys_days /*today*/) {
  constexpr std::string_view kBegins[] = {"list", "show", "all", "how", "wie", "liste", "zeig", "zeige", "alle"};
  constexpr std::string_view kMany[] = {"how many", "wie viele"};
  constexpr std::string_view kHave[] = {"do i have", "do we have", "are there", "have i",
                                        "habe ich",  "haben wir",  "gibt es"};
  if (words.empty() || !one_of(words.front().text, kBegins)) return {};
  AskedDated asked;
  const size_t many = begins_with(words, kMany);
  asked.counts = many > 0;
  words = asked.counts ? words.subspan(many) : without_lead(words);
  if (words.empty() || !is_document_kind(words.front().text) || is_any_document(words.front().text)) return {};
  if (!is_plural(words.front().text)) return {};
  Words behind = words.subspan(1);
  behind = behind.subspan(begins_with(behind, kHave));
  constexpr std::string_view kOf[] = {"from", "of", "by", "von", "vom"};
  if (!behind.empty() && (behind.size() > kMostBetween + 1 || !one_of(behind.front().text, kOf))) return {};
  asked.is_asked = true;
  std::vector<PlacedWord> called{words.front()};
  called.insert(called.end(), behind.begin(), behind.end());
  asked.called = called_by(question, called);
  return asked;
}

// "Documents from 2023", "Which letters from the bank are there since June?"
AskedDated asked_of_period(std::string_view question, Words words, sys_days today) {
  words = without_lead(words);
  AskedDated asked;
  asked.period = take_period(words, today);
  if (is_open(asked.period) || !is_noun_phrase(words)) return {};
  const auto* const noun = std::find_if(words.data(), words.data() + words.size(), is_document);
  const bool is_many = is_plural(noun->text) || is_any_document(noun->text);
  if (!is_many) return {};  // "the contract of 2023" is a name
  asked.is_asked = true;
  asked.called = called_by(question, words);
  return asked;
}

}  // namespace

AskedDated asked_dated(std::string_view question, sys_days today) {
  const std::vector<PlacedWord> words = placed_words(question);
  for (const auto asked : {asked_done, asked_extreme, asked_of_period, asked_kind}) {
    if (AskedDated dated = asked(question, words, today); dated.is_asked) return dated;
  }
  return {};
}

}  // namespace mneme::rag
