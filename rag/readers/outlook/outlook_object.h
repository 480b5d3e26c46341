// What Outlook keeps of a message, an appointment, a recipient or an attachment: properties with numbers, in whatever
// file they lie (msg_object.h, pst_object.h). Internal to rag/readers. Threads: one thread each.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/status.h"

namespace mneme::readers {

// Numbers of properties (MS-OXPROPS).
enum class MapiProperty : uint16_t {
  kMessageClass = 0x001a,
  kSubject = 0x0037,
  kSubmitted = 0x0039,
  kSender = 0x0042,  // for whom it was sent
  kStart = 0x0060,
  kEnd = 0x0061,
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
  kCreated = 0x3007,
  kTopFolder = 0x35e0,  // of what a person sees, in a store
  kData = 0x3701,
  kFileName = 0x3704,
  kMethod = 0x3705,
  kLongFileName = 0x3707,
  kMimeType = 0x370e,
  kContentId = 0x3712,
  kInternetAddress = 0x39fe,
  kGivenName = 0x3a06,
  kBusinessTelephone = 0x3a08,
  kHomeTelephone = 0x3a09,
  kCompany = 0x3a16,
  kPosition = 0x3a17,
  kDepartment = 0x3a18,
  kMobileTelephone = 0x3a1c,
  kOtherTelephone = 0x3a1f,
  kBusinessFax = 0x3a24,
  kBirthday = 0x3a42,
  kNickname = 0x3a4f,
  kBusinessPage = 0x3a51,
  kHtmlCodePage = 0x3fde,
  kCodePage = 0x3ffd,
  kWriterInternetAddress = 0x5d01,
  kSenderInternetAddress = 0x5d02
};

// Properties that each file numbers by itself: sets of them, known by {000620XX-0000-0000-C000-000000000046}
// (MS-OXPROPS 1.3.2), with numbers within.
enum class MapiSet : uint8_t { kAppointment = 0x02, kTask = 0x03, kAddress = 0x04, kCommon = 0x08, kJournal = 0x0a };
struct NamedProperty {
  MapiSet set = MapiSet::kCommon;
  uint16_t number = 0;
};

class OutlookObject {
 public:
  using Visit = std::function<Status(const OutlookObject& object)>;

  virtual ~OutlookObject() = default;

  // "" or nothing where there is none. Numbers: 32 bits and fewer, yes or no.
  virtual std::string text(MapiProperty property) const = 0;
  virtual std::string bytes(MapiProperty property) const = 0;
  virtual std::optional<uint32_t> number(MapiProperty property) const = 0;
  virtual std::optional<uint64_t> wide(MapiProperty property) const = 0;  // eight bytes: times, fractions
  // How many bytes bytes() or text() would read; 0 where they are in memory anyway.
  virtual uint64_t size_of(MapiProperty property) const = 0;
  // The number by which this file knows it.
  virtual std::optional<MapiProperty> known_as(NamedProperty property) const = 0;

  // Recipients and attachments, one after another; a failure of `visit` ends it.
  virtual Status each_recipient(const Visit& visit) const = 0;
  virtual Status each_attachment(const Visit& visit) const = 0;
  // The message that an attachment is; null where it is none.
  virtual std::unique_ptr<OutlookObject> message_within() const = 0;

  std::string text(NamedProperty property) const;
  std::string bytes(NamedProperty property) const;
  std::optional<uint32_t> number(NamedProperty property) const;
  std::optional<uint64_t> wide(NamedProperty property) const;
  // "Fri, 03 May 2024 08:30:00 +0000"; "" where no time is told.
  std::string time(MapiProperty property) const;
};

// Of a message or attachment the name of its code page, as ICU knows it; what is not in UTF-16 is in it.
std::string encoding_of_object(const OutlookObject& object);

// Seconds since 1970 of a time that Outlook keeps (tenths of microseconds from 1601 on); nothing for what lies beyond
// what people mean: before 1601's first days, after 2200.
std::optional<int64_t> seconds_of_ticks(uint64_t ticks);

}  // namespace mneme::readers
