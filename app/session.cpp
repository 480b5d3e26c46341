#include "app/session.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/bytes.h"
#include "engine/codec/codec.h"
#include "engine/language_model.h"
#include "rag/workspace.h"
#include "storage/env/file_env.h"

namespace mneme::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kShippedModel = "mneme-mini.gguf";
constexpr const char* kShippedEmbedder = "mneme-embed.gguf";

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

}  // namespace

std::string assets_folder() {
  if (const char* named = std::getenv("MNEME_ASSETS"); named != nullptr && *named != '\0') return named;
  std::error_code error;
  const fs::path binary = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path installed = binary.parent_path().parent_path() / "share" / "mneme";
    if (is_folder(installed)) return installed.string();
  }
  return is_folder(MNEME_SOURCE_ASSETS) ? MNEME_SOURCE_ASSETS : "";
}

std::string shipped_model(const std::string& file_name) {
  const std::string folder = assets_folder();
  if (folder.empty()) return "";
  const fs::path path = fs::path(folder) / "models" / file_name;
  return is_file(path) ? path.string() : "";
}

Result<rag::WorkspaceOptions> workspace_options(const Context& context) {
  rag::WorkspaceOptions options;
  options.home = context.directories.data;
  options.model = context.options.model;
  options.embedder = context.options.embedder;
  options.shipped_model = shipped_model(kShippedModel);
  options.shipped_embedder = shipped_model(kShippedEmbedder);
  options.device = context.options.device;
  options.n_threads = context.options.threads;
  options.interrupt = &context.cancel;
  for (const std::string& root : context.options.kv_roots) options.kv.roots.push_back(absolute_path(root));
  options.kv.quota_bytes = static_cast<uint64_t>(context.options.kv_quota_gb * 1e9);
  for (const std::string& name : context.options.kv_levels) {
    const std::optional<engine::KvLevel> level = engine::kv_level_from_name(name);
    if (!level) return usage_error("unknown KV level " + name + " in --kv-levels; there are exact, high, medium, low.");
    options.kv.levels.push_back(*level);
  }
  return options;
}

Result<std::unique_ptr<rag::Workspace>> open_workspace(const Context& context) {
  MNEME_ASSIGN_OR_RETURN(const rag::WorkspaceOptions options, workspace_options(context));
  return rag::Workspace::open(options);
}

Result<std::string> model_path(const Context& context) {
  const std::string& name = context.options.model;
  if (name == "none") return usage_error("this command needs a language model, but --model is none; name a GGUF file.");
  if (is_file(name)) return name;
  if (name.find('/') != std::string::npos) {
    return not_found("the model file " + name + " does not exist; check the path given with --model.");
  }
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_workspace(context));
  // Without a name: what asking would use.
  const std::string chosen = name.empty() ? workspace->model_name() : name;
  if (chosen == "none") return usage_error("no language model is set up; name a GGUF file with --model FILE.");
  return workspace->resolve_model(chosen);
}

Result<std::unique_ptr<engine::LanguageModel>> open_model(const Context& context, int context_tokens) {
  MNEME_ASSIGN_OR_RETURN(const std::string path, model_path(context));
  engine::ModelOptions options;
  options.device = {.device = context.options.device, .n_threads = context.options.threads};
  options.context_tokens = context_tokens;
  return engine::LanguageModel::open(path, options);
}

Result<std::string> read_standard_input(uint64_t limit_bytes) {
  std::string text;
  char buffer[1 << 16];
  while (true) {
    const ssize_t n = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (n == 0) return text;
    if (n < 0 && errno == EINTR) return cancelled();
    if (n < 0) return errno_error("read", "standard input", errno);
    text.append(buffer, static_cast<size_t>(n));
    if (text.size() > limit_bytes) {
      return resource_error("standard input holds more than " + std::to_string(limit_bytes) +
                            " bytes; give a shorter text.");
    }
  }
}

Result<std::string> read_text_file(const std::string& path, uint64_t limit_bytes) {
  if (path == "-") return read_standard_input(limit_bytes);
  MNEME_ASSIGN_OR_RETURN(const std::vector<std::byte> bytes,
                         storage::read_whole(storage::FileEnv::posix(), path, limit_bytes));
  return std::string(as_text(bytes));
}

std::string absolute_path(const std::string& path) {
  std::error_code error;
  std::string absolute = fs::absolute(path, error).lexically_normal().string();
  if (error) return path;
  if (absolute.size() > 1 && absolute.ends_with('/')) absolute.pop_back();
  return absolute;
}

}  // namespace mneme::app
