// Questions for what there is to do: "What are my open tasks?", "What is left to do in the garden?", "Welche Aufgaben
// sind erledigt?", in the languages that rag/text/languages/documents has words for. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::rag {

struct AskedTasks {
  enum class Which { kOpen, kDone, kAll };
  bool is_asked = false;
  Which which = Which::kOpen;
  std::string topic;  // of what, in the question's words; "": of anything. It need not be a matter of tasks at all
};

AskedTasks asked_tasks(std::string_view question);

// "Action items", "Offene Punkte:": what stands under it is to be done.
bool is_task_heading(std::string_view text);

// What lists of tasks are called, as words to search for: "to do" and the like, of the question's language.
std::string task_words(std::string_view question);

}  // namespace mneme::rag
