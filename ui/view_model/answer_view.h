// An answer as the window shows it: its words, the passages behind it, what it cost. Threads: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mneme::ui {

struct SourceView {
  int n = 0;
  std::string title;
  std::string document;  // absolute path
  std::string heading;
  int page = 0;  // 0: none
  int line_begin = 0;
  int line_end = 0;
  int first_line = 0;  // of the passage; 0 where it is not made of the file's own lines
  double score = 0.0;
  std::string text;
  bool cited = false;
  bool quoted = false;
  bool is_code = false;     // source code or data: its lines are shown as they are
  bool is_plain = false;    // text without marks, whose writer broke its lines (flowing_text.h)
  std::string file;         // "house/notes.md", where the title alone does not tell it from another source's document
  size_t excerpt_from = 0;  // byte of `text` where what the answer says of it begins, else what was asked for
  std::string quotes;       // what the answer quotes of `text`, as it stands there, a line each; empty: not known
};

// When one kind of work ran, milliseconds from the question; intervals in order, not overlapping.
struct StageView {
  struct Interval {
    double begin_ms = 0.0;
    double end_ms = 0.0;
  };
  std::string name;  // "measure", "retrieve", "open", "load", "decode", "recompute", "read", "generate"
  std::vector<Interval> intervals;
  double total_ms() const {
    double sum = 0.0;
    for (const Interval& i : intervals) sum += i.end_ms - i.begin_ms;
    return sum;
  }
};

// What an answer cost and reused; unset means it does not apply.
struct AnswerFacts {
  std::string mode;
  std::string model;
  std::string reader;  // the model that read the short answer out of quotations; empty: none did
  std::string device;
  std::string finish;
  int chunks = 0;
  int hits = 0;
  int cut_passages = 0;
  std::optional<double> recompute_ratio;
  int64_t recomputed_tokens = 0;
  std::optional<std::string> level;
  int64_t bytes_read = 0;
  int64_t bytes_fp16 = 0;
  int prompt_tokens = 0;
  int chunk_tokens = 0;
  int answer_tokens = 0;
  int decode_steps = 0;  // that wrote them; fewer than tokens where words were taken over from the passages
  int unsupported = 0;   // sentences no passage bears out
  bool in_documents =
      false;  // quotations only: it is an answer, or nothing was asked; false: "the documents do not say"
  std::optional<double> ttft_ms;
  std::optional<double> total_ms;
  std::optional<double> tokens_per_s;
  std::string query;  // what was searched, when it was not the question itself
  std::vector<StageView> timeline;
  std::vector<std::string> notes;
};

struct MessageView {
  int64_t id = 0;  // 0: not saved yet
  bool from_user = false;
  std::string text;       // Markdown for answers
  std::string reasoning;  // what a model thought before; Markdown
  std::vector<SourceView> sources;
  std::optional<AnswerFacts> facts;
  std::shared_ptr<const std::string> details_json;  // as kept with the chat: the object of `ask --json`
  bool streaming = false;
  uint64_t under_way = 0;  // while streaming: tells the answers being made from each other
  std::string stage;       // while streaming: "waiting" (for others), "opening", "retrieving", "reading", "answering"
  std::string error;       // one sentence; empty when all is well
};

// Of an answer: false where it failed, or was stopped before anything was written.
inline bool holds_words(const MessageView& answer) {
  return !answer.text.empty() || !answer.reasoning.empty();
}

}  // namespace mneme::ui
