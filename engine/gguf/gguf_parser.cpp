#include "engine/gguf/gguf_parser.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace mneme::gguf {
namespace {

constexpr uint32_t kMagic = 0x46554747;  // "GGUF"
constexpr uint64_t kDefaultAlignment = 32;
constexpr uint64_t kMaxAlignment = 1u << 20;
constexpr uint32_t kMaxDims = 4;

// The format's value types; persistent numbers.
enum class MetaType : uint32_t {
  kU8 = 0,
  kI8 = 1,
  kU16 = 2,
  kI16 = 3,
  kU32 = 4,
  kI32 = 5,
  kF32 = 6,
  kBool = 7,
  kString = 8,
  kArray = 9,
  kU64 = 10,
  kI64 = 11,
  kF64 = 12,
};

// A smallest record of each kind, to bound counts by the bytes left.
constexpr uint64_t kMinMetadataBytes = 8 + 4 + 1;            // key length, type, one-byte value
constexpr uint64_t kMinTensorInfoBytes = 8 + 4 + 8 + 4 + 8;  // name length, n_dims, one dimension, type, offset

// Names of types that exist elsewhere but not here, so that the message can say what the user has.
std::string foreign_type_name(uint32_t type) {
  static constexpr std::pair<uint32_t, std::string_view> kNames[] = {
      {4, "Q4_2"},      {5, "Q4_3"},   {9, "Q8_1"},   {15, "Q8_K"},       {16, "IQ2_XXS"},    {17, "IQ2_XS"},
      {18, "IQ3_XXS"},  {19, "IQ1_S"}, {21, "IQ3_S"}, {22, "IQ2_S"},      {24, "I8"},         {25, "I16"},
      {26, "I32"},      {27, "I64"},   {28, "F64"},   {29, "IQ1_M"},      {31, "Q4_0_4_4"},   {32, "Q4_0_4_8"},
      {33, "Q4_0_8_8"}, {34, "TQ1_0"}, {35, "TQ2_0"}, {36, "IQ4_NL_4_4"}, {37, "IQ4_NL_4_8"}, {38, "IQ4_NL_8_8"},
      {40, "NVFP4"},    {41, "Q1_0"},  {42, "Q2_0"}};
  for (const auto& [number, name] : kNames) {
    if (number == type) return std::string(name);
  }
  return "number " + std::to_string(type);
}

class Parser {
 public:
  Parser(ByteSpan bytes, std::string name) : bytes_(bytes), reader_(bytes), name_(std::move(name)) {}

  Status parse(std::map<std::string, MetaValue, std::less<>>& metadata, std::vector<TensorInfo>& tensors) {
    MNEME_RETURN_IF_ERROR(read_header());
    for (uint64_t i = 0; i < n_metadata_; ++i) MNEME_RETURN_IF_ERROR(read_pair(metadata));
    MNEME_RETURN_IF_ERROR(read_alignment(metadata));
    offsets_.reserve(n_tensors_);
    tensors.reserve(n_tensors_);
    for (uint64_t i = 0; i < n_tensors_; ++i) MNEME_RETURN_IF_ERROR(read_tensor_info(tensors));
    return place_tensors(tensors);
  }

 private:
  Status damaged(const std::string& why) const {
    return corruption("cannot read " + name_ + " as GGUF: " + why +
                      "; the file is damaged or incomplete, fetch or convert it again");
  }
  Status truncated(const std::string& where) const { return damaged("it ends within " + where); }

  Status read_header() {
    const auto magic = reader_.read<uint32_t>();
    if (!reader_.ok()) return truncated("its header");
    if (magic != kMagic) return damaged("it does not begin with \"GGUF\"");
    version_ = reader_.read<uint32_t>();
    if (!reader_.ok()) return truncated("its header");
    if ((version_ & 0xffffu) == 0 && version_ != 0)
      return unsupported("cannot read " + name_ + ": it is a big-endian GGUF file, convert it to little-endian");
    if (version_ != 2 && version_ != 3)
      return unsupported("cannot read " + name_ + ": GGUF version " + std::to_string(version_) +
                         " is not supported (2 and 3 are), convert the model again");
    n_tensors_ = reader_.read<uint64_t>();
    n_metadata_ = reader_.read<uint64_t>();
    if (!reader_.ok()) return truncated("its header");
    if (n_metadata_ > reader_.left() / kMinMetadataBytes || n_tensors_ > reader_.left() / kMinTensorInfoBytes)
      return damaged("its header counts more entries than the file could hold");
    return {};
  }

  std::optional<std::string_view> read_string() {
    const auto length = reader_.read<uint64_t>();
    if (!reader_.ok() || length > reader_.left()) return std::nullopt;
    return as_text(reader_.read_bytes(length));
  }

