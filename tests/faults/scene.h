// A home with documents, KV caches and a chat, the work that faults strike, and how one tells that nothing was lost:
// used on real files and on disks in memory alike. Threads: one at a time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "rag/workspace.h"

namespace mneme::faults {

// Every answer a home gives to the test's questions: passages found, sentences quoted, tokens of the model.
using Answers = std::vector<std::string>;

class Scene {
 public:
  // `folder` holds docs/; the home lies in `home` of `env` (null: real files).
  Scene(std::string folder, std::string home, storage::FileEnv* env = nullptr);

  const std::string& home() const { return home_; }
  void set_env(storage::FileEnv* env) { env_ = env; }

  void write_first_documents();
  void write_later_documents();  // one changed, one gone, two new; the rest as before

  // Indexes, computes every KV cache, saves a chat.
  Status fill();
  // All the kinds of work a home sees, in one go: index, KV, eviction, chat, forget, compact.
  Status work();

  // Opens the home and checks every reference and checksum. Ok: sound.
  Status verify();
  // Documents whose file is indexed as it now is.
  Result<int> documents_up_to_date();
  // The indexing part of work() again; gives how many documents it had to read.
  Result<int> index_again();
  // The rest of work(), so that the home is as a clean one, and what it answers then.
  Result<Answers> answers();
  // Messages of all chats, to see that none is cut or lost: "user: text".
  Result<std::vector<std::string>> messages();

 private:
  Result<std::unique_ptr<rag::Workspace>> open(const std::string& model);
  void write(const std::string& name, const std::string& text);

  std::string folder_;
  std::string home_;
  storage::FileEnv* env_;
};

}  // namespace mneme::faults
