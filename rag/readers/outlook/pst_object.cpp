#include "rag/readers/outlook/pst_object.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "rag/readers/office/little_endian.h"
#include "rag/readers/office/utf16_text.h"
#include "rag/readers/outlook/mapi_types.h"
#include "rag/readers/text_decoding.h"

namespace mneme::readers {
namespace {

constexpr PstNodeId kNames = 0x61;
constexpr PstNodeId kRecipients = 0x692;
constexpr uint64_t kMostNames = uint64_t{16} << 20;

// Before the subject proper: a sign, and how many letters of it are "Re: ".
std::string without_prefix_mark(std::string text) {
  if (text.size() < 2 || text[0] != '\x01') return text;
  const bool is_wide = (static_cast<uint8_t>(text[1]) & 0x80) != 0;
  return text.substr(std::min<size_t>(is_wide ? 3 : 2, text.size()));
}

}  // namespace

NamedProperties named_properties_of(PstFile& file) {
  const auto node = file.find_node(kNames);
  if (!node) return {};
  PstHeap heap(file, *node);
  const auto properties = properties_in(heap);
  const auto value = [&](uint16_t number) {
    const auto found = properties.find(std::bit_cast<MapiProperty>(number));
    return found == properties.end() ? std::string() : heap.value(found->second.word, kMostNames);
  };
  constexpr uint16_t kSets = 2;
  constexpr uint16_t kList = 3;
  return {value(kList), value(kSets)};
}

PstObject::PstObject(PstFile& file, const NamedProperties& names, const PstNode& node, std::string encoding)
    : names_(names),
      heap_(std::make_shared<PstHeap>(file, node)),
      properties_(properties_in(*heap_)),
      encoding_(std::move(encoding)) {
  if (encoding_.empty()) encoding_ = encoding_of_object(*this);
}

PstObject::PstObject(std::shared_ptr<PstHeap> heap, const NamedProperties& names, PstRow row, std::string encoding)
    : names_(names), heap_(std::move(heap)), properties_(std::move(row)), encoding_(std::move(encoding)) {}

const PstValue* PstObject::find(MapiProperty property) const {
  const auto found = properties_.find(property);
  return found == properties_.end() ? nullptr : &found->second;
}

std::string PstObject::text(MapiProperty property) const {
  const PstValue* const value = find(property);
  if (value == nullptr || (value->type != mapi::kText && value->type != mapi::kBytesOfText)) return {};
  const std::string written = heap_->value(value->word, heap_->file().limits().text_bytes);
  std::string text;
  if (value->type == mapi::kText) {
    text = text_in_utf16(written);
  } else {
    auto converted = convert_from(written, encoding_);
    text = converted.ok() ? std::move(*converted) : utf8::sanitise(written);
  }
  // Programs that write stores end texts as their own language does.
  text.erase(std::min(text.find_last_not_of('\0') + 1, text.size()));
  return property == MapiProperty::kSubject ? without_prefix_mark(std::move(text)) : text;
}

std::string PstObject::bytes(MapiProperty property) const {
  const PstValue* const value = find(property);
  if (value == nullptr || value->type != mapi::kBytes) return {};
  return heap_->value(value->word, heap_->file().limits().file_bytes);
}

std::optional<uint32_t> PstObject::number(MapiProperty property) const {
  const PstValue* const value = find(property);
  if (value == nullptr) return std::nullopt;
  switch (value->type) {
    case mapi::kNumber: return value->word;
    case mapi::kShortNumber: return value->word & 0xffff;
    case mapi::kYesOrNo: return value->word & 0xff;
    default: return std::nullopt;
  }
}

std::optional<uint64_t> PstObject::wide(MapiProperty property) const {
  const PstValue* const value = find(property);
  if (value == nullptr || (value->type != mapi::kTime && value->type != mapi::kFraction)) return std::nullopt;
  const std::string_view piece = heap_->piece(value->word);
  return piece.size() == 8 ? std::optional(u64_at(piece, 0)) : std::nullopt;
}

uint64_t PstObject::size_of(MapiProperty property) const {
  const PstValue* const value = find(property);
  return value == nullptr || value->type != mapi::kBytes ? 0 : heap_->size_of(value->word);
}

Status PstObject::each_recipient(const Visit& visit) const {
  const auto table = heap_->node_within(kRecipients);
  if (!table) return {};
  const auto heap = std::make_shared<PstHeap>(heap_->file(), *table);
  Status status;
  each_row(*heap, [&](const PstRow& row) {
    if (status.ok()) status = visit(PstObject(heap, names_, row, encoding_));
  });
  return status.ok() ? heap_->file().stopped() : status;
}

Status PstObject::each_attachment(const Visit& visit) const {
  for (const PstNode& node : std::vector<PstNode>(heap_->nodes_within())) {
    if (kind_of(node.id) != PstNodeKind::kAttachment) continue;
    MNEME_RETURN_IF_ERROR(visit(PstObject(heap_->file(), names_, node, encoding_)));
    MNEME_RETURN_IF_ERROR(heap_->file().stopped());
  }
  return {};
}

// Its data says which of the attachment's nodes the message is.
std::unique_ptr<OutlookObject> PstObject::message_within() const {
  constexpr uint32_t kIsMessage = 5;
  const PstValue* const data = find(MapiProperty::kData);
  if (data == nullptr || data->type != mapi::kObject || number(MapiProperty::kMethod) != kIsMessage) return nullptr;
  const auto node = heap_->node_within(u32_at(heap_->piece(data->word), 0));
  return node ? std::make_unique<PstObject>(heap_->file(), names_, *node) : nullptr;
}

}  // namespace mneme::readers
