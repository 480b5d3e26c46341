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

const CutWords* cut_words_of(Language language) {
  static const std::map<Language, CutWords> kAll = [] {
    std::map<Language, CutWords> all;
    for (const Language one : kUnspaced) all.emplace(one, CutWords(*facts_of(one).documents));
    return all;
  }();
  const auto at = kAll.find(language);
  return at == kAll.end() ? nullptr : &at->second;
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

}  // namespace

AskedDated unspaced_dated(std::string_view question, std::chrono::sys_days today) {
  const Language language = language_of(question);
  const CutWords* const v = cut_words_of(language);
  if (v == nullptr) return {};
  std::string rest = folded_text(question);
  AskedDated asked;
  const std::optional<NamedPeriod> period = cut_period(rest, today, language);
  const bool changed = !cut(rest, v->changed).empty();
  const bool taken_in = !changed && !cut(rest, v->taken_in).empty();
  const bool counts = !cut(rest, v->how_many).empty();
  const bool oldest = !cut(rest, v->oldest).empty();
  const bool newest = !oldest && !cut(rest, changed || taken_in ? v->last_done : v->newest).empty();
  const bool lists = cut_all(rest, v->listing);
  const std::string kind = cut(rest, v->kinds);
  if (kind.empty() || !cut(rest, v->telling).empty()) return {};
  const bool is_any = is_any_document(kind);
  const std::string name = name_in(std::move(rest), *v);
  if (name.size() > kMostName) return {};
  const bool done = (changed || taken_in) && (period || newest || oldest);
  const bool of_kind = (counts || lists) && !is_any && !changed && !taken_in;
  const bool extreme = (newest || oldest) && !changed && !taken_in;
  if (!done && !of_kind && !extreme && !(period && !changed && !taken_in)) return {};
  asked.is_asked = true;
  asked.by = changed ? AskedDated::By::kChanged : taken_in ? AskedDated::By::kTakenIn : AskedDated::By::kItsDate;
  asked.oldest_first = oldest;
  asked.counts = counts;
  asked.only_one = (newest || oldest) && !period && !lists && !counts;
  asked.period = period.value_or(NamedPeriod{});
  asked.called = is_any && !is_document_kind(kind) ? name : kind + (name.empty() ? "" : " ") + name;
  return asked;
}

AskedListing unspaced_listing(std::string_view question) {
  const CutWords* const v = cut_words_of(language_of(question));
  if (v == nullptr) return {};
  std::string rest = folded_text(question);
  const bool tells = !cut(rest, v->telling).empty();
  const std::string kind = cut(rest, v->kinds);
  if (!tells || kind.empty()) return {};
  std::string matter = name_in(std::move(rest), *v);
  if (matter.empty() || matter.size() > kMostName) return {};
  return {AskedListing::What::kAbout, std::move(matter)};
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
