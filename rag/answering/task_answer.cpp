#include "rag/answering/task_answer.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rag/answering/sources/spoken_matter.h"
#include "rag/quoting/passage_tasks.h"
#include "rag/retrieval/retriever.h"
#include "rag/text/documents/asked_tasks.h"
#include "rag/text/documents/document_names.h"
#include "rag/text/languages/language.h"
#include "rag/text/languages/notes.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {
namespace {

constexpr int kSearched = 400;      // passages that are looked at
constexpr size_t kMostListed = 20;  // tasks

struct FoundTask {
  size_t hit = 0;  // index
  PassageTask task;
};

struct FoundTasks {
  std::vector<Hit> hits;
  std::vector<FoundTask> tasks;  // of the newest documents first, of each in its order
};

// Boxes and statuses are terms like words.
std::string sought(const Asked& asked, const AskedTasks& wanted) {
  return "[ ] [x] needs action in process completed done next waiting " + task_words(asked.question) + " " +
         wanted.topic;
}

std::string context_of(const Hit& hit) {
  return called_by_path(hit.document, hit.names) + "\n" + hit.title + "\n" + hit.heading_path;
}

// The hits, those of the document that was changed last first.
Status order_by_change(Workspace& workspace, std::vector<Hit>& hits) {
  std::map<int64_t, int64_t> changed;
  for (const Hit& hit : hits) {
    if (changed.contains(hit.document_id)) continue;
    const auto document = workspace.catalogue().document(storage::DocumentId{hit.document_id});
    if (!document.ok() && document.status().code() != StatusCode::kNotFound) return document.status();
    changed[hit.document_id] = document.ok() ? document->file.mtime_ns : 0;  // removed meanwhile: last
  }
  std::sort(hits.begin(), hits.end(), [&](const Hit& a, const Hit& b) {
    const int64_t at = changed[a.document_id];
    const int64_t bt = changed[b.document_id];
    if (at != bt) return at > bt;
    return std::pair(a.document, a.ordinal) < std::pair(b.document, b.ordinal);
  });
  return {};
}

std::vector<PassageTask> tasks_in(const Hit& hit, const std::string& context) {
  return has_tasks_in_lines(hit.document) ? tasks_in_lines(hit.text)
                                          : tasks_of(PassageOutline(hit.text, context, hit.title, hit.form));
}

bool is_wanted(const PassageTask& task, const Hit& hit, const std::vector<std::string>& matter, Language language) {
  if (matter.empty()) return true;
  const std::string file = std::filesystem::path(hit.document).stem().string();
  const std::string_view texts[] = {task.text, task.under, hit.title, hit.names, file};
  return speak_of(texts, matter, language);
}

Result<FoundTasks> find_tasks(Workspace& workspace, const Asked& asked, const AskedTasks& wanted) {
  SearchOptions search = asked.options.search;
  search.method = SearchMethod::kLexical;
  search.top_k = kSearched;
  search.rerank = false;
  search.reranker = nullptr;
  search.neighbours = 0;
  MNEME_ASSIGN_OR_RETURN(SearchResult result, Retriever(workspace).search(sought(asked, wanted), search, asked.cancel));
  FoundTasks found{std::move(result.hits), {}};
  MNEME_RETURN_IF_ERROR(order_by_change(workspace, found.hits));
  const std::vector<std::string> matter = matter_of(wanted.topic);
  const Language language = language_of(asked.question);
  std::set<std::string> known;  // copies of a list say the same again
  for (size_t i = 0; i < found.hits.size(); ++i) {
    const Hit& hit = found.hits[i];
    const std::string context = context_of(hit);
    for (PassageTask& task : tasks_in(hit, context)) {
      if (is_wanted(task, hit, matter, language) && known.insert(task.under + "\n" + task.text).second)
        found.tasks.push_back({i, std::move(task)});
    }
  }
  return found;
}

// A document without a title is called by its file, which says nothing of the task.
const std::string& title_told(const Hit& hit) {
  static const std::string kNone;
  return hit.title == std::filesystem::path(hit.document).stem().string() ? kNone : hit.title;
}

// "Garden: prune the apple tree [n]"
void add_line(const FoundTask& found, bool with_box, FoundTasks& all, std::map<size_t, int>& numbers, Answer& answer) {
  const PassageTask& task = found.task;
  int& n = numbers[found.hit];
  if (n == 0) {
    n = static_cast<int>(answer.sources.size()) + 1;
    Hit hit = std::move(all.hits[found.hit]);
    hit.rank = n;
    answer.sources.push_back({n, std::move(hit), true, true});
  }
  Citation& citation = answer.sources[static_cast<size_t>(n - 1)];
  citation.quotes.push_back({task.byte_begin, task.byte_end});
  const std::string& under = task.under.empty() ? title_told(citation.source) : task.under;
  answer.text += (answer.text.empty() ? "" : "\n") + under + (under.empty() ? "" : ": ") +
                 (with_box ? (task.done ? "[x] " : "[ ] ") : "") + task.text + " [" + std::to_string(n) + "]";
}

void list(std::vector<FoundTask> listed, bool with_box, FoundTasks& all, const Asked& asked, Answer& answer) {
  std::map<size_t, int> numbers;  // of each hit's source
  for (size_t i = 0; i < std::min(listed.size(), kMostListed); ++i) add_line(listed[i], with_box, all, numbers, answer);
  if (listed.size() > kMostListed) {
    answer.notes.push_back(note_for(asked.question, &NoteTexts::listed_tasks,
                                    {{"n", std::to_string(kMostListed)},
                                     {"all", number_for(asked.question, static_cast<int64_t>(listed.size()))}}));
  }
}

}  // namespace

Result<bool> answer_by_tasks(Workspace& workspace, const Asked& asked, Answer& answer) {
  using Which = AskedTasks::Which;
  if (!asked.options.passages.empty() || !asked.options.context_files.empty()) return false;
  const AskedTasks wanted = asked_tasks(asked.question);
  if (!wanted.is_asked) return false;
  MNEME_ASSIGN_OR_RETURN(FoundTasks found, find_tasks(workspace, asked, wanted));
  std::vector<FoundTask> listed;
  for (const FoundTask& task : found.tasks) {
    if (wanted.which == Which::kAll || task.task.done == (wanted.which == Which::kDone)) listed.push_back(task);
  }
  const bool none_open = listed.empty() && wanted.which == Which::kOpen;
  if (none_open) listed = found.tasks;
  if (listed.empty()) return false;
  list(std::move(listed), none_open || wanted.which == Which::kAll, found, asked, answer);
  if (none_open) answer.notes.push_back(note_for(asked.question, &NoteTexts::no_task_open));
  return true;
}

}  // namespace mneme::rag
