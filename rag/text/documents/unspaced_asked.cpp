#include "rag/text/documents/unspaced_asked.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rag/text/documents/document_kinds.h"
#include "rag/text/languages/document_words.h"
#include "rag/text/languages/language.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/quantities/cut_period.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr Language kUnspaced[] = {Language::kChinese, Language::kJapanese, Language::kKorean};
constexpr size_t kMostName = 24;  // bytes of what is left: eight characters, or a name in Latin letters

// Longest first, so that of 最近的 no part stays.
std::vector<std::string> parts_of(std::string_view list, std::string_view separator) {
  std::vector<std::string> parts;
  for_each_part(list, separator, [&](std::string_view part) { parts.push_back(folded_text(part)); });
  std::erase(parts, std::string());
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return parts;
}

// DocumentWords, folded.
struct CutWords {
  explicit CutWords(const DocumentWords& words);

  std::vector<std::string> kinds, lead, newest, oldest, changed, taken_in, last_done, listing, how_many, telling;
};

CutWords::CutWords(const DocumentWords& words)
    : lead(parts_of(words.lead, " ")),
      newest(parts_of(words.newest, ", ")),
      oldest(parts_of(words.oldest, ", ")),
      changed(parts_of(words.changed, " ")),
      taken_in(parts_of(words.taken_in, " ")),
      last_done(parts_of(words.last_done, " ")),
      listing(parts_of(words.listing, " ")),
      how_many(parts_of(words.how_many, ", ")),
      telling(parts_of(words.telling, ", ")) {
  std::string names;
  for (const auto kind : document_kind_names(words.kinds)) {
    names += names.empty() ? "" : " ";
    names += kind;
  }
  kinds = parts_of(names, " ");
}

// TaskWords, folded.
struct CutTasks {
  explicit CutTasks(const TaskWords& words)
      : tasks(parts_of(words.tasks, ", ")),
        headings(parts_of(words.headings, ", ")),
        open(parts_of(words.open, " ")),
        done(parts_of(words.done, " ")),
        all(parts_of(words.all, " ")),
        around(parts_of(words.around, " ")),
        asking_open(parts_of(words.asking_open, ", ")),
        asking_done(parts_of(words.asking_done, ", ")) {}

  std::vector<std::string> tasks, headings, open, done, all, around, asking_open, asking_done;
};

const CutTasks& cut_tasks_of(Language language) {
  static const std::map<Language, CutTasks> kAll = [] {
    std::map<Language, CutTasks> all;
    for (const Language one : kUnspaced) all.emplace(one, CutTasks(facts_of(one).documents->tasks));
    return all;
  }();
  return kAll.at(language);
}

// Of one of kUnspaced.
const CutWords& cut_words_of(Language language) {
  static const std::map<Language, CutWords> kAll = [] {
    std::map<Language, CutWords> all;
    for (const Language one : kUnspaced) all.emplace(one, CutWords(*facts_of(one).documents));
    return all;
  }();
  return kAll.at(language);
}

// Cuts the longest of them that stands there; "": none does.
std::string cut(std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    const size_t at = text.find(part);
    if (at == std::string::npos) continue;
    text.replace(at, part.size(), " ");
    return part;
  }
  return {};
}

// Of the one at hand, where it begins like one that is pointed at.
AskedGist gist_called(std::string_view name, const DocumentWords& words) {
  bool at_hand = false;
  for_each_part(words.this_one, " ", [&](std::string_view word) { at_hand |= name.starts_with(word); });
  return {true, at_hand ? std::string() : std::string(name)};
}

// Cuts whatever of them stands there; whether any does.
bool cut_all(std::string& text, const std::vector<std::string>& parts) {
  bool any = false;
  while (!cut(text, parts).empty()) any = true;
  return any;
}

// Without what says nothing of documents.
std::string name_in(std::string text, const CutWords& v) {
  cut_all(text, v.lead);
  return folded_text(text);
}

// A question taken apart.
struct Parts {
  std::optional<NamedPeriod> period;
  bool changed = false, taken_in = false, counts = false, oldest = false, newest = false, lists = false, tells = false;
  std::string kind;
  std::string name;  // what is left
};

Parts parts_of_question(std::string_view question, std::chrono::sys_days today, Language language) {
  const CutWords& v = cut_words_of(language);
  std::string rest = folded_text(question);
  Parts parts;
  parts.period = cut_period(rest, today, language);
  parts.changed = !cut(rest, v.changed).empty();
  parts.taken_in = !parts.changed && !cut(rest, v.taken_in).empty();
  parts.counts = !cut(rest, v.how_many).empty();
  parts.oldest = !cut(rest, v.oldest).empty();
  const bool is_done = parts.changed || parts.taken_in;
  parts.newest = !parts.oldest && !cut(rest, is_done ? v.last_done : v.newest).empty();
  parts.lists = cut_all(rest, v.listing);
  parts.kind = cut(rest, v.kinds);
  parts.tells = !cut(rest, v.telling).empty();
  parts.name = name_in(std::move(rest), v);
  return parts;
}

