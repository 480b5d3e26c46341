#include "rag/models/found_models.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "engine/gguf/part_name.h"
#include "rag/models/model_facts.h"

namespace mneme::rag {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kMostEntries = 20'000;              // of one place
constexpr uintmax_t kLongestManifest = 1u << 20;  // bytes; they have a few hundred
constexpr std::string_view kWeights = "application/vnd.ollama.image.model";
constexpr std::string_view kDigest = "sha256:";
constexpr std::string_view kLibrary = "library";  // Ollama's own namespace, which its names leave out

// The regular files below a folder. Errors end the walk of what they are of.
std::vector<fs::path> files_below(const ModelPlace& place, const CancelToken& cancel) {
  std::vector<fs::path> files;
  std::error_code error;
  fs::recursive_directory_iterator it(place.folder, fs::directory_options::skip_permission_denied, error);
  for (int n = 0; !error && it != fs::recursive_directory_iterator() && n < kMostEntries && !cancel.cancelled(); ++n) {
    std::error_code unreadable;
    if (it.depth() >= place.depth) it.disable_recursion_pending();
    if (it->is_regular_file(unreadable)) files.push_back(it->path());
    it.increment(error);
  }
  return files;
}

uint64_t size_of(const fs::path& path) {
  std::error_code error;
  const uintmax_t size = fs::file_size(path, error);
  return error ? 0 : size;
}

// "model.gguf" of programs that keep each model in a folder of its own is called by that.
std::string name_of(const fs::path& path) {
  std::string name = model_name_of(path.string());
  return name == "model" && path.has_parent_path() ? path.parent_path().filename().string() : name;
}

std::optional<FoundModel> model_of_file(const ModelPlace& place, const fs::path& path) {
  if (path.extension() != ".gguf" || path.filename().string().starts_with("mmproj")) return std::nullopt;
  FoundModel model{path.string(), name_of(path), place.program, size_of(path)};
  const std::optional<gguf::PartName> part = gguf::part_name(model.path);
  if (part && part->number > 1) return std::nullopt;
  for (int number = 2; part && number <= part->n_parts; ++number) {
    const uint64_t bytes = size_of(gguf::part_path(*part, number));
    if (bytes == 0) return std::nullopt;  // still on its way
    model.bytes += bytes;
  }
  return model;
}

// "sha256:..." of the layer with the weights; empty where the text is no such manifest.
std::string digest_of_weights(const std::string& text) {
  const json manifest = json::parse(text, nullptr, false);
  if (!manifest.is_object() || !manifest.contains("layers")) return "";
  for (const json& layer : manifest["layers"]) {
    const auto text_of = [&](const char* key) {
      const auto found = layer.is_object() ? layer.find(key) : layer.end();
      return found != layer.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    if (text_of("mediaType") == kWeights) return text_of("digest");
  }
  return "";
}

// A digest is part of a path, so it holds nothing but digits.
bool is_digest(std::string_view text) {
  return text.starts_with(kDigest) && text.find_first_not_of("0123456789abcdef", kDigest.size()) == text.npos;
}

// ".../registry.ollama.ai/library/llama3.2/3b" is "llama3.2:3b"; of another namespace, "NAMESPACE/llama3.2:3b".
std::string ollama_name(const fs::path& manifest) {
  const fs::path model = manifest.parent_path();
  const std::string space = model.parent_path().filename().string();
  const std::string name = model.filename().string() + ":" + manifest.filename().string();
  return space.empty() || space == kLibrary ? name : space + "/" + name;
}

std::optional<FoundModel> model_of_manifest(const ModelPlace& place, const fs::path& manifest) {
  if (size_of(manifest) > kLongestManifest) return std::nullopt;
  std::ifstream file(manifest, std::ios::binary);
  const std::string digest = digest_of_weights({std::istreambuf_iterator<char>(file), {}});
  if (!is_digest(digest)) return std::nullopt;
  const fs::path blob = fs::path(place.folder).parent_path() / "blobs" / ("sha256-" + digest.substr(kDigest.size()));
  const uint64_t bytes = size_of(blob);
  if (bytes == 0) return std::nullopt;
  return FoundModel{blob.string(), ollama_name(manifest), place.program, bytes};
}

// No program's name of a model: "./a", "/a/b", "~/a", "a/b/c" (Ollama's have one slash at most), "a.gguf".
bool is_path_of_file(std::string_view name) {
  const bool begins_so = name.empty() || name.starts_with('/') || name.starts_with('.') || name.starts_with('~');
  return begins_so || name.ends_with(".gguf") || std::count(name.begin(), name.end(), '/') > 1;
}

std::string or_else(std::string value, std::string otherwise) {
  return value.empty() ? std::move(otherwise) : std::move(value);
}

}  // namespace

Environment process_environment() {
  return [](const std::string& name) {
    const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): nobody sets it
    return std::string(value == nullptr ? "" : value);
  };
}

