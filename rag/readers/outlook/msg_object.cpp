#include "rag/readers/outlook/msg_object.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/utf8.h"
#include "rag/readers/office/little_endian.h"
#include "rag/readers/office/utf16_text.h"
#include "rag/readers/outlook/mapi_types.h"
#include "rag/readers/text_decoding.h"

namespace mneme::readers {
namespace {

// What stands in front of the short properties.
size_t size_of_head(MsgObject::Kind kind) {
  switch (kind) {
    case MsgObject::Kind::kFile: return 32;
    case MsgObject::Kind::kMessageWithin: return 24;
    case MsgObject::Kind::kPart: break;
  }
  return 8;
}

}  // namespace

NamedProperties named_properties_of(const CompoundFile& file) {
  for (const uint32_t entry : file.entries_in(CompoundFile::kTop)) {
    if (file.name(entry) != "__nameid_version1.0") continue;
    return {file.stream("__substg1.0_00030102", entry), file.stream("__substg1.0_00020102", entry)};
  }
  return {};
}

MsgObject::MsgObject(const CompoundFile& file, const NamedProperties& names, uint32_t storage, Kind kind,
                     std::string encoding)
    : file_(file), names_(names), encoding_(std::move(encoding)) {
  for (const uint32_t entry : file.entries_in(storage)) entries_.emplace(file.name(entry), entry);
  if (const auto properties = entries_.find("__properties_version1.0"); properties != entries_.end()) {
    const std::string all = file.stream_of(properties->second);
    short_properties_ = bytes_at(all, size_of_head(kind), all.size());
  }
  if (encoding_.empty()) encoding_ = encoding_of_object(*this);
}

std::optional<uint32_t> MsgObject::entry_of(MapiProperty property, uint16_t type) const {
  char name[32];
  std::snprintf(name, sizeof name, "__substg1.0_%04X%04X", static_cast<unsigned>(property), type);
  const auto entry = entries_.find(name);
  return entry == entries_.end() ? std::nullopt : std::optional(entry->second);
}

std::string_view MsgObject::value_of(MapiProperty property, uint16_t type) const {
  constexpr size_t kSize = 16;
  const uint32_t tag = static_cast<uint32_t>(property) << 16 | type;
  const std::string_view all = short_properties_;
  for (size_t at = 0; at + kSize <= all.size(); at += kSize) {
    if (u32_at(all, at) == tag) return all.substr(at + 8, 8);
  }
  return {};
}

std::string MsgObject::text(MapiProperty property) const {
  std::string text = written_text(property);
  text.erase(std::min(text.find_last_not_of('\0') + 1, text.size()));
  return text;
}

std::string MsgObject::written_text(MapiProperty property) const {
  if (const auto entry = entry_of(property, mapi::kText)) return text_in_utf16(file_.stream_of(*entry));
  const auto entry = entry_of(property, mapi::kBytesOfText);
  if (!entry) return {};
  const std::string written = file_.stream_of(*entry);
  auto text = convert_from(written, encoding_);
  return text.ok() ? std::move(*text) : utf8::sanitise(written);
}

std::string MsgObject::bytes(MapiProperty property) const {
  const auto entry = entry_of(property, mapi::kBytes);
  return entry ? file_.stream_of(*entry) : std::string();
}

std::optional<uint32_t> MsgObject::number(MapiProperty property) const {
  if (const auto value = value_of(property, mapi::kNumber); !value.empty()) return u32_at(value, 0);
  for (const uint16_t type : {mapi::kShortNumber, mapi::kYesOrNo}) {
    if (const auto value = value_of(property, type); !value.empty()) return u16_at(value, 0);
  }
  return std::nullopt;
}

std::optional<uint64_t> MsgObject::wide(MapiProperty property) const {
  for (const uint16_t type : {mapi::kTime, mapi::kFraction}) {
    if (const auto value = value_of(property, type); !value.empty()) return u64_at(value, 0);
  }
  return std::nullopt;
}

std::unique_ptr<OutlookObject> MsgObject::message_within() const {
  constexpr uint32_t kIsMessage = 5;
  const auto storage = entry_of(MapiProperty::kData, mapi::kObject);
  if (!storage || number(MapiProperty::kMethod) != kIsMessage) return nullptr;
  return std::make_unique<MsgObject>(file_, names_, *storage, Kind::kMessageWithin);
}

Status MsgObject::each_storage(std::string_view beginning, const Visit& visit) const {
  for (auto entry = entries_.lower_bound(beginning); entry != entries_.end() && entry->first.starts_with(beginning);
       ++entry) {
    MNEME_RETURN_IF_ERROR(visit(MsgObject(file_, names_, entry->second, Kind::kPart, encoding_)));
  }
  return {};
}

}  // namespace mneme::readers
