#include "rag/readers/mail/tnef.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "rag/readers/office/compressed_rtf.h"
#include "rag/readers/office/little_endian.h"
#include "rag/readers/office/rtf_fonts.h"
#include "rag/readers/office/utf16_text.h"
#include "rag/readers/outlook/mapi_types.h"
#include "rag/readers/text_decoding.h"

namespace mneme::readers {
namespace {

constexpr std::string_view kSignature = "\x78\x9f\x3e\x22";
constexpr size_t kMostFiles = 1000;

// Attributes, by the number without its type (MS-OXTNEF, 2.1.3.2).
constexpr uint16_t kSubject = 0x8004;
constexpr uint16_t kBody = 0x800c;
constexpr uint16_t kAttachData = 0x800f;
constexpr uint16_t kAttachTitle = 0x8010;
constexpr uint16_t kAttachBegins = 0x9002;
constexpr uint16_t kProperties = 0x9003;
constexpr uint16_t kAttachProperties = 0x9005;
constexpr uint16_t kCodePage = 0x9007;

// Properties (MS-OXPROPS).
constexpr uint16_t kPropertySubject = 0x0037;
constexpr uint16_t kPropertyPlain = 0x1000;
constexpr uint16_t kPropertyRtf = 0x1009;
constexpr uint16_t kPropertyHtml = 0x1013;
constexpr uint16_t kPropertyData = 0x3701;
constexpr uint16_t kPropertyFileName = 0x3704;
constexpr uint16_t kPropertyLongFileName = 0x3707;

// Types of their values beside those of outlook/mapi_types.h.
constexpr uint16_t kGuid = 0x0048;
constexpr uint16_t kSeveral = 0x1000;  // of the type that is added

size_t padded(size_t size) {
  return (size + 3) & ~size_t{3};
}

// Bytes of a value whose size does not vary; 0: it does.
size_t fixed_size(uint16_t type) {
  switch (type) {
    case 0x0002:
    case 0x0003:
    case 0x0004:
    case 0x000a:
    case 0x000b: return 4;
    case 0x0005:
    case 0x0006:
    case 0x0007:
    case 0x0014:
    case 0x0040: return 8;
    case kGuid: return 16;
    default: return 0;
  }
}

struct Property {
  uint16_t id = 0;
  uint16_t type = 0;
  std::string_view value;  // the first, of several
};

class PropertyCursor {
 public:
  explicit PropertyCursor(std::string_view bytes) : bytes_(bytes), left_(u32_at(bytes, 0)) { at_ = 4; }

  bool next(Property& property) {
    if (left_ == 0 || at_ + 4 > bytes_.size()) return false;
    --left_;
    property.type = u16_at(bytes_, at_);
    property.id = u16_at(bytes_, at_ + 2);
    property.value = {};
    at_ += 4;
    if (property.id >= 0x8000) pass_over_name();
    return take_values(property);
  }

 private:
  // Of a property that has no number of its own: a GUID, and a number or a text.
  void pass_over_name() {
    constexpr uint32_t kByNumber = 0;
    at_ += 16;
    const bool by_number = u32_at(bytes_, at_) == kByNumber;
    at_ += 4;
    at_ += by_number ? 4 : 4 + padded(u32_at(bytes_, at_));
  }

  bool take_values(Property& property) {
    const bool several = (property.type & kSeveral) != 0;
    const uint16_t type = property.type & static_cast<uint16_t>(~kSeveral);
    const size_t fixed = fixed_size(type);
    size_t count = 1;
    if (several || fixed == 0) {
      count = u32_at(bytes_, at_);
      at_ += 4;
    }
    for (size_t i = 0; i < count; ++i) {
      if (at_ >= bytes_.size()) return false;
      size_t size = fixed;
      if (fixed == 0) {
        size = u32_at(bytes_, at_);
        at_ += 4;
      }
      if (i == 0) property.value = bytes_at(bytes_, at_, size);
      at_ += padded(size);
    }
    property.type = type;
    return true;
  }

