// What stands in a message of Outlook (MS-OXMSG): a message, one of its recipients or attachments. Each is a storage
// with its properties: short ones together in one stream, long ones in streams of their own. Internal to rag/readers.
// Ownership: borrows the file. Threads: immutable.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rag/readers/office/compound_file.h"

namespace mneme::readers {

// Numbers of properties (MS-OXPROPS).
enum class MsgProperty : uint16_t {
  kSubject = 0x0037,
  kSubmitted = 0x0039,
  kSender = 0x0042,  // for whom it was sent
  kSenderAddress = 0x0065,
  kHead = 0x007d,  // as it came over the Internet
  kRecipientKind = 0x0c15,
  kWriter = 0x0c1a,  // who sent it
  kWriterAddress = 0x0c1f,
  kShownCopies = 0x0e03,
  kShownRecipients = 0x0e04,
  kDelivered = 0x0e06,
  kBody = 0x1000,
  kRtf = 0x1009,
  kHtml = 0x1013,
  kName = 0x3001,
  kAddress = 0x3003,
  kData = 0x3701,
  kFileName = 0x3704,
  kMethod = 0x3705,
  kLongFileName = 0x3707,
  kMimeType = 0x370e,
  kContentId = 0x3712,
  kInternetAddress = 0x39fe,
  kHtmlCodePage = 0x3fde,
  kCodePage = 0x3ffd,
  kWriterInternetAddress = 0x5d01,
  kSenderInternetAddress = 0x5d02
};

class MsgObject {
 public:
  enum class Kind : uint8_t { kFile, kMessageWithin, kPart };

  // kPart: a recipient or an attachment. encoding: of what is not in UTF-16; "": the object says it itself.
  MsgObject(const CompoundFile& file, uint32_t storage, Kind kind, std::string encoding = {});

  const std::string& encoding() const { return encoding_; }

  // "" or nothing where there is none.
  std::string text(MsgProperty property) const;
  std::string bytes(MsgProperty property) const;
  std::optional<uint32_t> number(MsgProperty property) const;
  std::string time(MsgProperty property) const;  // "Fri, 03 May 2024 08:30:00 +0000"
  // A message that is an attachment's data.
  std::optional<uint32_t> storage(MsgProperty property) const;

  // The storages of its recipients and attachments, in their order.
  std::vector<uint32_t> recipients() const { return storages_named("__recip_version1.0_#"); }
  std::vector<uint32_t> attachments() const { return storages_named("__attach_version1.0_#"); }

 private:
  std::optional<uint32_t> entry_of(MsgProperty property, uint16_t type) const;
  std::string_view value_of(MsgProperty property, uint16_t type) const;  // eight bytes
  std::vector<uint32_t> storages_named(std::string_view beginning) const;

  const CompoundFile& file_;
  std::map<std::string, uint32_t, std::less<>> entries_;  // by name
  std::string short_properties_;
  std::string encoding_;
};

}  // namespace mneme::readers
