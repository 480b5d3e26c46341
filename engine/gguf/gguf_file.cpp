#include "engine/gguf/gguf_file.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "engine/gguf/gguf_parser.h"
#include "engine/gguf/mapped_file.h"

namespace mneme::gguf {

namespace {

constexpr std::string_view kNParts = "split.count";
constexpr std::string_view kPartNumber = "split.no";
constexpr std::string_view kNTensors = "split.tensors.count";  // of all parts

}  // namespace

struct GgufFile::State {
  std::string name;
  ByteSpan bytes;
  uint64_t n_bytes = 0;
  GgufContents contents;
  std::unordered_map<std::string_view, size_t> tensor_index;  // views into the tensors' names
  std::vector<MappedFile> mappings;                           // what bytes and tensors point into, if mapped
  std::vector<std::string> paths;
};

uint64_t TensorInfo::n_elements() const {
  uint64_t product = 1;
  for (const uint64_t dim : dims) product *= dim;
  return product;
}

uint64_t TensorInfo::n_rows() const {
  return dims.empty() ? 0 : n_elements() / dims[0];
}

GgufFile::GgufFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
GgufFile::GgufFile(GgufFile&&) noexcept = default;
GgufFile& GgufFile::operator=(GgufFile&&) noexcept = default;
GgufFile::~GgufFile() = default;

Result<GgufFile> GgufFile::parse(ByteSpan bytes, std::string name) {
  auto state = std::make_unique<State>();
  state->name = std::move(name);
  state->bytes = bytes;
  state->n_bytes = bytes.size();
  MNEME_ASSIGN_OR_RETURN(state->contents, parse_gguf(bytes, state->name));
  GgufFile file(std::move(state));
  MNEME_RETURN_IF_ERROR(file.index_tensors());
  return file;
}

Status GgufFile::index_tensors() {
  const std::vector<TensorInfo>& tensors = state_->contents.tensors;
  state_->tensor_index.clear();
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (!state_->tensor_index.emplace(tensors[i].name, i).second)
      return corruption("cannot read " + state_->name + " as GGUF: tensor '" + printable_name(tensors[i].name) +
                        "' occurs twice; convert the model again");
  }
  return {};
}

Result<GgufFile> GgufFile::open_one(const std::string& path) {
  MNEME_ASSIGN_OR_RETURN(MappedFile mapping, MappedFile::open(path));
  MNEME_ASSIGN_OR_RETURN(GgufFile file, parse(mapping.bytes(), path));
  file.state_->mappings.push_back(std::move(mapping));
  file.state_->paths.push_back(path);
  return file;
}

Result<GgufFile> GgufFile::open_part(const PartName& name, int number) {
  const std::string path = part_path(name, number);
  Result<GgufFile> part = open_one(path);
  const std::string which = "part " + std::to_string(number) + " of " + std::to_string(name.n_parts);
  if (part.status().code() == StatusCode::kNotFound)
    return not_found("cannot open the model " + part_path(name, 1) + ": " + which + ", " + path +
                     ", is not there; put all parts into one folder");
  if (part.ok() && (part->integer(kPartNumber) != number - 1 || part->integer(kNParts) != name.n_parts))
    return corruption("cannot open the model " + part_path(name, 1) + ": by what it holds, " + path + " is not " +
                      which + "; give the parts their own names back or fetch them again");
  return part;
}

// Tensors stay views into the part's mapping, which moves along.
void GgufFile::append(GgufFile part) {
  State& other = *part.state_;
  std::move(other.contents.tensors.begin(), other.contents.tensors.end(), std::back_inserter(state_->contents.tensors));
  std::move(other.mappings.begin(), other.mappings.end(), std::back_inserter(state_->mappings));
  std::move(other.paths.begin(), other.paths.end(), std::back_inserter(state_->paths));
  state_->n_bytes += other.n_bytes;
}

Result<GgufFile> GgufFile::open(const std::string& path) {
  MNEME_ASSIGN_OR_RETURN(GgufFile file, open_one(path));
  const int64_t n_parts = file.integer(kNParts).value_or(1);
  if (n_parts <= 1) return file;
  const std::optional<PartName> name = part_name(path);
  if (!name)
    return unsupported("cannot open the model " + path + ": it is one of " + std::to_string(n_parts) +
                       " parts, and its name does not say what the others are called; name them as they were, like " +
                       part_path({"model", 1, 3}, 1));
  MNEME_ASSIGN_OR_RETURN(file, open_part(*name, 1));
  for (int number = 2; number <= name->n_parts; ++number) {
    MNEME_ASSIGN_OR_RETURN(GgufFile part, open_part(*name, number));
    file.append(std::move(part));
  }
  MNEME_RETURN_IF_ERROR(file.index_tensors());
  const auto n_tensors = static_cast<int64_t>(file.tensors().size());
  if (const auto wanted = file.integer(kNTensors); wanted && *wanted != n_tensors)
    return corruption("cannot open the model " + file.name() + ": its parts hold " + std::to_string(n_tensors) +
                      " tensors of " + std::to_string(*wanted) + "; fetch them again");
  return file;
}

bool GgufFile::is_mapped() const {
  return !state_->mappings.empty();
}

void GgufFile::release_pages() const {
  for (const MappedFile& mapping : state_->mappings) mapping.release_pages();
}

const std::string& GgufFile::name() const {
  return state_->name;
}
const std::map<std::string, MetaValue, std::less<>>& GgufFile::metadata() const {
  return state_->contents.metadata;
}
const std::vector<TensorInfo>& GgufFile::tensors() const {
  return state_->contents.tensors;
}
ByteSpan GgufFile::bytes() const {
  return state_->bytes;
}
uint64_t GgufFile::n_bytes() const {
  return state_->n_bytes;
}
const std::vector<std::string>& GgufFile::paths() const {
  return state_->paths;
}

const TensorInfo* GgufFile::find_tensor(std::string_view name) const {
  const auto found = state_->tensor_index.find(name);
  return found == state_->tensor_index.end() ? nullptr : &state_->contents.tensors[found->second];
}

const MetaValue* GgufFile::find(std::string_view key) const {
  const auto found = state_->contents.metadata.find(key);
  return found == state_->contents.metadata.end() ? nullptr : &found->second;
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

std::optional<std::vector<int64_t>> GgufFile::integers(std::string_view key) const {
  const MetaValue* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (const auto* list = std::get_if<std::vector<int64_t>>(value)) return *list;
  const auto* list = std::get_if<std::vector<uint64_t>>(value);
  if (list == nullptr) return std::nullopt;
  std::vector<int64_t> integers;
  integers.reserve(list->size());
  for (const uint64_t integer : *list)
    integers.push_back(integer > static_cast<uint64_t>(INT64_MAX) ? -1 : static_cast<int64_t>(integer));
  return integers;
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