  std::string_view bytes_;
  size_t at_ = 0;
  uint32_t left_;
};

class TnefParser {
 public:
  TnefMessage parse(std::string_view bytes) {
    size_t at = 6;  // behind the signature and a key
    while (at + 9 <= bytes.size()) {
      const uint16_t id = u16_at(bytes, at + 1);
      const uint32_t size = u32_at(bytes, at + 5);
      take_attribute(id, bytes_at(bytes, at + 9, size));
      at += 9 + size_t{size} + 2;  // a sum behind it
    }
    return std::move(message_);
  }

 private:
  void take_attribute(uint16_t id, std::string_view data) {
    switch (id) {
      case kCodePage: encoding_ = encoding_of_code_page(static_cast<int>(u32_at(data, 0) & 0xffff)); break;
      case kSubject: message_.subject = text_in_code_page(data); break;
      case kBody: message_.plain = text_in_code_page(data); break;
      case kAttachBegins: begin_file(); break;
      case kAttachTitle:
        if (TnefFile* file = current(); file && file->name.empty()) file->name = text_in_code_page(data);
        break;
      case kAttachData:
        if (TnefFile* file = current()) file->bytes = data;
        break;
      case kProperties: take_properties(data); break;
      case kAttachProperties: take_file_properties(data); break;
      default: break;
    }
  }

  void begin_file() {
    in_file_ = message_.files.size() < kMostFiles;
    if (in_file_) message_.files.emplace_back();
  }
  TnefFile* current() { return in_file_ ? &message_.files.back() : nullptr; }

  std::string text_in_code_page(std::string_view bytes) const {
    auto text = decode_text(std::string(bytes.substr(0, bytes.find('\0'))), encoding_);
    return text.ok() ? std::move(text->text) : std::string();
  }

  std::string text_of(const Property& property) const {
    if (property.type == mapi::kBytesOfText) return text_in_code_page(property.value);
    if (property.type != mapi::kText) return {};
    const std::string text = text_in_utf16(property.value);
    return text.substr(0, text.find('\0'));
  }

  void take_properties(std::string_view data) {
    PropertyCursor properties(data);
    Property property;
    while (properties.next(property)) {
      if (property.id == kPropertySubject && message_.subject.empty()) message_.subject = text_of(property);
      if (property.id == kPropertyPlain && message_.plain.empty()) message_.plain = text_of(property);
      if (property.id == kPropertyHtml) {
        message_.html = property.type == mapi::kBytes ? std::string(property.value) : text_of(property);
      }
      if (property.id == kPropertyRtf && property.type == mapi::kBytes) message_.rtf = unpacked_rtf(property.value);
    }
  }

  void take_file_properties(std::string_view data) {
    TnefFile* const file = current();
    if (file == nullptr) return;
    constexpr size_t kInterface = 16;  // says what the object is
    PropertyCursor properties(data);
    Property property;
    bool long_name = false;
    while (properties.next(property)) {
      const bool is_long = property.id == kPropertyLongFileName;
      if (is_long || (property.id == kPropertyFileName && !long_name)) {
        std::string name = text_of(property);
        if (!name.empty()) file->name = std::move(name);
        long_name = is_long;
      }
      if (property.id != kPropertyData) continue;
      if (property.type == mapi::kBytes && file->bytes.empty()) file->bytes = property.value;
      if (property.type == mapi::kObject && property.value.size() > kInterface)
        take_object(*file, property.value.substr(kInterface));
    }
  }

  // A message within is in the same wrapping.
  static void take_object(TnefFile& file, std::string_view object) {
    if (!is_tnef(object)) return;
    file.bytes = object;
    file.name += ".tnef";
  }

  TnefMessage message_;
  std::string encoding_;
  bool in_file_ = false;
};

}  // namespace

bool is_tnef(std::string_view bytes) {
  return bytes.starts_with(kSignature);
}

TnefMessage parse_tnef(std::string_view bytes) {
  return is_tnef(bytes) ? TnefParser().parse(bytes) : TnefMessage{};
}

}  // namespace mneme::readers
