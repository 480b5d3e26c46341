#include "rag/workspace.h"

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include "base/guarded.h"
#include "base/hash.h"
#include "base/mutex.h"
#include "base/thread_pool.h"
#include "base/trace.h"
#include "engine/gguf/gguf_file.h"
#include "engine/kv/chunk_kv.h"
#include "engine/language_model.h"
#include "rag/embedding/embedder.h"
#include "rag/kv_reuse/clustering_times.h"
#include "rag/kv_reuse/kv_background.h"
#include "rag/kv_reuse/kv_library.h"
#include "rag/models/open_model.h"
#include "rag/vectors/embedding_background.h"
#include "rag/vectors/vector_indexes.h"
#include "storage/catalogue/catalogue.h"
#include "storage/env/file_env.h"
#include "storage/home.h"

namespace mneme::rag {

namespace {

constexpr std::string_view kNone = "none";
constexpr std::string_view kHashed = "hashed";  // the embedder that needs no file

// What whoever made the shipped model says of its measurements in the file itself: true when it meets the bars of
// assets/models/README.md.
constexpr std::string_view kMeetsBarsKey = "mneme.quality.meets_bars";

// Model files are the engine's to open, on the operating system's disk whatever the home lies on.
bool is_file(const std::string& path) {
  if (path.empty()) return false;
  const Result<storage::FileStat> stat = storage::FileEnv::posix().stat(path);
  return stat.ok() && stat->kind != storage::FileKind::kDirectory;
}

// Whether the language model that came with the program answers when the user names none: only when it was measured to
// meet its own bars, since a quoted sentence is worth more than a wrong one. It stays available by its name.
bool answers_by_default(const std::string& shipped) {
  const Result<gguf::GgufFile> file = gguf::GgufFile::open(shipped);
  return file.ok() && file.value().boolean(kMeetsBarsKey).value_or(false);
}

// The given name, else the registered default of this kind, else the shipped file, else `last_resort`.
Result<std::string> choose(const std::string& given, std::string_view kind, const std::string& shipped,
                           std::string_view last_resort, storage::Catalogue& catalogue) {
  if (!given.empty()) return given;
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ModelRecord> models, catalogue.list_models());
  for (const storage::ModelRecord& model : models) {
    if (model.kind == kind && model.is_default) return model.name;
  }
  return is_file(shipped) ? shipped : std::string(last_resort);
}

// With its slash at the end; "" for a bare name.
std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

// The name a file that came with the program goes by: "mneme-mini" for .../mneme-mini.gguf.
std::string name_of(const std::string& path) {
  const size_t begin = path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1;
  return path.substr(begin, path.rfind('.') == std::string::npos ? std::string::npos : path.rfind('.') - begin);
}

// Metadata (vocabulary, chat template) lies at a file's beginning; the weights are in the model's identity.
constexpr uint64_t kModelHeadBytes = uint64_t{16} << 20;

Result<Hash128> hash_of_head(storage::FileEnv& env, const std::string& path) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<storage::ReadableFile> file, env.open_readable(path));
  std::vector<std::byte> head(std::min(file->size(), kModelHeadBytes));
  MNEME_RETURN_IF_ERROR(file->read_at(0, head));
  return xxh3_128(head);
}

// Size and time of each of the model's files, or nothing where one cannot be asked.
std::string state_of(const std::vector<std::string>& files, storage::FileEnv& env) {
  std::string state;
  for (const std::string& file : files) {
    const Result<storage::FileStat> stat = env.stat(file);
    if (!stat.ok()) return "";
    state += std::to_string(stat->size_bytes) + " " + std::to_string(stat->mtime_ns) + " ";
  }
  return state;
}

// Where a model's rotations depend on how long a context may become (LongRoPE), its identity does, too: so each is
// remembered by itself.
std::string rotations_of(const engine::ModelConfig& config) {
  Hasher128 hasher;
  for (const engine::RopeConfig& rope : config.ropes) {
    hasher.add(std::as_bytes(std::span(rope.inverse_frequencies)));
    hasher.add(uint64_t{std::bit_cast<uint32_t>(rope.attention_factor)});
  }
  return hasher.finish().hex();
}

