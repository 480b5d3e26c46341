// What stands in a message that Outlook saved (MS-OXMSG): a message, one of its recipients or attachments. Each is a
// storage with its properties: short ones together in one stream, long ones in streams of their own. Internal to
// rag/readers. Ownership: borrows the file and the names. Threads: immutable.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "rag/readers/office/compound_file.h"
#include "rag/readers/outlook/named_properties.h"
#include "rag/readers/outlook/outlook_object.h"

namespace mneme::readers {

// What the file calls the properties of sets.
NamedProperties named_properties_of(const CompoundFile& file);

class MsgObject final : public OutlookObject {
 public:
  enum class Kind : uint8_t { kFile, kMessageWithin, kPart };

  // kPart: a recipient or an attachment. encoding: of what is not in UTF-16; "": the object says it itself.
  MsgObject(const CompoundFile& file, const NamedProperties& names, uint32_t storage, Kind kind,
            std::string encoding = {});

  std::string text(MapiProperty property) const override;
  std::string bytes(MapiProperty property) const override;
  std::optional<uint32_t> number(MapiProperty property) const override;
  std::optional<uint64_t> wide(MapiProperty property) const override;
  uint64_t size_of(MapiProperty /*property*/) const override { return 0; }  // the file is in memory
  std::optional<MapiProperty> known_as(NamedProperty property) const override { return names_.find(property); }
  using OutlookObject::bytes;
  using OutlookObject::number;
  using OutlookObject::text;
  using OutlookObject::wide;

  Status each_recipient(const Visit& visit) const override { return each_storage("__recip_version1.0_#", visit); }
  Status each_attachment(const Visit& visit) const override { return each_storage("__attach_version1.0_#", visit); }
  std::unique_ptr<OutlookObject> message_within() const override;

 private:
  std::string written_text(MapiProperty property) const;
  std::optional<uint32_t> entry_of(MapiProperty property, uint16_t type) const;
  std::string_view value_of(MapiProperty property, uint16_t type) const;  // eight bytes
  Status each_storage(std::string_view beginning, const Visit& visit) const;

  const CompoundFile& file_;
  const NamedProperties& names_;
  std::map<std::string, uint32_t, std::less<>> entries_;  // by name
  std::string short_properties_;
  std::string encoding_;
};

}  // namespace mneme::readers