std::vector<ModelPlace> model_places(const Environment& environment) {
  const std::string home = environment("HOME");
  if (home.empty()) return {};
  const std::string data = or_else(environment("XDG_DATA_HOME"), home + "/.local/share");
  const std::string cache = or_else(environment("XDG_CACHE_HOME"), home + "/.cache");
  const std::string hub = or_else(environment("HF_HOME"), cache + "/huggingface") + "/hub";
  const std::string ollama = or_else(environment("OLLAMA_MODELS"), home + "/.ollama/models");
  return {{"Ollama", ollama + "/manifests", 4, true},
          {"Ollama", "/usr/share/ollama/.ollama/models/manifests", 4, true},  // where it is a service
          {"LM Studio", home + "/.lmstudio/models", 3},
          {"LM Studio", home + "/.cache/lm-studio/models", 3},  // of older versions
          {"GPT4All", data + "/nomic.ai/GPT4All", 1},
          {"Jan", data + "/Jan/data", 6},
          {"Jan", home + "/.config/Jan/data", 6},
          {"Jan", home + "/jan/models", 3},
          {"llama.cpp", or_else(environment("LLAMA_CACHE"), cache + "/llama.cpp"), 1},
          {"Hugging Face", or_else(environment("HF_HUB_CACHE"), hub), 5},
          {"Downloads", home + "/Downloads", 1},
          {"models", home + "/models", 3}};
}

std::vector<FoundModel> find_models(const std::vector<ModelPlace>& places, const CancelToken& cancel) {
  std::vector<FoundModel> models;
  std::set<fs::path> known;  // without links, which the hub's folders are made of
  for (const ModelPlace& place : places) {
    for (const fs::path& file : files_below(place, cancel)) {
      std::optional<FoundModel> model =
          place.of_manifests ? model_of_manifest(place, file) : model_of_file(place, file);
      std::error_code error;
      if (model && known.insert(fs::canonical(model->path, error)).second) models.push_back(std::move(*model));
    }
  }
  std::sort(models.begin(), models.end(), [](const FoundModel& a, const FoundModel& b) {
    return std::tie(a.program, a.name, a.path) < std::tie(b.program, b.name, b.path);
  });
  return models;
}

std::optional<FoundModel> find_model(const std::vector<ModelPlace>& places, const std::string& name,
                                     const CancelToken& cancel) {
  if (is_path_of_file(name)) return std::nullopt;
  std::map<std::string, std::vector<ModelPlace>> by_program;
  for (const ModelPlace& place : places) by_program[place.program].push_back(place);
  for (const auto& [program, its_places] : by_program) {
    const std::vector<FoundModel> models = find_models(its_places, cancel);
    const auto named = std::find_if(models.begin(), models.end(), [&](const FoundModel& m) { return m.name == name; });
    if (named != models.end()) return *named;
  }
  return std::nullopt;
}

}  // namespace mneme::rag