// A model file whose bytes are others than when it was first used, although nobody wrote to it since (same size and
// time), has been damaged by its disk: its answers would be nonsense that looks like answers.
Status check_model_file(engine::LanguageModel& model, storage::Catalogue& catalogue, storage::FileEnv& env) {
  const std::string state = state_of(model.files(), env);
  if (state.empty()) return {};
  MNEME_ASSIGN_OR_RETURN(const Hash128 head, hash_of_head(env, model.files().front()));
  const std::string key = "model.file." + xxh3_128(as_bytes(model.path())).hex() + "." + rotations_of(model.config());
  const std::string now = "\"" + state + model.identity().hex() + " " + head.hex() + "\"";
  MNEME_ASSIGN_OR_RETURN(const std::optional<std::string> before, catalogue.setting(key));
  if (before == now) return {};
  if (before.has_value() && before->starts_with("\"" + state)) {
    return corruption("the model file " + model.path() +
                      " holds other bytes than when it was first used, although nobody wrote to it; copy it again");
  }
  // Not being able to remember is no reason not to answer.
  static_cast<void>(catalogue.put_setting(key, now));
  return {};
}

Result<std::string> resolve(const std::string& name_or_path, const WorkspaceOptions& options,
                            storage::Catalogue& catalogue) {
  MNEME_ASSIGN_OR_RETURN(const std::optional<storage::ModelRecord> model, catalogue.find_model(name_or_path));
  if (model.has_value() && !is_file(model->path)) {
    return not_found("the file of the registered model " + model->name + ", " + model->path +
                     ", is not there any more; `mneme model add FILE --name " + model->name +
                     "` says where it is now, `mneme model remove` drops it");
  }
  if (model.has_value()) return model->path;
  if (is_file(name_or_path)) return name_or_path;
  for (const std::string& shipped : {options.shipped_model, options.shipped_embedder}) {
    if (name_or_path == name_of(shipped) && is_file(shipped)) return shipped;
  }
  // Larger ones may lie beside it: "mneme-full".
  if (const std::string beside = folder_of(options.shipped_model) + name_or_path + ".gguf";
      !options.shipped_model.empty() && name_or_path.find('/') == std::string::npos && is_file(beside)) {
    return beside;
  }
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ModelRecord> models, catalogue.list_models());
  std::string known;
  for (const storage::ModelRecord& m : models) known += (known.empty() ? "" : ", ") + m.name;
  return not_found("there is no model file or registered model named " + name_or_path +
                   (known.empty() ? "; none is registered" : "; registered are " + known) +
                   "; add one with `mneme model add FILE`");
}

// Where nobody named it for this run, it may be damaged since it was registered: then no command that embeds can begin.
Result<std::unique_ptr<Embedder>> open_chosen_embedder(const WorkspaceOptions& options, int n_threads,
                                                       storage::Catalogue& catalogue) {
  MNEME_ASSIGN_OR_RETURN(const std::string name,
                         choose(options.embedder, "embedder", options.shipped_embedder, kHashed, catalogue));
  std::string path = name;
  if (name != kHashed) {
    MNEME_ASSIGN_OR_RETURN(path, resolve(name, options, catalogue));
  }
  Result<std::unique_ptr<Embedder>> embedder = open_embedder(path, n_threads, options.device);
  if (embedder.ok() || !options.embedder.empty() || path == options.shipped_embedder) return embedder;
  return Status(embedder.status().code(), embedder.status().message() + "; `mneme model remove " + name +
                                              "` goes back to the embedder that came with mneme");
}

}  // namespace