bool asks_for_dated(const Parts& p) {
  if (p.kind.empty() || p.tells || p.name.size() > kMostName) return false;
  if (p.changed || p.taken_in) return p.period.has_value() || p.newest || p.oldest;
  return p.newest || p.oldest || p.period.has_value() ||
         ((p.counts || p.lists) && (!is_any_document(p.kind) || is_told_by_format(p.kind)));
}

AskedDated dated_of(const Parts& p) {
  AskedDated asked;
  asked.is_asked = asks_for_dated(p);
  if (!asked.is_asked) return asked;
  using By = AskedDated::By;
  asked.by = p.changed ? By::kChanged : p.taken_in ? By::kTakenIn : By::kItsDate;
  asked.oldest_first = p.oldest;
  asked.counts = p.counts;
  asked.only_one = (p.newest || p.oldest) && !p.period && !p.lists && !p.counts;
  asked.period = p.period.value_or(NamedPeriod{});
  const bool any_kind = is_any_document(p.kind) && !is_document_kind(p.kind);
  asked.called = any_kind ? p.name : p.kind + (p.name.empty() ? "" : " ") + p.name;
  return asked;
}

// The languages that such a question may be in: a few characters of Japanese look like Chinese.
std::vector<Language> languages_of(std::string_view question) {
  const Language own = language_of(question);
  if (std::find(std::begin(kUnspaced), std::end(kUnspaced), own) == std::end(kUnspaced)) return {};
  if (own == Language::kChinese) return {own, Language::kJapanese};
  return {own};
}

}  // namespace

AskedDated unspaced_dated(std::string_view question, std::chrono::sys_days today) {
  for (const Language language : languages_of(question)) {
    if (AskedDated asked = dated_of(parts_of_question(question, today, language)); asked.is_asked) return asked;
  }
  return {};
}

AskedListing unspaced_listing(std::string_view question) {
  for (const Language language : languages_of(question)) {
    const CutWords& v = cut_words_of(language);
    std::string rest = folded_text(question);
    const bool tells = !cut(rest, v.telling).empty();
    if (!tells || cut(rest, v.kinds).empty()) continue;
    std::string matter = name_in(std::move(rest), v);
    if (!matter.empty() && matter.size() <= kMostName) return {AskedListing::What::kAbout, std::move(matter)};
  }
  return {};
}

namespace {

// Which tasks are asked for, cut out of the question; unset: none are.
std::optional<AskedTasks::Which> cut_which(std::string& rest, const CutTasks& v) {
  using Which = AskedTasks::Which;
  if (!cut(rest, v.asking_done).empty()) return Which::kDone;
  if (!cut(rest, v.asking_open).empty()) return Which::kOpen;
  if (cut(rest, v.tasks).empty()) return std::nullopt;
  if (cut_all(rest, v.open)) return Which::kOpen;
  if (cut_all(rest, v.done)) return Which::kDone;
  return cut_all(rest, v.all) ? Which::kAll : Which::kOpen;
}

}  // namespace

AskedTasks unspaced_tasks(std::string_view question) {
  for (const Language language : languages_of(question)) {
    const CutTasks& v = cut_tasks_of(language);
    std::string rest = folded_text(question);
    const std::optional<AskedTasks::Which> which = cut_which(rest, v);
    if (!which) continue;
    for (const auto* words : {&v.open, &v.done, &v.all}) cut_all(rest, *words);
    std::string topic = name_in(std::move(rest), cut_words_of(language));
    cut_all(topic, v.around);
    topic = folded_text(topic);
    if (topic.size() <= kMostName) return {true, *which, std::move(topic)};
  }
  return {};
}

bool is_unspaced_task_heading(std::string_view text) {
  const std::string folded = folded_text(text);
  return std::any_of(std::begin(kUnspaced), std::end(kUnspaced), [&](Language language) {
    const CutTasks& v = cut_tasks_of(language);
    return std::find(v.headings.begin(), v.headings.end(), folded) != v.headings.end() ||
           std::find(v.tasks.begin(), v.tasks.end(), folded) != v.tasks.end();
  });
}

AskedGist unspaced_gist(std::string_view question) {
  constexpr std::string_view kMarks[] = {"。", "？", "！", "?", "!", ".", " ", "吗", "请", "ください", "一下"};
  for (bool cut = true; cut;) {
    cut = false;
    for (const std::string_view mark : kMarks) {
      if (question.ends_with(mark)) question.remove_suffix(mark.size()), cut = true;
      if (question.starts_with(mark)) question.remove_prefix(mark.size()), cut = true;
    }
  }
  for (const Language language : kUnspaced) {
    const DocumentWords& words = *facts_of(language).documents;
    AskedGist gist;
    for_each_part(words.gist, ", ", [&](std::string_view phrase) {
      const std::string_view before = phrase.substr(0, phrase.find('#'));
      const std::string_view after = phrase.substr(before.size() + 1);
      const bool asks = !gist.is_asked && !question.empty() && question.starts_with(before) &&
                        question.ends_with(after) && question.size() >= before.size() + after.size();
      if (asks) gist = gist_called(question.substr(before.size(), question.size() - phrase.size() + 1), words);
    });
    if (gist.is_asked) return gist;
  }
  return {};
}

}  // namespace mneme::rag
