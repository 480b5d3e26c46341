// A GGUF file (versions 2 and 3): typed metadata and tensor directory, checked in full before anything is used.
//
//   file      := "GGUF" version:u32 n_tensors:u64 n_metadata:u64 metadata* tensor_info* padding data
//   metadata  := key:string type:u32 value         string := length:u64 bytes
//   tensor    := name:string n_dims:u32 dims:u64[n_dims] type:u32 offset:u64   (offset from `data`, aligned)
//
// A model may lie in several files (part_name.h): all metadata in the first, with split.count; tensors in each; in each
// its number from 0 (split.no).
//
// parse() works on bytes, open() maps files; fuzzing goes at parse(). Every count, length, offset and product is
// bounded by the bytes left before anything is allocated. Ownership: views point into the file's bytes and live as long
// as it does. Threads: immutable after parse.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/bytes.h"
#include "base/status.h"
#include "engine/gguf/part_name.h"
#include "engine/gguf/tensor_type.h"

namespace mneme::gguf {

// Metadata arrays keep their elements in one vector; arrays of arrays are refused.
using MetaValue = std::variant<uint64_t, int64_t, double, bool, std::string, std::vector<uint64_t>,
                               std::vector<int64_t>, std::vector<double>, std::vector<bool>, std::vector<std::string>>;

struct TensorInfo {
  std::string name;
  std::vector<uint64_t> dims;  // as stored: dims[0] is the row length (fastest)
  TensorType type = TensorType::kF32;
  ByteSpan bytes;  // exactly the tensor's data
  uint64_t n_elements() const;
  uint64_t n_rows() const;  // product of dims[1..]
};

class GgufFile {
 public:
  // `name` is for messages. Errors: kCorruption (truncated, impossible counts, overlapping or unaligned data),
  // kUnsupported (version, big-endian, unknown tensor type: named, with the supported ones).
  static Result<GgufFile> parse(ByteSpan bytes, std::string name);
  // Maps the file read-only; where it is a part of a model, any of them, all of it. kNotFound (also for a part that is
  // missing), kIo, and those of parse(); kCorruption where parts are not of one model.
  static Result<GgufFile> open(const std::string& path);

  GgufFile(GgufFile&&) noexcept;
  GgufFile& operator=(GgufFile&&) noexcept;
  ~GgufFile();

  const std::string& name() const;
  const std::map<std::string, MetaValue, std::less<>>& metadata() const;
  const std::vector<TensorInfo>& tensors() const;
  const TensorInfo* find_tensor(std::string_view name) const;
  ByteSpan bytes() const;                         // of a file in one part; else of the first
  uint64_t n_bytes() const;                       // of all parts
  const std::vector<std::string>& paths() const;  // of the parts that open() mapped, in order

  bool is_mapped() const;  // made by open()

  // Gives the memory of mapped files back to the system; it is read again when touched. For after hashing or
  // repacking.
  void release_pages() const;

  // Typed access; integers of any width convert when the value fits. Nothing when absent or of another type.
  const MetaValue* find(std::string_view key) const;
  std::optional<int64_t> integer(std::string_view key) const;
  std::optional<double> number(std::string_view key) const;  // integers too
  std::optional<bool> boolean(std::string_view key) const;
  std::optional<std::string_view> text(std::string_view key) const;
  const std::vector<std::string>* strings(std::string_view key) const;
  std::optional<std::vector<int64_t>> integers(std::string_view key) const;  // a list; too large ones are -1
  std::optional<std::vector<bool>> flags(std::string_view key) const;        // a list of booleans, or of integers

 private:
  struct State;
  explicit GgufFile(std::unique_ptr<State> state);
  static Result<GgufFile> open_one(const std::string& path);
  static Result<GgufFile> open_part(const PartName& name, int number);
  void append(GgufFile part);
  Status index_tensors();
  std::unique_ptr<State> state_;
};

}  // namespace mneme::gguf
