// Carries out what the window asks for and publishes what it shows. Owns the workspace and six threads: one for the
// catalogue, one for indexing, one for conversations that come and go, one for answering, one for documents to look at,
// one that loads models, so that none waits for another and the window waits for none.
// Threads: post(), snapshot() from any thread. `wake` is called from the controller's threads after each new snapshot.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/status.h"
#include "rag/workspace.h"
#include "ui/view_model/command.h"
#include "ui/view_model/snapshot.h"

namespace mneme::storage {
class Catalogue;
class FileEnv;
}  // namespace mneme::storage

namespace mneme::ui {

// The files of an encrypted home, by its passphrase; empty where the home is not, or is open already. kUsage for a
// wrong one. Called on the controller's thread.
using UnlockHome = std::function<Result<std::shared_ptr<storage::FileEnv>>(ByteSpan passphrase)>;

class Controller {
 public:
  struct Options {
    rag::WorkspaceOptions workspace;
    std::string samples_folder;
    std::string notice{};  // what went wrong before, to be shown first; empty: nothing
    // Called once the home is open, on the controller's thread: what else is to be told, a sentence each.
    std::function<std::vector<std::string>(storage::Catalogue&)> tidings{};
    UnlockHome unlock{};
    // Of the window: what goes before the one that was chosen in it, and what the system asks for where none was
    // (codes, ui/language/languages.h; empty: nothing, and English).
    std::string language{};
    std::string system_language{};
  };
  Controller(Options options, std::function<void()> wake);
  // Stops answering and indexing after the documents in work; nothing finished is lost.
  ~Controller();
  Controller(const Controller&) = delete;
  Controller& operator=(const Controller&) = delete;

  std::shared_ptr<const Snapshot> snapshot() const;
  // Whether another one than `shown` is current.
  bool has_newer(const Snapshot* shown) const;
  // For who draws: a snapshot that is no longer needed is freed by who publishes, not in the middle of a frame.
  void take_back(std::shared_ptr<const Snapshot> snapshot);
  void post(Command command);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mneme::ui
