#include "rag/answering/sources/dated_documents.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/ascii.h"
#include "rag/answering/sources/asked_documents.h"
#include "rag/answering/sources/letters.h"
#include "rag/text/documents/called_document.h"
#include "rag/text/documents/document_kinds.h"
#include "rag/text/words/words.h"
#include "rag/workspace.h"

namespace mneme::rag {
namespace {

using std::chrono::sys_days;
using std::chrono::year;
using std::chrono::year_month_day;
using storage::DocumentRecord;

constexpr int64_t kNsPerSecond = 1'000'000'000;
constexpr int kOldestYear = 1900;  // in names of files; four other digits are a number
constexpr int kLastYear = 2100;

sys_days local_day(std::time_t seconds) {
  std::tm local{};
  if (::localtime_r(&seconds, &local) == nullptr) return {};
  return sys_days(year(local.tm_year + 1900) / (local.tm_mon + 1) / local.tm_mday);
}

std::string iso_text(sys_days day) {
  const year_month_day date(day);
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()));
  return text;
}

// So many digits at the front of a text, which are taken off it.
std::optional<int> take_digits(std::string_view& text, size_t n) {
  if (text.size() < n || !std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(n), is_digit))
    return std::nullopt;
  int value = 0;
  for (const char digit : text.substr(0, n)) value = 10 * value + (digit - '0');
  text.remove_prefix(n);
  return value;
}

// "-09" behind a year.
std::optional<int> take_part(std::string_view& text) {
  std::string_view rest = text;
  if (rest.empty() || (rest[0] != '-' && rest[0] != '_' && rest[0] != '.')) return std::nullopt;
  rest.remove_prefix(1);
  const std::optional<int> part = take_digits(rest, 2);
  if (!part || (!rest.empty() && is_digit(rest[0]))) return std::nullopt;
  text = rest;
  return part;
}

// The date that a text begins with: "2026-09-14", "2026-09"; with a year alone only if `year_alone`.
std::optional<DocumentDate> date_at(std::string_view text, bool year_alone, DocumentDate::From from) {
  const std::optional<int> y = take_digits(text, 4);
  if (!y || (!text.empty() && is_digit(text[0]))) return std::nullopt;
  const std::optional<int> m = take_part(text);
  if (!m && !year_alone) return std::nullopt;
  const std::optional<int> d = m ? take_part(text) : std::nullopt;
  const year_month_day date = year(*y) / m.value_or(1) / d.value_or(1);
  if (!date.ok()) return std::nullopt;
  const size_t shown = d ? 10 : m ? 7 : 4;
  return DocumentDate{from, sys_days(date), iso_text(sys_days(date)).substr(0, shown)};
}

std::optional<DocumentDate> date_in_name(std::string_view name) {
  for (size_t i = 0; i + 7 <= name.size(); ++i) {
    if (i > 0 && is_digit(name[i - 1])) continue;
    std::optional<DocumentDate> date = date_at(name.substr(i), false, DocumentDate::From::kName);
    if (!date) continue;
    const int y = static_cast<int>(year_month_day(date->day).year());
    if (y >= kOldestYear && y <= kLastYear) return date;
  }
  return std::nullopt;
}

DocumentDate date_of_time(std::time_t seconds, DocumentDate::From from) {
  const sys_days day = local_day(seconds);
  return {from, day, iso_text(day)};
}

DocumentNaming naming_of(const DocumentRecord& document, std::string_view file, std::string_view beginning) {
  return {.title = document.title,
          .file = file,
          .folders = document.names,
          .beginning = beginning,
          .format = document.format,
          .author = document.author};
}

bool names_letters(std::string_view called) {
  const std::vector<std::string> words = words_of(called);
  return std::any_of(words.begin(), words.end(), [](const std::string& word) { return is_letter_word(word); });
}

// The documents that the question names by their kind or by words; all of them where it names none.
Result<std::vector<DocumentRecord>> documents_among(Workspace& workspace, const Asked& asked,
                                                    const std::string& called) {
  MNEME_ASSIGN_OR_RETURN(std::vector<DocumentRecord> all, documents_of_question(workspace, asked));
  if (called.empty()) return all;
  // What only their beginning says is looked for where the words are found: not in every document.
  MNEME_ASSIGN_OR_RETURN(const std::vector<DocumentBeginning> found, beginnings_found(workspace, asked, called));
  std::set<storage::DocumentId> letters;
  if (names_letters(called)) {
    MNEME_ASSIGN_OR_RETURN(const std::vector<Letter> found_letters, letters_among(workspace, asked, all));
    for (const Letter& letter : found_letters) letters.insert(letter.document);
  }
  std::erase_if(all, [&](const DocumentRecord& document) {
    const std::string file = std::filesystem::path(document.path).stem().string();
    const auto at = std::find_if(found.begin(), found.end(),
                                 [&](const DocumentBeginning& one) { return one.document.id == document.id; });
    DocumentNaming naming = naming_of(document, file, at == found.end() ? std::string_view() : at->beginning);
    naming.is_letter = letters.contains(document.id);
    return !is_among(called, naming);
  });
  return all;
}

}  // namespace

Note date_note(DocumentDate::From from) {
  switch (from) {
    case DocumentDate::From::kItself: return &NoteTexts::dated;
    case DocumentDate::From::kName: return &NoteTexts::named;
    case DocumentDate::From::kChanged: return &NoteTexts::changed;
    case DocumentDate::From::kTakenIn: return &NoteTexts::taken_in;
  }
  return &NoteTexts::dated;
}

DocumentDate date_of(const DocumentRecord& document, AskedDated::By by) {
  if (by == AskedDated::By::kTakenIn) return date_of_time(document.indexed_ms / 1000, DocumentDate::From::kTakenIn);
  if (by == AskedDated::By::kItsDate) {
    if (auto own = date_at(document.date, true, DocumentDate::From::kItself)) return *own;
    if (auto named = date_in_name(std::filesystem::path(document.path).filename().string())) return *named;
  }
  return date_of_time(document.file.mtime_ns / kNsPerSecond, DocumentDate::From::kChanged);
}

Result<std::vector<DatedDocument>> documents_dated(Workspace& workspace, const Asked& asked, const AskedDated& dated) {
  MNEME_ASSIGN_OR_RETURN(std::vector<DocumentRecord> documents, documents_among(workspace, asked, dated.called));
  std::vector<DatedDocument> found;
  for (DocumentRecord& document : documents) {
    DocumentDate date = date_of(document, dated.by);
    if (dated.period.holds(date.day)) found.push_back({std::move(document), std::move(date)});
  }
  const auto key = [](const DatedDocument& one) {  // of one day the file that was changed later is newer
    return std::tuple(one.date.day, one.document.file.mtime_ns);
  };
  std::stable_sort(found.begin(), found.end(), [&](const DatedDocument& a, const DatedDocument& b) {
    return dated.oldest_first ? key(a) < key(b) : key(b) < key(a);
  });
  return found;
}

sys_days local_today() {
  return local_day(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now()));
}

}  // namespace mneme::rag
