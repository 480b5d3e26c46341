#include "rag/quoting/passage_tasks.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/trim.h"
#include "rag/quoting/outline/line_shapes.h"
#include "rag/text/documents/asked_tasks.h"
#include "rag/text/markup/task_mark.h"

namespace mneme::rag {

namespace {

// What Org-mode and calendars (RFC 5545, VTODO) call the state of a task, as the readers write it. An event has one,
// too: "confirmed", "cancelled".
constexpr std::string_view kOpenStates[] = {"TODO",    "NEXT",    "WAITING",      "HOLD",
                                            "STARTED", "SOMEDAY", "needs action", "in process"};
constexpr std::string_view kDoneStates[] = {"DONE", "CANCELLED", "CANCELED", "completed"};
constexpr std::string_view kStatus = "Status: ";
constexpr std::string_view kTodo = "TODO";

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// A line that is a task: what it says, and whether that is done.
struct ToldTask {
  std::string_view text;
  bool done = false;
};

std::string_view without_bullet(std::string_view line) {
  if (task_mark(line).n_bytes > 0) return line;
  bool ordered = false;
  return trimmed(line.substr(item_mark(line, ordered)));
}

std::optional<ToldTask> told_by_mark(std::string_view line) {
  const TaskMark mark = task_mark(line);
  if (mark.n_bytes > 0) return ToldTask{trimmed(line.substr(mark.n_bytes)), mark.done};
  if (!line.starts_with(kTodo) || line.size() <= kTodo.size()) return std::nullopt;
  const char next = line[kTodo.size()];
  if (next != ':' && next != ' ') return std::nullopt;
  return ToldTask{trimmed(line.substr(kTodo.size() + 1)), false};
}

class TaskFinder {
 public:
  explicit TaskFinder(const PassageOutline& outline) : outline_(outline) {}

  std::vector<PassageTask> find() {
    for (size_t i = 0; i < parts().size(); i = behind(i)) look_at(i);
    return std::move(tasks_);
  }

 private:
  const std::vector<OutlinePart>& parts() const { return outline_.parts(); }

  // The first part behind the item, or the sentence, that part i begins.
  size_t behind(size_t i) const {
    const Sentence& first = parts()[i].span;
    size_t end = i + 1;
    if (first.kind != SentenceKind::kItem) return end;
    while (end < parts().size() && parts()[end].span.kind == SentenceKind::kItem &&
           parts()[end].span.group == first.group && parts()[end].span.item == first.item)
      ++end;
    return end;
  }

  void look_at(size_t i) {
    const OutlinePart& part = parts()[i];
    if (part.span.kind != SentenceKind::kItem && part.span.kind != SentenceKind::kText) return;
    const size_t begin = part.span.byte_begin;
    const size_t end = parts()[behind(i) - 1].span.byte_end;
    const std::string_view line = without_bullet(outline_.text().substr(begin, end - begin));
    const std::string heading = outline_.heading_text(part);
    const bool is_item = part.span.kind == SentenceKind::kItem;
    if (is_item && line.starts_with(kStatus)) return add_by_status(part, trimmed(line.substr(kStatus.size())), heading);
    std::optional<ToldTask> task = told_by_mark(line);
    const bool is_listed = is_item && (is_task_heading(heading) || is_led_in(i));
    if (!task && is_listed) task = ToldTask{line, false};
    const bool tells_matter = !is_listed && !is_field(heading);  // "Present: Anna, Jonas" is above what they agreed on
    if (task && !task->text.empty())
      tasks_.push_back({begin, end, one_line(task->text), tells_matter ? heading : "", task->done});
  }

  // "Action items:", right before the list.
  bool is_led_in(size_t item) const {
    const int group = parts()[item].span.group;
    while (item > 0 && parts()[item - 1].span.group == group) --item;
    return item > 0 && parts()[item - 1].raw.ends_with(':') && is_task_heading(parts()[item - 1].raw);
  }

  // The heading is the task.
  void add_by_status(const OutlinePart& part, std::string_view status, const std::string& heading) {
    const bool done = is_one_of(status, kDoneStates);
    if (heading.empty() || (!done && !is_one_of(status, kOpenStates))) return;
    const Sentence& line = part.heading >= 0 ? parts()[static_cast<size_t>(part.heading)].span : part.span;
    const std::string until = done ? std::string() : last_day(part.heading);
    tasks_.push_back({line.byte_begin, line.byte_end, heading + (until.empty() ? "" : " (" + until + ")"), "", done});
  }

  // "Due: 10 April 2031", beside the status.
  std::string last_day(int heading) const {
    for (const OutlinePart& part : parts()) {
      if (part.heading != heading || part.span.kind != SentenceKind::kItem) continue;
      const std::string_view line = without_bullet(part.raw);
      if (line.starts_with("Due: ") || line.starts_with("Deadline: ")) return one_line(line);
    }
    return {};
  }

  static std::string one_line(std::string_view text) {
    std::string line(text);
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line;
  }

  const PassageOutline& outline_;
  std::vector<PassageTask> tasks_;
};

}  // namespace

bool has_tasks_in_lines(std::string_view path) {
  constexpr std::string_view kNames[] = {"todo.txt", "done.txt", "Todo.txt", "TODO.txt"};
  return is_one_of(path.substr(path.find_last_of('/') + 1), kNames);
}

std::vector<PassageTask> tasks_in_lines(std::string_view text) {
  std::vector<PassageTask> tasks;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = without_bullet(trimmed(text.substr(begin, end - begin)));
    const ToldTask task = told_by_mark(line).value_or(ToldTask{line, false});
    const bool is_remark = line.starts_with('#') || line.ends_with(':');
    if (!task.text.empty() && !is_remark) tasks.push_back({begin, end, std::string(task.text), {}, task.done});
    begin = end + 1;
  }
  return tasks;
}

std::vector<PassageTask> tasks_of(const PassageOutline& outline) {
  if (outline.form() == TextForm::kSource) return {};
  return TaskFinder(outline).find();
}

}  // namespace mneme::rag