struct Workspace::State {
  WorkspaceOptions options;
  storage::FileEnv* env = nullptr;
  int n_threads = 1;
  std::unique_ptr<storage::Catalogue> catalogue;
  std::unique_ptr<Embedder> embedder;
  std::unique_ptr<VectorIndexes> vectors;
  std::unique_ptr<EmbeddingBackground> embedding;  // ends before what it works on
  std::string kv_folder;
  std::string models_folder;
  mutable Mutex model_mutex;
  std::string model_choice MNEME_GUARDED_BY(model_mutex);  // name or path, or "none"
  // In the order of who needs whom: the background thread ends first, the model last.
  std::unique_ptr<engine::LanguageModel> reader MNEME_GUARDED_BY(model_mutex);
  std::unique_ptr<engine::LanguageModel> model MNEME_GUARDED_BY(model_mutex);
  std::unique_ptr<KvLibrary> kv_library MNEME_GUARDED_BY(model_mutex);
  std::unique_ptr<KvBackground> kv_background MNEME_GUARDED_BY(model_mutex);
};

Workspace::Workspace(std::unique_ptr<State> state) : state_(std::move(state)) {}
Workspace::~Workspace() {
  // Under want of memory what was measured is not saved.
  attempt([&] {
    MutexLock lock(state_->model_mutex);
    if (state_->model == nullptr) return;
    ClusteringTimesFile times(*state_->env, state_->models_folder, state_->model->path());
    keep_clustering_times(times, *state_->model);
  });
}

Result<std::unique_ptr<Workspace>> Workspace::open(const WorkspaceOptions& options) {
  auto state = std::make_unique<State>();
  state->options = options;
  state->env = options.env != nullptr ? options.env : &storage::FileEnv::posix();
  state->n_threads = options.n_threads > 0 ? options.n_threads : std::max(1, ThreadPool::physical_cores());
  MNEME_ASSIGN_OR_RETURN(const storage::Home home, storage::open_home(*state->env, options.home));
  storage::CatalogueOptions catalogue_options;
  catalogue_options.path = home.catalogue();
  catalogue_options.env = options.env;
  Result<std::unique_ptr<storage::Catalogue>> opened = storage::Catalogue::open(catalogue_options);
  if (!opened.ok()) return storage::why_not_opened(*state->env, home, opened.status());
  state->catalogue = std::move(opened).value();
  storage::Catalogue& catalogue = *state->catalogue;
  state->kv_folder = home.kv_folder();
  state->models_folder = home.models_folder();

  MNEME_ASSIGN_OR_RETURN(state->embedder, open_chosen_embedder(options, state->n_threads, catalogue));
  const bool shipped_answers = options.model.empty() && answers_by_default(options.shipped_model);
  MNEME_ASSIGN_OR_RETURN(
      std::string model_choice,
      choose(options.model, "language", shipped_answers ? options.shipped_model : "", kNone, catalogue));
  {
    MutexLock lock(state->model_mutex);
    state->model_choice = std::move(model_choice);
  }
  state->vectors =
      std::make_unique<VectorIndexes>(catalogue, *state->env, home.index_folder(), *state->embedder, state->n_threads);
  state->embedding = std::make_unique<EmbeddingBackground>(*state->vectors);
  return std::unique_ptr<Workspace>(new Workspace(std::move(state)));
}

const WorkspaceOptions& Workspace::options() const {
  return state_->options;
}
storage::Catalogue& Workspace::catalogue() {
  return *state_->catalogue;
}
storage::FileEnv& Workspace::env() {
  return *state_->env;
}
const Embedder& Workspace::embedder() const {
  return *state_->embedder;
}
VectorIndexes& Workspace::vectors() {
  return *state_->vectors;
}
EmbeddingBackground& Workspace::embedding() {
  return *state_->embedding;
}
int Workspace::n_threads() const {
  return state_->n_threads;
}
std::string Workspace::model_name() const {
  MutexLock lock(state_->model_mutex);
  const std::string choice = state_->model_choice;
  return !choice.empty() && choice == state_->options.shipped_model ? name_of(choice) : choice;
}

