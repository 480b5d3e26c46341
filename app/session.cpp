#include "app/session.h"

#include <charconv>
#include <filesystem>
#include <optional>
#include <system_error>

#include "app/assets.h"
#include "app/config/config_changes.h"
#include "app/home_files.h"
#include "app/output/terminal_text.h"
#include "engine/codec/codec.h"
#include "engine/gguf/gguf_file.h"
#include "engine/language_model.h"
#include "engine/model/config_reader.h"
#include "engine/model/model_identity.h"
#include "rag/embedding/embedder.h"
#include "rag/models/open_model.h"
#include "rag/retrieval/query.h"
#include "rag/text/languages/notes.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::app {
namespace {

constexpr const char* kShippedModel = "mneme-mini.gguf";
constexpr const char* kShippedReader = "mneme-full.gguf";
constexpr const char* kShippedEmbedder = "mneme-embed.gguf";

bool is_file(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

// The command line has seen to it that these are words or digits.
std::optional<int> gpu_layers(const GlobalOptions& options) {
  if (options.gpu_layers == "auto") return std::nullopt;
  int n = 0;
  std::from_chars(options.gpu_layers.data(), options.gpu_layers.data() + options.gpu_layers.size(), n);
  return n;
}

}  // namespace

engine::DeviceOptions device_options(const GlobalOptions& options) {
  return {.device = options.device, .n_threads = options.threads, .gpu_layers = gpu_layers(options)};
}

Result<rag::WorkspaceOptions> plain_workspace_options(const Context& context) {
  rag::WorkspaceOptions options;
  options.home = context.directories.data;
  options.model = context.options.model;
  options.embedder = context.options.embedder;
  options.shipped_model = shipped_model(kShippedModel);
  options.shipped_embedder = shipped_model(kShippedEmbedder);
  options.shipped_reader = shipped_model(kShippedReader);
  options.device = context.options.device;
  options.gpu_layers = gpu_layers(context.options);
  options.n_threads = context.options.threads;
  options.interrupt = &context.cancel;
  options.kv.roots = kv_roots_of(context);
  options.kv.quota_bytes = static_cast<uint64_t>(context.options.kv_quota_gb * 1e9);
  for (const std::string& name : context.options.kv_levels) {
    const std::optional<engine::KvLevel> level = engine::kv_level_from_name(name);
    if (!level) return usage_error("unknown KV level " + name + " in --kv-levels; there are exact, high, medium, low.");
    options.kv.levels.push_back(*level);
  }
  return options;
}

Result<rag::WorkspaceOptions> workspace_options(Context& context) {
  MNEME_RETURN_IF_ERROR(open_home_files(context));
  MNEME_ASSIGN_OR_RETURN(rag::WorkspaceOptions options, plain_workspace_options(context));
  options.env = context.home_files.get();
  return options;
}

Result<std::unique_ptr<rag::Workspace>> open_workspace(Context& context, Tidings tidings) {
  MNEME_ASSIGN_OR_RETURN(const rag::WorkspaceOptions options, workspace_options(context));
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<rag::Workspace> workspace, rag::Workspace::open(options));
  context.output.detail("home " + terminal_line(context.directories.data) + ", settings " +
                        terminal_line(context.directories.config_file()) + ", model " +
                        terminal_line(workspace->model_name()) + ", embedder " + workspace->embedder().identity() +
                        ", " + std::to_string(workspace->n_threads()) + " threads");
  const std::vector<std::string> changes = config_tidings(context, workspace->catalogue());
  if (tidings == Tidings::kLeftOut) return workspace;
  for (const std::string& change : changes) context.output.note("note: " + change);
  return workspace;
}

std::vector<std::string> config_tidings(const Context& context, storage::Catalogue& catalogue) {
  std::vector<std::string> sentences;
  for (const SettingChange& change : look_at_config(context.directories, catalogue, kSeenByCommands)) {
    sentences.push_back("config.toml has changed: " + terminal_line(to_sentence(change)) + ".");
  }
  return sentences;
}

std::string why_nothing_found(rag::Workspace& workspace, const std::string& collection, const std::string& query) {
  uint64_t documents = 0;
  if (const auto stats = workspace.catalogue().stats(); stats.ok()) {
    for (const storage::CollectionStats& one : *stats) {
      if (collection.empty() || one.collection.name == collection) documents += static_cast<uint64_t>(one.documents);
    }
  }
  if (documents > 0 && rag::parse_query(query).filters()) return "";
  if (documents > 0) return rag::note_for(query, &rag::NoteTexts::nothing_goes_with);
  if (!collection.empty()) return rag::note_for(query, &rag::NoteTexts::collection_empty, {{"collection", collection}});
  return rag::note_for(query, &rag::NoteTexts::nothing_indexed);
}

// Registered names may hold slashes ("org/model:8b").
bool can_only_be_a_path(const std::string& model) {
  return model.starts_with('/') || model.starts_with("./") || model.starts_with("../") || model.ends_with(".gguf");
}

Result<std::string> model_path(Context& context) {
  const std::string& name = context.options.model;
  if (name == "none") return usage_error("this command needs a language model, but --model is none; name a GGUF file.");
  if (is_file(name)) return name;
  if (can_only_be_a_path(name)) {
    return not_found("the model file " + name + " does not exist; check the path given with --model.");
  }
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_workspace(context));
  // Without a name: what asking would use.
  const std::string chosen = name.empty() ? workspace->model_name() : name;
  if (chosen == "none") {
    return usage_error(
        "no language model is set up; name a GGUF file with --model FILE, or keep one with `mneme model add FILE`.");
  }
  return workspace->resolve_model(chosen);
}

Result<std::unique_ptr<engine::LanguageModel>> open_model(Context& context, int context_tokens) {
  MNEME_ASSIGN_OR_RETURN(const std::string path, model_path(context));
  engine::ModelOptions options;
  options.device = device_options(context.options);
  options.context_tokens = context_tokens;
  return rag::open_to_answer(path, options);
}

Result<std::string> model_fingerprint(Context& context) {
  MNEME_ASSIGN_OR_RETURN(const std::string path, model_path(context));
  return model_file_fingerprint(path);
}

Result<std::string> model_file_fingerprint(const std::string& path) {
  MNEME_ASSIGN_OR_RETURN(const gguf::GgufFile file, gguf::GgufFile::open(path));
  MNEME_ASSIGN_OR_RETURN(const engine::ModelConfig config, engine::read_model_config(file));
  return engine::model_identity(file, config).hex();
}

}  // namespace mneme::app
