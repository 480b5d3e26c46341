// What questions were judged answerable by, one judgement a line as JSON: {"title": of the document that answers,
// "question": its text, "writing": writing_name(), "absent": whether that document was left out, "refused": what came
// of it, "relevant": [hits that are of it], "evidence": [[numbers, in the order of answer_evidence_kinds()] ...] of the
// first hits}. The weights of answer_odds() are fitted to such files (scripts/fit-refusing). Ownership: keeps the file
// open. Threads: one owner.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "rag/retrieval/answer_evidence.h"
#include "storage/env/file_env.h"

namespace mneme::app {

struct Judgement {
  std::string_view title{};
  std::string_view question{};
  bool absent = false;
  bool refused = false;
  std::vector<int> relevant{};
  std::vector<rag::AnswerEvidence> evidence{};
};

class JudgedFile {
 public:
  // Replaces a file of that name; its first line names the numbers.
  static Result<std::unique_ptr<JudgedFile>> create(const std::string& path);

  Status add(const Judgement& judgement);
  Status close() { return file_->close(); }

 private:
  explicit JudgedFile(std::unique_ptr<storage::WritableFile> file) : file_(std::move(file)) {}
  std::unique_ptr<storage::WritableFile> file_;
};

}  // namespace mneme::app
