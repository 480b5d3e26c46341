#include "rag/text/documents/asked_dated.h"

#include <algorithm>
#include <span>
#include <vector>

#include "rag/text/documents/document_kinds.h"
#include "rag/text/documents/document_vocabulary.h"
#include "rag/text/documents/unspaced_asked.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/quantities/numbers.h"
#include "rag/text/words/placed_words.h"

namespace mneme::rag {

namespace {

using std::chrono::sys_days;
using Words = std::span<const PlacedWord>;

constexpr size_t kMostBetween = 3;  // words between "latest" and the word for documents
constexpr size_t kMostPeriod = 6;

// A question as one language asks it.
struct Asking {
  std::string_view question;
  sys_days today;
  const DocumentVocabulary& v;

  bool is_document(const PlacedWord& word) const {
    return is_document_kind(word.text, v.language) || (is_any_document(word.text, v.language) && !is_part(word));
  }
  // "Page", "chapter": of a document.
  bool is_part(const PlacedWord& word) const {
    const bool names_part = v.page.has(word.text) || v.sections.has(word.text);
    return names_part && !is_document_kind(word.text, v.language);
  }
  // Where the word for documents stands; the number of words where none does.
  size_t noun_in(Words words) const {
    const auto is_noun = [&](const PlacedWord& word) { return is_document(word); };
    return static_cast<size_t>(std::find_if(words.begin(), words.end(), is_noun) - words.begin());
  }
  Words without_lead(Words words) const { return without_back(without_front(words, v.lead), v.closing); }
};

// Takes the period that the last words name off them, with "from" or "in" before it, or the first ones where what is
// said of documents stands before them ("May I see the invoices?" names no month).
NamedPeriod take_period(Words& words, const Asking& a) {
  for (const bool at_back : {true, false}) {
    if (!at_back && !a.v.names_first) break;
    for (size_t n = std::min(words.size(), kMostPeriod); n > 0; --n) {
      const Words named = at_back ? words.last(n) : words.first(n);
      const std::optional<NamedPeriod> period = named_period(named, a.today, a.v.language);
      if (!period) continue;
      words = at_back ? words.first(words.size() - n) : words.subspan(n);
      return *period;
    }
  }
  return {};
}

bool is_open(const NamedPeriod& period) {
  return !period.since && !period.before;
}

// "invoice", "letter the bank": what documents are called by; any document by nothing.
std::string called_by(Words words, const Asking& a) {
  std::string called;
  for (const PlacedWord& word : words) {
    const bool is_any = is_any_document(word.text, a.v.language) && !is_document_kind(word.text, a.v.language);
    const bool leads = a.v.names_first && a.v.lead.has(word.text);  // "Aqua összes számláját"
    if (a.v.joins.has(word.text) || a.v.articles.has(word.text) || is_any || leads) continue;
    called += (called.empty() ? "" : " ") + std::string(a.question.substr(word.begin, word.end - word.begin));
  }
  return called;
}

// "felix" of "newest payslip felix", not "total" of "latest invoice total", which asks for what the document tells.
bool is_short_name(Words words, const Asking& a) {
  constexpr size_t kMost = 2;
  return !words.empty() && words.size() <= kMost && std::none_of(words.begin(), words.end(), [&](const auto& word) {
    return is_stop_word(word.text) || a.v.told.has(word.text) || has_digits(word.text);
  });
}

// Words for documents with what is said of them before and behind: "electricity bills", "letter from the bank".
bool is_noun_phrase(Words words, const Asking& a) {
  const size_t at = a.noun_in(words);
  if (at == words.size() || at > kMostBetween) return false;
  if (a.v.asking.has_any(words.first(at))) return false;  // "When was the lease last changed?"
  const Words before = words.first(at);
  if (std::any_of(before.begin(), before.end(), [&](const PlacedWord& word) { return a.is_part(word); })) return false;
  const Words behind = words.subspan(at + 1);
  return behind.empty() || a.v.joins.has(behind.front().text) || a.is_document(behind.front());
}

// "Latest", "most recent" off the front: nothing where it does not stand there.
std::optional<bool> take_extreme(Words& words, const Asking& a) {
  const size_t newest = a.v.newest.at_front(words);
  const size_t oldest = a.v.oldest.at_front(words);
  if (newest == 0 && oldest == 0) {
    const bool is_last = words.size() > 1 && a.v.last.has(words[0].text) && a.is_document(words[1]);
    if (!is_last) return std::nullopt;
    words = words.subspan(1);
    return false;
  }
  words = words.subspan(std::max(newest, oldest));
  return oldest > newest;
}

// "La factura más reciente": off the end.
std::optional<bool> take_extreme_behind(Words& words, const Asking& a) {
  const size_t newest = a.v.newest.at_back(words);
  const size_t oldest = a.v.oldest.at_back(words);
  if ((newest == 0 && oldest == 0) || a.noun_in(words) > 0) return std::nullopt;
  words = without_back(words.first(words.size() - std::max(newest, oldest)), a.v.lead);
  return oldest > newest;
}

// "The latest invoice", "my oldest letter from the bank".
AskedDated asked_extreme(const Asking& a, Words words) {
  words = a.without_lead(words);
  AskedDated asked;
  std::optional<bool> oldest = take_extreme(words, a);
  asked.period = take_period(words, a);  // before "année dernière" is read as "dernière"
  if (!oldest) oldest = take_extreme_behind(words, a);
  if (!oldest) return {};
  asked.oldest_first = *oldest;
  words = a.without_lead(words);  // "ultima mea factură"
  const size_t noun = a.noun_in(words);
  if (noun == words.size()) return {};
  const bool named = is_short_name(words.subspan(noun + 1), a) && is_noun_phrase(words.first(noun + 1), a);
  if (!named && !is_noun_phrase(words, a)) return {};
  asked.is_asked = true;
  asked.only_one = may_be_one(words[noun].text, a.v.language);
  asked.called = called_by(words, a);
  return asked;
}

// Takes "last", "recently" off the end.
bool take_order(Words& words, AskedDated& asked, const Asking& a) {
  bool ordered = false;
  while (!words.empty()) {
    const bool first = a.v.first_done.has(words.back().text);
    if (!first && !a.v.last_done.has(words.back().text)) break;
    asked.oldest_first |= first;
    ordered = true;
    words = words.first(words.size() - 1);
  }
  return ordered;
}

// "Which document did I change last?", "files added this week", "What did I edit yesterday?"
AskedDated asked_done(const Asking& a, Words words) {
  AskedDated asked;
  words = without_front(words, a.v.lead);
  asked.period = take_period(words, a);
  words = without_front(words, a.v.lead);  // "Bu hafta hangi dosyaları ..."
  bool ordered = take_order(words, asked, a);
  words = without_back(words, a.v.doing);  // "Vilka filer ändrade jag ..."
  if (words.empty()) return {};
  const bool changed = a.v.changed.has(words.back().text);
  if (!changed && !a.v.taken_in.has(words.back().text)) return {};
  words = words.first(words.size() - 1);
  ordered |= take_order(words, asked, a);
  if (is_open(asked.period)) asked.period = take_period(words, a);
  const size_t n_before = words.size();
  words = without_back(words, a.v.doing);
  // "What did I change last?" names no documents; "documents changed" is not asked of anybody.
  if (words.empty() ? n_before == 0 : !is_noun_phrase(words, a)) return {};
  if (!ordered && is_open(asked.period)) return {};
  asked.is_asked = true;
  asked.by = changed ? AskedDated::By::kChanged : AskedDated::By::kTakenIn;
  asked.only_one =
      ordered && is_open(asked.period) && (words.empty() || may_be_one(words[a.noun_in(words)].text, a.v.language));
  asked.called = called_by(words, a);
  return asked;
}

// "How many payslips do I have", "list all invoices from the garage": those of one kind, newest first.
AskedDated asked_kind(const Asking& a, Words words) {
  AskedDated asked;
  const size_t many = a.v.how_many.at_front(words);
  asked.counts = many > 0;
  const bool lists = !words.empty() && (a.v.listing.has(words.front().text) || a.v.listing.has(words.back().text));
  // "Which receipts do I have?"
  const bool which = !asked.counts && !lists && !words.empty() && a.v.which.has(words.front().text);
  if (!asked.counts && !lists && !which) return {};
  words = asked.counts ? without_front(words.subspan(many), a.v.have) : a.without_lead(words);
  const size_t noun = a.noun_in(words);
  if (noun == words.size() || (noun > 0 && !(a.v.names_first && noun <= kMostBetween))) return {};
  const std::string& kind = words[noun].text;
  if (!is_document_kind(kind, a.v.language)) return {};
  const bool is_told = is_told_by_format(kind) || is_letter_word(kind, a.v.language);
  if (is_any_document(kind, a.v.language) && !is_told) return {};
  if (!asked.counts && !may_be_several(kind, a.v.language)) return {};
  Words behind = words.subspan(noun + 1);
  const size_t have = a.v.have.at_front(behind);
  if (which && have == 0) return {};
  behind = behind.subspan(have);
  if (!behind.empty() && (behind.size() > kMostBetween + 1 || !a.v.of.has(behind.front().text))) return {};
  asked.is_asked = true;
  std::vector<PlacedWord> called(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(noun) + 1);
  called.insert(called.end(), behind.begin(), behind.end());
  asked.called = called_by(called, a);
  return asked;
}

// "Documents from 2023", "Which letters from the bank are there since June?"
AskedDated asked_of_period(const Asking& a, Words words) {
  words = a.without_lead(words);
  AskedDated asked;
  asked.period = take_period(words, a);
  if (is_open(asked.period) || !is_noun_phrase(words, a)) return {};
  const std::string& noun = words[a.noun_in(words)].text;
  // "The contract of 2023" is a name.
  if (!may_be_several(noun, a.v.language) && !is_any_document(noun, a.v.language)) return {};
  asked.is_asked = true;
  asked.called = called_by(words, a);
  return asked;
}

}  // namespace

AskedDated asked_dated(std::string_view question, sys_days today) {
  const std::vector<PlacedWord> words = placed_words(question);
  const AskedDated asked = asked_in_any_language(question, [&](const DocumentVocabulary& vocabulary) {
    const Asking asking{question, today, vocabulary};
    AskedDated dated;
    for (const auto find : {asked_done, asked_extreme, asked_of_period, asked_kind}) {
      dated = find(asking, words);
      if (dated.is_asked) break;
    }
    return dated;
  });
  return asked.is_asked ? asked : unspaced_dated(question, today);
}

}  // namespace mneme::rag
