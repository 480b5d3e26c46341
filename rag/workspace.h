// One opened home: the catalogue, the embedder, the vector indexes and the language model, and nothing else global.
// Commands and the window open one Workspace and make an Indexer, Retriever or Answerer over it.
// What costs time opens at first use: the vector indexes and the model.
// Ownership: owns all of it; references stay valid until it is destroyed. Threads: all functions may be called from
// any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/cancel.h"
#include "base/status.h"
#include "rag/kv_reuse/kv_store_settings.h"

namespace mneme::storage {
class Catalogue;
class FileEnv;
}  // namespace mneme::storage
namespace mneme::engine {
class LanguageModel;
}

namespace mneme::rag {

class Embedder;
class EmbeddingBackground;
class VectorIndexes;
class KvBackground;
class KvLibrary;

struct WorkspaceOptions {
  std::string home;  // holds catalog.db, index/, kv/, models/; made when absent
  // A GGUF file or a registered name; "none": answer by quoting. Empty: the registered default, else the
  // shipped one where its file says that it meets its bars (mneme.quality.meets_bars), else none.
  std::string model;
  std::string
      embedder;  // likewise, the shipped one included; "hashed": the built-in one, which is also the last resort
  // Files that came with the program, known by their names without extension, as are other models in the folder of the
  // first; may be empty or absent.
  std::string shipped_model;
  std::string shipped_embedder;
  std::string shipped_reader;       // reads quotations where the user names no model; may be empty or absent
  std::string device = "auto";      // auto, cpu, cuda, cuda:N
  std::optional<int> gpu_layers;    // of the language model; none: as many as fit
  int n_threads = 0;                // 0: physical cores
  int context_tokens = 0;           // 0: as the model allows
  KvStoreSettings kv;               // beside the home's own kv/
  storage::FileEnv* env = nullptr;  // null: the operating system's files
  // The user's wish to stop: work behind the answers is left for later then. Must outlive the workspace. Null: none.
  const CancelToken* interrupt = nullptr;
};

class Workspace {
 public:
  // kNotFound for an embedder that is not there; kUnsupported for a home written by a newer version; kIo.
  static Result<std::unique_ptr<Workspace>> open(const WorkspaceOptions& options);
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  const WorkspaceOptions& options() const;
  storage::Catalogue& catalogue();
  storage::FileEnv& env();
  const Embedder& embedder() const;
  VectorIndexes& vectors();
  // Makes vectors that are missing, behind what the user does; its thread starts when it is first asked for.
  EmbeddingBackground& embedding();
  int n_threads() const;  // as the options say, resolved

  // The language model, opened at first use; null when the workspace answers by quoting.
  Result<engine::LanguageModel*> model();
  std::string model_name() const;  // as registered or given; "none"
  // The shipped model that finds the short answer in quotations, opened at first use on the processor; null where a
  // model answers by itself, none was asked for ("none"), or none came with the program.
  Result<engine::LanguageModel*> reader();
  bool model_is_open() const;

  // Answers with another model, device or context from now on; the open one, with all that hangs on it, goes first.
  // The caller sees to it that nobody uses model() or kv() meanwhile, and drops every Answerer that did. kNotFound for
  // a model that is not there: then nothing has changed.
  struct ModelChoice {
    std::string model = "none";  // registered name, shipped name or file; "none"
    std::string device = "auto";
    int context_tokens = 0;  // 0: as the model allows
  };
  Status choose_model(const ModelChoice& choice);
  // Gives the open model's memory back; the next question opens it again. The same care as for choose_model().
  void close_model();
  // Brings the catalogue's counters of the KV store up to date while the model stays open.
  void save_kv_counters();

  // The stored KV of the model's chunks, and the thread that adds to it; opened at first use. kUnsupported without a
  // model, and with one whose layers keep a state instead of keys and values (engine/kv/chunk_kv.h).
  struct Kv {
    KvLibrary* library = nullptr;
    KvBackground* background = nullptr;
  };
  Result<Kv> kv();

  // A registered name or a file to the file's path. kNotFound says which names there are.
  Result<std::string> resolve_model(const std::string& name_or_path);

 private:
  struct State;
  explicit Workspace(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace mneme::rag
