// Writes GGUF version 3: collects metadata and tensors, then lays the file out once. The layout is that of gguf_file.h.
// Ownership: tensor bytes added by view are borrowed until the file is written. Threads: one at a time per writer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/status.h"
#include "engine/gguf/gguf_file.h"

namespace mneme::gguf {

class GgufWriter {
 public:
  // alignment: a power of two; tensors begin at multiples of it.
  explicit GgufWriter(uint64_t alignment = 32) : alignment_(alignment) {}

  // Metadata; keys are written in the order they are added, each once.
  void add_u32(std::string_view key, uint32_t value);
  void add_i32(std::string_view key, int32_t value);
  void add_u64(std::string_view key, uint64_t value);
  void add_f32(std::string_view key, float value);
  void add_bool(std::string_view key, bool value);
  void add_text(std::string_view key, std::string_view value);
  void add_texts(std::string_view key, const std::vector<std::string>& values);
  void add_i32s(std::string_view key, const std::vector<int32_t>& values);
  void add_bools(std::string_view key, const std::vector<bool>& values);
  void add_f32s(std::string_view key, const std::vector<float>& values);

  // dims[0] is the row length. `bytes` must be exactly the tensor's size and stay valid until written.
  void add_tensor(std::string_view name, std::vector<uint64_t> dims, TensorType type, ByteSpan bytes);

  // A tensor whose bytes the caller fills in after finish(), zero until then: saves a copy of large weights.
  void add_tensor_space(std::string_view name, std::vector<uint64_t> dims, TensorType type, uint64_t n_bytes);

  // The whole file in memory; and to a path (kIo, kNoSpace; a partial file is removed).
  std::vector<std::byte> finish() const;
  Status write(const std::string& path) const;  // not for a writer with tensor spaces

 private:
  struct Tensor {
    std::string name;
    std::vector<uint64_t> dims;
    TensorType type;
    ByteSpan bytes;  // empty for a space
    uint64_t n_bytes;
  };

  template <typename T>
  void put(T value);
  void put_string(std::string_view text);
  void begin_pair(std::string_view key, uint32_t type);
  void begin_array(std::string_view key, uint32_t type, uint64_t count);
  std::vector<std::byte> header() const;  // everything before the data section, padded

  uint64_t alignment_;
  uint64_t n_pairs_ = 0;
  std::vector<std::byte> pairs_;
  std::vector<Tensor> tensors_;
};

}  // namespace mneme::gguf
