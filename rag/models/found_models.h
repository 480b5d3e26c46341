// Models that other programs have put on this machine: GGUF files where Ollama, LM Studio, GPT4All, Jan, llama.cpp and
// the Hugging Face hub keep theirs, and in Downloads. Only folders and Ollama's manifests are read; what a file is and
// whether it runs, model_facts.h says.
// Sources: the programs' documentation; Ollama's store is manifests/HOST/NAMESPACE/MODEL/TAG (JSON with the digest of
// each layer) beside blobs/sha256-DIGEST. Threads: pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"

namespace mneme::rag {

struct FoundModel {
  std::string path;     // of a model in parts, the first of them
  std::string name;     // as its program calls it ("llama3.2:3b"), else its file's name without extension
  std::string program;  // "Ollama"
  uint64_t bytes = 0;   // of all parts
};

struct ModelPlace {
  std::string program;
  std::string folder;
  int depth = 0;              // of folders below it that are looked into
  bool of_manifests = false;  // Ollama's store
};

// A variable of the environment, empty where it is not set.
using Environment = std::function<std::string(const std::string&)>;
Environment process_environment();

// Where models may lie for this user, whether the folders exist or not. Nothing without HOME.
std::vector<ModelPlace> model_places(const Environment& environment);

// By program, then by name; each file once. What cannot be read is left out, and so are projectors of images. Folders
// are looked through until so many of their entries were seen that they cannot be folders of models.
std::vector<FoundModel> find_models(const std::vector<ModelPlace>& places,
                                    const CancelToken& cancel = never_cancelled());

// The first of those that is called so. No folder is looked into for what can only be the path of a file, nor those of
// further programs once one has it.
std::optional<FoundModel> find_model(const std::vector<ModelPlace>& places, const std::string& name,
                                     const CancelToken& cancel = never_cancelled());

}  // namespace mneme::rag