  Status read_pair(std::map<std::string, MetaValue, std::less<>>& metadata) {
    const auto key = read_string();
    if (!key) return truncated("a metadata key");
    const auto type = reader_.read<uint32_t>();
    MetaValue value;
    MNEME_RETURN_IF_ERROR(read_value(*key, type, value));
    if (!metadata.emplace(std::string(*key), std::move(value)).second)
      return damaged("metadata key '" + printable_name(*key) + "' occurs twice");
    return {};
  }

  Status read_value(std::string_view key, uint32_t type, MetaValue& value) {
    switch (static_cast<MetaType>(type)) {
      case MetaType::kU8: value = uint64_t{reader_.read<uint8_t>()}; break;
      case MetaType::kU16: value = uint64_t{reader_.read<uint16_t>()}; break;
      case MetaType::kU32: value = uint64_t{reader_.read<uint32_t>()}; break;
      case MetaType::kU64: value = reader_.read<uint64_t>(); break;
      case MetaType::kI8: value = int64_t{reader_.read<int8_t>()}; break;
      case MetaType::kI16: value = int64_t{reader_.read<int16_t>()}; break;
      case MetaType::kI32: value = int64_t{reader_.read<int32_t>()}; break;
      case MetaType::kI64: value = reader_.read<int64_t>(); break;
      case MetaType::kF32: value = double{reader_.read<float>()}; break;
      case MetaType::kF64: value = reader_.read<double>(); break;
      case MetaType::kBool: value = reader_.read<uint8_t>() != 0; break;
      case MetaType::kString: {
        const auto text = read_string();
        if (!text) return truncated("metadata '" + printable_name(key) + "'");
        value = std::string(*text);
        break;
      }
      case MetaType::kArray: return read_array(key, value);
      default: return damaged("metadata '" + printable_name(key) + "' has the unknown type " + std::to_string(type));
    }
    if (!reader_.ok()) return truncated("metadata '" + printable_name(key) + "'");
    return {};
  }

  // Reads `count` stored elements of type Stored into a vector of Wide.
  template <typename Stored, typename Wide>
  bool read_elements(uint64_t count, MetaValue& value) {
    if (count > reader_.left() / sizeof(Stored)) return false;
    std::vector<Wide> elements;
    elements.reserve(count);
    for (uint64_t i = 0; i < count; ++i) elements.push_back(static_cast<Wide>(reader_.read<Stored>()));
    value = std::move(elements);
    return reader_.ok();
  }

  bool read_strings(uint64_t count, MetaValue& value) {
    if (count > reader_.left() / sizeof(uint64_t)) return false;
    std::vector<std::string> strings;
    strings.reserve(count);
    for (uint64_t i = 0; i < count; ++i) {
      const auto text = read_string();
      if (!text) return false;
      strings.emplace_back(*text);
    }
    value = std::move(strings);
    return true;
  }

  Status read_array(std::string_view key, MetaValue& value) {
    const auto type = reader_.read<uint32_t>();
    const auto count = reader_.read<uint64_t>();
    if (!reader_.ok()) return truncated("metadata '" + printable_name(key) + "'");
    bool complete = false;
    switch (static_cast<MetaType>(type)) {
      case MetaType::kU8: complete = read_elements<uint8_t, uint64_t>(count, value); break;
      case MetaType::kU16: complete = read_elements<uint16_t, uint64_t>(count, value); break;
      case MetaType::kU32: complete = read_elements<uint32_t, uint64_t>(count, value); break;
      case MetaType::kU64: complete = read_elements<uint64_t, uint64_t>(count, value); break;
      case MetaType::kI8: complete = read_elements<int8_t, int64_t>(count, value); break;
      case MetaType::kI16: complete = read_elements<int16_t, int64_t>(count, value); break;
      case MetaType::kI32: complete = read_elements<int32_t, int64_t>(count, value); break;
      case MetaType::kI64: complete = read_elements<int64_t, int64_t>(count, value); break;
      case MetaType::kF32: complete = read_elements<float, double>(count, value); break;
      case MetaType::kF64: complete = read_elements<double, double>(count, value); break;
      case MetaType::kBool: complete = read_elements<uint8_t, bool>(count, value); break;
      case MetaType::kString: complete = read_strings(count, value); break;
      default:
        return unsupported("cannot read " + name_ + ": metadata '" + printable_name(key) + "' is an array of type " +
                           std::to_string(type) + ", which is not supported");
    }
    if (!complete) return truncated("metadata '" + printable_name(key) + "'");
    return {};
  }