bool Workspace::model_is_open() const {
  MutexLock lock(state_->model_mutex);
  return state_->model != nullptr;
}

void Workspace::save_kv_counters() {
  MutexLock lock(state_->model_mutex);
  if (state_->kv_library != nullptr) state_->kv_library->save_counters();
}

void Workspace::close_model() {
  MutexLock lock(state_->model_mutex);
  if (state_->kv_background != nullptr) state_->kv_background->cancel();
  state_->kv_background.reset();
  state_->kv_library.reset();
  state_->model.reset();
  state_->reader.reset();
}

Status Workspace::choose_model(const ModelChoice& choice) {
  if (choice.model != kNone) MNEME_RETURN_IF_ERROR(resolve_model(choice.model).status());
  close_model();
  MutexLock lock(state_->model_mutex);
  state_->model_choice = choice.model.empty() ? std::string(kNone) : choice.model;
  state_->options.device = choice.device;
  state_->options.context_tokens = choice.context_tokens;
  return {};
}

Result<std::string> Workspace::resolve_model(const std::string& name_or_path) {
  return resolve(name_or_path, state_->options, *state_->catalogue);
}

Result<engine::LanguageModel*> Workspace::model() {
  MutexLock lock(state_->model_mutex);
  if (state_->model_choice == kNone) return static_cast<engine::LanguageModel*>(nullptr);
  if (state_->model == nullptr) {
    const trace::Span span("open model", "rag");
    MNEME_ASSIGN_OR_RETURN(const std::string path, resolve_model(state_->model_choice));
    engine::ModelOptions options;
    options.device.device = state_->options.device;
    options.device.gpu_layers = state_->options.gpu_layers;
    options.device.n_threads = state_->n_threads;
    options.context_tokens = state_->options.context_tokens;
    MNEME_ASSIGN_OR_RETURN(std::unique_ptr<engine::LanguageModel> model, open_to_answer(path, options));
    MNEME_RETURN_IF_ERROR(check_model_file(*model, *state_->catalogue, storage::FileEnv::posix()));
    state_->model = std::move(model);
    ClusteringTimesFile times(*state_->env, state_->models_folder, path);
    restore_clustering_times(times, *state_->model);
  }
  return state_->model.get();
}

Result<engine::LanguageModel*> Workspace::reader() {
  MutexLock lock(state_->model_mutex);
  const std::string& path = state_->options.shipped_reader;
  const bool is_wanted = state_->options.model != kNone && state_->model_choice == kNone;
  if (!is_wanted || !is_file(path)) return static_cast<engine::LanguageModel*>(nullptr);
  if (state_->reader == nullptr) {
    const trace::Span span("open model", "rag");
    engine::ModelOptions options;
    options.device.device = "cpu";  // so small that a GPU's start would cost more than it saves
    options.device.n_threads = state_->n_threads;
    MNEME_ASSIGN_OR_RETURN(state_->reader, engine::LanguageModel::open(path, options));
  }
  return state_->reader.get();
}

Result<Workspace::Kv> Workspace::kv() {
  MNEME_ASSIGN_OR_RETURN(engine::LanguageModel* const model, this->model());
  if (model == nullptr) return unsupported("KV caches need a language model; name one with --model");
  MNEME_RETURN_IF_ERROR(engine::check_kv_of_parts(model->config()));
  MutexLock lock(state_->model_mutex);
  if (state_->kv_library == nullptr) {
    MNEME_ASSIGN_OR_RETURN(state_->kv_library,
                           KvLibrary::open(*model, *state_->catalogue, *state_->env, state_->kv_folder,
                                           state_->models_folder, state_->options.kv));
    const CancelToken* interrupt = state_->options.interrupt;
    state_->kv_background = std::make_unique<KvBackground>(*state_->kv_library, *state_->catalogue,
                                                           interrupt != nullptr ? *interrupt : never_cancelled());
  }
  return Kv{state_->kv_library.get(), state_->kv_background.get()};
}

}  // namespace mneme::rag
