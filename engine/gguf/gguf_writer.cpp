#include "engine/gguf/gguf_writer.h"

#include <cassert>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace mneme::gguf {

namespace {

// Persistent numbers of the format's value types.
constexpr uint32_t kU32 = 4, kI32 = 5, kF32 = 6, kBool = 7, kString = 8, kArray = 9, kU64 = 10;
constexpr uint32_t kVersion = 3;

void append(std::vector<std::byte>& out, const void* data, size_t size) {
  if (size == 0) return;
  const size_t before = out.size();
  out.resize(before + size);
  std::memcpy(out.data() + before, data, size);
}

template <typename T>
void append_value(std::vector<std::byte>& out, T value) {
  append(out, &value, sizeof(T));
}

void append_string(std::vector<std::byte>& out, std::string_view text) {
  append_value(out, uint64_t{text.size()});
  append(out, text.data(), text.size());
}

uint64_t align_up(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

}  // namespace

template <typename T>
void GgufWriter::put(T value) {
  append_value(pairs_, value);
}

void GgufWriter::put_string(std::string_view text) {
  append_string(pairs_, text);
}

void GgufWriter::begin_pair(std::string_view key, uint32_t type) {
  put_string(key);
  put(type);
  ++n_pairs_;
}

void GgufWriter::begin_array(std::string_view key, uint32_t type, uint64_t count) {
  begin_pair(key, kArray);
  put(type);
  put(count);
}

void GgufWriter::add_u32(std::string_view key, uint32_t value) {
  begin_pair(key, kU32);
  put(value);
}
void GgufWriter::add_i32(std::string_view key, int32_t value) {
  begin_pair(key, kI32);
  put(value);
}
void GgufWriter::add_u64(std::string_view key, uint64_t value) {
  begin_pair(key, kU64);
  put(value);
}
void GgufWriter::add_f32(std::string_view key, float value) {
  begin_pair(key, kF32);
  put(value);
}
void GgufWriter::add_bool(std::string_view key, bool value) {
  begin_pair(key, kBool);
  put(static_cast<uint8_t>(value));
}
void GgufWriter::add_text(std::string_view key, std::string_view value) {
  begin_pair(key, kString);
  put_string(value);
}
void GgufWriter::add_texts(std::string_view key, const std::vector<std::string>& values) {
  begin_array(key, kString, values.size());
  for (const std::string& value : values) put_string(value);
}
void GgufWriter::add_i32s(std::string_view key, const std::vector<int32_t>& values) {
  begin_array(key, kI32, values.size());
  for (const int32_t value : values) put(value);
}
void GgufWriter::add_bools(std::string_view key, const std::vector<bool>& values) {
  begin_array(key, kBool, values.size());
  for (const bool value : values) put<uint8_t>(value ? 1 : 0);
}
void GgufWriter::add_f32s(std::string_view key, const std::vector<float>& values) {
  begin_array(key, kF32, values.size());
  for (const float value : values) put(value);
}

void GgufWriter::add_tensor(std::string_view name, std::vector<uint64_t> dims, TensorType type, ByteSpan bytes) {
  tensors_.push_back({std::string(name), std::move(dims), type, bytes, bytes.size()});
}

void GgufWriter::add_tensor_space(std::string_view name, std::vector<uint64_t> dims, TensorType type,
                                  uint64_t n_bytes) {
  tensors_.push_back({std::string(name), std::move(dims), type, {}, n_bytes});
}

std::vector<std::byte> GgufWriter::header() const {
  std::vector<std::byte> out;
  append(out, "GGUF", 4);
  append_value(out, kVersion);
  append_value(out, uint64_t{tensors_.size()});
  append_value(out, n_pairs_ + 1);
  append_string(out, "general.alignment");
  append_value(out, kU32);
  append_value(out, static_cast<uint32_t>(alignment_));
  append(out, pairs_.data(), pairs_.size());
  uint64_t offset = 0;
  for (const Tensor& tensor : tensors_) {
    append_string(out, tensor.name);
    append_value(out, static_cast<uint32_t>(tensor.dims.size()));
    for (const uint64_t dim : tensor.dims) append_value(out, dim);
    append_value(out, static_cast<uint32_t>(tensor.type));
    append_value(out, offset);
    offset = align_up(offset + tensor.n_bytes, alignment_);
  }
  out.resize(align_up(out.size(), alignment_));
  return out;
}

std::vector<std::byte> GgufWriter::finish() const {
  std::vector<std::byte> out = header();
  uint64_t total = out.size();
  for (const Tensor& tensor : tensors_) total = align_up(total + tensor.n_bytes, alignment_);
  uint64_t offset = out.size();
  out.resize(total);
  for (const Tensor& tensor : tensors_) {
    if (!tensor.bytes.empty()) std::memcpy(out.data() + offset, tensor.bytes.data(), tensor.bytes.size());
    offset = align_up(offset + tensor.n_bytes, alignment_);
  }
  return out;
}

Status GgufWriter::write(const std::string& path) const {
  for ([[maybe_unused]] const Tensor& tensor : tensors_) assert(tensor.bytes.size() == tensor.n_bytes);
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return errno_error("write the model", path, errno);
  const std::vector<std::byte> begin = header();
  const std::vector<std::byte> padding(alignment_);
  bool good = std::fwrite(begin.data(), 1, begin.size(), file) == begin.size();
  for (const Tensor& tensor : tensors_) {
    const size_t size = tensor.bytes.size();
    const size_t pad = align_up(size, alignment_) - size;
    good = good && std::fwrite(tensor.bytes.data(), 1, size, file) == size &&
           std::fwrite(padding.data(), 1, pad, file) == pad;
  }
  good = std::fflush(file) == 0 && good;
  const int error = errno;
  good = std::fclose(file) == 0 && good;
  if (good) return {};
  std::remove(path.c_str());
  return errno_error("write the model", path, error);
}

}  // namespace mneme::gguf