  Status read_alignment(const std::map<std::string, MetaValue, std::less<>>& metadata) {
    const auto found = metadata.find("general.alignment");
    if (found == metadata.end()) return {};
    const auto* alignment = std::get_if<uint64_t>(&found->second);
    if (alignment == nullptr || !std::has_single_bit(*alignment) || *alignment > kMaxAlignment)
      return damaged("general.alignment is not a power of two up to " + std::to_string(kMaxAlignment));
    alignment_ = *alignment;
    return {};
  }

  Status read_tensor_info(std::vector<TensorInfo>& tensors) {
    const auto name = read_string();
    if (!name) return truncated("the tensor directory");
    const std::string shown = "tensor '" + printable_name(*name) + "'";
    const auto n_dims = reader_.read<uint32_t>();
    if (!reader_.ok()) return truncated(shown);
    if (n_dims == 0 || n_dims > kMaxDims)
      return damaged(shown + " has " + std::to_string(n_dims) + " dimensions, 1 to 4 are possible");
    TensorInfo info;
    info.name = *name;
    for (uint32_t i = 0; i < n_dims; ++i) info.dims.push_back(reader_.read<uint64_t>());
    const auto type = reader_.read<uint32_t>();
    const auto offset = reader_.read<uint64_t>();
    if (!reader_.ok()) return truncated(shown);
    info.type = static_cast<TensorType>(type);
    if (!tensor_type_info(info.type))
      return unsupported("cannot read " + name_ + ": " + shown + " has type " + foreign_type_name(type) +
                         ", which is not supported (supported: " + std::string(supported_tensor_types()) + ")");
    if (offset % alignment_ != 0) return damaged(shown + " is not aligned");
    offsets_.push_back(offset);
    tensors.push_back(std::move(info));
    return {};
  }

  // Bytes of a tensor, or nothing when the shape is impossible.
  static std::optional<uint64_t> tensor_bytes(const TensorInfo& info) {
    const TensorTypeInfo type = *tensor_type_info(info.type);
    uint64_t n_elements = 1;
    for (const uint64_t dim : info.dims) {
      const auto product = checked_multiply(n_elements, dim);
      if (!product || *product == 0) return std::nullopt;
      n_elements = *product;
    }
    const auto block_elements = static_cast<uint64_t>(type.block_elements);
    if (info.dims[0] % block_elements != 0) return std::nullopt;
    return checked_multiply(n_elements / block_elements, static_cast<uint64_t>(type.block_bytes));
  }

  Status place_tensors(std::vector<TensorInfo>& tensors) {
    const uint64_t data_begin = (reader_.offset() + alignment_ - 1) / alignment_ * alignment_;
    std::vector<std::pair<uint64_t, uint64_t>> ranges;  // begin, end within the data section
    ranges.reserve(tensors.size());
    for (size_t i = 0; i < tensors.size(); ++i) {
      TensorInfo& info = tensors[i];
      const std::string shown = "tensor '" + printable_name(info.name) + "'";
      const auto size = tensor_bytes(info);
      if (!size) return damaged(shown + " has an impossible shape");
      const auto end = checked_add(offsets_[i], *size);
      if (!end || data_begin > bytes_.size() || *end > bytes_.size() - data_begin)
        return damaged(shown + " reaches past the end of the file");
      info.bytes = bytes_.subspan(data_begin + offsets_[i], *size);
      ranges.emplace_back(offsets_[i], *end);
    }
    std::sort(ranges.begin(), ranges.end());
    for (size_t i = 1; i < ranges.size(); ++i) {
      if (ranges[i].first < ranges[i - 1].second) return damaged("tensors overlap");
    }
    return {};
  }

  ByteSpan bytes_;
  ByteReader reader_;
  std::string name_;
  uint32_t version_ = 0;
  uint64_t n_tensors_ = 0;
  uint64_t n_metadata_ = 0;
  uint64_t alignment_ = kDefaultAlignment;
  std::vector<uint64_t> offsets_;  // of each tensor, from the data section's begin
};

}  // namespace

std::string printable_name(std::string_view text) {
  constexpr size_t kMaxShown = 80;
  std::string shown(text.substr(0, kMaxShown));
  for (char& c : shown) {
    if (c < 0x20 || c > 0x7e) c = '?';
  }
  return text.size() > kMaxShown ? shown + "..." : shown;
}

Result<GgufContents> parse_gguf(ByteSpan bytes, const std::string& name) {
  GgufContents contents;
  MNEME_RETURN_IF_ERROR(Parser(bytes, name).parse(contents.metadata, contents.tensors));
  return contents;
}

}  // namespace mneme::gguf
