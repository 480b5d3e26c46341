#include "engine/gguf/gguf_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <limits>
#include <unordered_map>
#include <utility>

#include "base/file_descriptor.h"
#include "engine/gguf/gguf_parser.h"

namespace mneme::gguf {

struct GgufFile::Parts {
  std::string name;
  ByteSpan bytes;
  GgufContents contents;
  std::unordered_map<std::string_view, size_t> tensor_index;  // views into the tensors' names
  void* mapping = nullptr;
  size_t mapping_bytes = 0;

  Parts() = default;
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  ~Parts() {
    if (mapping != nullptr) munmap(mapping, mapping_bytes);
  }
};

uint64_t TensorInfo::n_elements() const {
  uint64_t product = 1;
  for (const uint64_t dim : dims) product *= dim;
  return product;
}

uint64_t TensorInfo::n_rows() const {
  return dims.empty() ? 0 : n_elements() / dims[0];
}

GgufFile::GgufFile(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
GgufFile::GgufFile(GgufFile&&) noexcept = default;
GgufFile& GgufFile::operator=(GgufFile&&) noexcept = default;
GgufFile::~GgufFile() = default;

Result<GgufFile> GgufFile::parse(ByteSpan bytes, std::string name) {
  auto parts = std::make_unique<Parts>();
  parts->name = std::move(name);
  parts->bytes = bytes;
  MNEME_ASSIGN_OR_RETURN(parts->contents, parse_gguf(bytes, parts->name));
  const std::vector<TensorInfo>& tensors = parts->contents.tensors;
  for (size_t i = 0; i < tensors.size(); ++i) parts->tensor_index.emplace(tensors[i].name, i);
  return GgufFile(std::move(parts));
}

Result<GgufFile> GgufFile::open(const std::string& path) {
  // O_NONBLOCK: a FIFO is refused, not waited for.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) return errno_error("open the model", path, errno);
  struct stat info{};
  if (fstat(file.get(), &info) != 0) return errno_error("examine the model", path, errno);
  if (S_ISDIR(info.st_mode)) return usage_error("the model " + path + " is a folder; name a GGUF file");
  if (!S_ISREG(info.st_mode)) return unsupported("the model " + path + " is no regular file; name a GGUF file");
  const auto size = static_cast<size_t>(info.st_size);
  void* mapping = size == 0 ? nullptr : mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (mapping == MAP_FAILED) return errno_error("map the model", path, errno);
  auto parsed = parse(ByteSpan(static_cast<const std::byte*>(mapping), size), path);
  if (!parsed.ok()) {
    if (mapping != nullptr) munmap(mapping, size);
    return parsed;
  }
  parsed->parts_->mapping = mapping;
  parsed->parts_->mapping_bytes = size;
  return parsed;
}

bool GgufFile::is_mapped() const {
  return parts_->mapping != nullptr;
}

void GgufFile::release_pages() const {
  // Clean pages of a read-only mapping come back from the page cache when touched again.
  if (parts_->mapping != nullptr) madvise(parts_->mapping, parts_->mapping_bytes, MADV_DONTNEED);
}

const std::string& GgufFile::name() const {
  return parts_->name;
}
const std::map<std::string, MetaValue, std::less<>>& GgufFile::metadata() const {
  return parts_->contents.metadata;
}
const std::vector<TensorInfo>& GgufFile::tensors() const {
  return parts_->contents.tensors;
}
ByteSpan GgufFile::bytes() const {
  return parts_->bytes;
}

const TensorInfo* GgufFile::find_tensor(std::string_view name) const {
  const auto found = parts_->tensor_index.find(name);
  return found == parts_->tensor_index.end() ? nullptr : &parts_->contents.tensors[found->second];
}

const MetaValue* GgufFile::find(std::string_view key) const {
  const auto found = parts_->contents.metadata.find(key);
  return found == parts_->contents.metadata.end() ? nullptr : &found->second;
}

std::optional<int64_t> GgufFile::integer(std::string_view key) const {
  const MetaValue* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (const auto* number = std::get_if<int64_t>(value)) return *number;
  if (const auto* number = std::get_if<uint64_t>(value)) {
    if (*number <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return static_cast<int64_t>(*number);
  }
  return std::nullopt;
}

std::optional<double> GgufFile::number(std::string_view key) const {
  const MetaValue* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (const auto* number = std::get_if<double>(value)) return *number;
  if (const auto* number = std::get_if<uint64_t>(value)) return static_cast<double>(*number);
  if (const auto* number = std::get_if<int64_t>(value)) return static_cast<double>(*number);
  return std::nullopt;
}

std::optional<bool> GgufFile::boolean(std::string_view key) const {
  const MetaValue* value = find(key);
  const bool* found = value == nullptr ? nullptr : std::get_if<bool>(value);
  return found == nullptr ? std::nullopt : std::optional<bool>(*found);
}

std::optional<std::string_view> GgufFile::text(std::string_view key) const {
  const MetaValue* value = find(key);
  const auto* found = value == nullptr ? nullptr : std::get_if<std::string>(value);
  return found == nullptr ? std::nullopt : std::optional<std::string_view>(*found);
}

const std::vector<std::string>* GgufFile::strings(std::string_view key) const {
  const MetaValue* value = find(key);
  return value == nullptr ? nullptr : std::get_if<std::vector<std::string>>(value);
}

std::optional<std::vector<bool>> GgufFile::flags(std::string_view key) const {
  const MetaValue* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (const auto* list = std::get_if<std::vector<bool>>(value)) return *list;
  const auto set = [](const auto& integers) {
    std::vector<bool> bits;
    bits.reserve(integers.size());
    for (const auto integer : integers) bits.push_back(integer != 0);
    return bits;
  };
  if (const auto* list = std::get_if<std::vector<uint64_t>>(value)) return set(*list);
  if (const auto* list = std::get_if<std::vector<int64_t>>(value)) return set(*list);
  return std::nullopt;
}

}  // namespace mneme::gguf
