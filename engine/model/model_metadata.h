// Numbers of a model's metadata, each bounded as it is read, and what is said of those that are not as they should be.
// Ownership: borrows the file. Threads: const.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/gguf/gguf_file.h"

namespace mneme::engine {

// Far above any model there is, low enough that no product of two such numbers overflows 64 bits.
inline constexpr int kMaxContext = 1 << 28;
inline constexpr int kMaxFfnDim = 1 << 22;

class ModelMetadata {
 public:
  // architecture: what its keys begin with.
  ModelMetadata(const gguf::GgufFile& file, std::string_view architecture) : file_(file), architecture_(architecture) {}

  const gguf::GgufFile& file() const { return file_; }
  std::string key(std::string_view suffix) const { return architecture_ + "." + std::string(suffix); }

  // kCorruption and kUnsupported, with the file's name.
  Status damaged(const std::string& why) const;
  Status refused(const std::string& why) const;

  // An integer in [minimum, maximum]. `otherwise` < minimum means that the key is required.
  Status read_int(std::string_view suffix, int minimum, int maximum, int otherwise, int& out) const;
  // The same of every layer: one number for all of them, or a list of n.
  Status read_layer_ints(std::string_view suffix, int minimum, int maximum, int otherwise, size_t n,
                         std::vector<int>& out) const;
  // A finite number in [minimum, maximum]; `otherwise` when absent.
  Status read_number(std::string_view suffix, double minimum, double maximum, double otherwise, double& out) const;
  Status read_number(std::string_view suffix, double minimum, double maximum, double otherwise, float& out) const;

 private:
  const gguf::GgufFile& file_;
  const std::string architecture_;
};

}  // namespace mneme::engine
