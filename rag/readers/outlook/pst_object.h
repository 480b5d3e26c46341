// A message, a recipient or an attachment in a store of Outlook. Internal to rag/readers. Ownership: borrows the file
// and the names. Threads: one thread each.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "rag/readers/outlook/named_properties.h"
#include "rag/readers/outlook/outlook_object.h"
#include "rag/readers/outlook/pst_file.h"
#include "rag/readers/outlook/pst_heap.h"

namespace mneme::readers {

// What the store calls the properties of sets.
NamedProperties named_properties_of(PstFile& file);

class PstObject final : public OutlookObject {
 public:
  // encoding: of what is not in UTF-16; "": the object says it itself.
  PstObject(PstFile& file, const NamedProperties& names, const PstNode& node, std::string encoding = {});
  // A row of a table, whose values lie in the heap that holds the table.
  PstObject(std::shared_ptr<PstHeap> heap, const NamedProperties& names, PstRow row, std::string encoding);

  std::string text(MapiProperty property) const override;
  std::string bytes(MapiProperty property) const override;
  std::optional<uint32_t> number(MapiProperty property) const override;
  std::optional<uint64_t> wide(MapiProperty property) const override;
  uint64_t size_of(MapiProperty property) const override;
  std::optional<MapiProperty> known_as(NamedProperty property) const override { return names_.find(property); }
  using OutlookObject::bytes;
  using OutlookObject::number;
  using OutlookObject::text;
  using OutlookObject::wide;

  Status each_recipient(const Visit& visit) const override;
  Status each_attachment(const Visit& visit) const override;
  std::unique_ptr<OutlookObject> message_within() const override;

 private:
  const PstValue* find(MapiProperty property) const;

  const NamedProperties& names_;
  const std::shared_ptr<PstHeap> heap_;
  std::map<MapiProperty, PstValue> properties_;
  std::string encoding_;
};

}  // namespace mneme::readers
