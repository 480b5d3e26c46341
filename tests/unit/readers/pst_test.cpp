// Outlook's stores of mail, made here property by property as MS-PST says. Stores that Outlook wrote were compared by
// hand (rag/readers/README.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "rag/readers/outlook/outlook_zone.h"
#include "rag/readers/outlook/pst_coding.h"
#include "tests/support/compound_files.h"
#include "tests/unit/readers/made_pst.h"
#include "tests/unit/readers/office_pairs.h"

namespace mneme::readers {
namespace {

using test::make_pst;
using test::PstAttachment;
using test::PstFolderOf;
using test::PstItem;
using test::PstNamed;
using test::PstOptions;
using test::PstProperties;
using Version = PstOptions::Version;

constexpr uint64_t kMay2024 = 133'591'985'000'000'000;  // 2024-05-03 08:28:20 UTC
constexpr uint64_t kHour = 36'000'000'000;

struct Item {
  std::string text;
  std::string title;
  std::string date;
  std::string format;
  std::string error;
};
using Items = std::map<std::string, Item>;

Items items_of(const std::string& bytes, const ReadLimits& limits = {}) {
  Items items;
  const Status status = read_bytes("a.pst", as_bytes(bytes), limits, [&](ReadItem item) {
    const rag::Document& document = item.document;
    items[item.member] = {document.text, document.title, document.date, document.format, item.status.message()};
    return Status();
  });
  if (!status.ok()) items[""].error = status.message();
  return items;
}

PstItem letter(const std::string& subject, const std::string& body) {
  PstItem item;
  item.properties.text(0x001a, "IPM.Note")
      .text(0x0037, subject)
      .text(0x0042, "Ann Weber")
      .text(0x5d02, "ann@example.org")
      .text(0x1000, body)
      .time(0x0039, kMay2024);
  const auto recipient = [](uint32_t kind, const std::string& name, const std::string& address) {
    return PstProperties().number(0x0c15, kind).text(0x3001, name).text(0x39fe, address);
  };
  item.recipients = {recipient(1, "Bo Lind", "bo@example.org"), recipient(2, "Cy", "cy@example.org")};
  return item;
}

PstFolderOf inbox_of(std::vector<PstItem> items) {
  return {.name = "Top", .items = {}, .folders = {{.name = "Inbox", .items = std::move(items), .folders = {}}}};
}

std::string first_text(const std::string& bytes) {
  for (const auto& [member, item] : items_of(bytes)) return item.error.empty() ? item.text : item.error;
  return "(nothing)";
}

TEST(Pst, MessagesOfAllVersionsAreReadAsMailIs) {
  const std::string body = "Dear Bo,\r\n\r\nthe ferry leaves at noon.\r\n";
  const std::string mail =
      "From: Ann Weber <ann@example.org>\nTo: Bo Lind <bo@example.org>\nCc: Cy <cy@example.org>\nDate: Fri, 03 May "
      "2024 "
      "08:28:20 +0000\nSubject: Fähre 日本\nContent-Type: text/plain; charset=utf-8\n\nDear Bo,\n\nthe ferry leaves at "
      "noon.\n";
  const rag::Document expected = test::read_text("a.eml", mail);
  for (const Version version : {Version::k1997, Version::k2003, Version::k2013}) {
    for (const uint8_t coding : {0, 1, 2}) {
      const Items items = items_of(make_pst(inbox_of({letter("Fähre 日本", body)}), {},
                                            {.version = version, .coding = coding, .packed = coding == 0}));
      ASSERT_EQ(items.size(), 1u);
      const auto& [member, item] = *items.begin();
      EXPECT_EQ(item.error, "");
      EXPECT_EQ(member, "Inbox/item 65537");
      EXPECT_EQ(item.text, expected.text);
      EXPECT_EQ(item.title, "Fähre 日本");
      EXPECT_EQ(item.date, "2024-05-03");
      EXPECT_EQ(item.format, "msg");
    }
  }
}

TEST(Pst, BytesThatStandForOthersAreThoseOfTheSpecification) {
  std::string bytes = "\x41\x36\x13";  // how it codes the bytes 0, 1 and 2
  decode_permuted(bytes);
  EXPECT_EQ(bytes, std::string("\0\1\2", 3));
}

TEST(Pst, FoldersArePathsAndWhatNobodySeesIsLeftOut) {
  PstFolderOf top = inbox_of({letter("One", "The crane arrives.")});
  top.folders[0].folders.push_back(
      {.name = "Port/Quay", .items = {letter("Two", "The quay is closed.")}, .folders = {}});
  top.folders.push_back({.name = "Sent", .items = {letter("Three", "I have paid.")}, .folders = {}});
  PstItem settings = letter("Settings", "of a rule");
  settings.properties.all[0].value = test::in_utf16("IPM.Configuration.Rules");
  top.folders[1].items.push_back(settings);
  for (const bool names_top_folder : {true, false}) {
    const Items items = items_of(make_pst(top, {}, {.names_top_folder = names_top_folder}));
    std::vector<std::string> members;
    for (const auto& [member, item] : items) members.push_back(member);
    EXPECT_EQ(members, (std::vector<std::string>{"Inbox/Port_Quay/item 65538", "Inbox/item 65537", "Sent/item 65539"}));
  }
}

TEST(Pst, AttachmentsAndMessagesWithinAreReadAsFiles) {
  PstItem inner = letter("Inner", "The lock is repaired.");
  PstItem item = letter("Outer", "Two things are attached.");
  std::string notes = "Minutes of the harbour board.\n";
  while (notes.size() < 5000) notes += "The harbour board met again and agreed on nothing.\n";
  item.attachments.push_back(
      {.properties = PstProperties().text(0x3707, "minutes.txt").bytes(0x3701, notes), .message = nullptr});
  item.attachments.push_back(
      {.properties = PstProperties().text(0x3001, "Inner"), .message = std::make_shared<PstItem>(inner)});
  for (const size_t block_bytes : {size_t{8176}, size_t{700}}) {
    const Items items = items_of(make_pst(inbox_of({item}), {}, {.block_bytes = block_bytes}));
    ASSERT_EQ(items.size(), 3u);
    EXPECT_NE(items.at("Inbox/item 65537").text.find("Attachments: minutes.txt"), std::string::npos);
    EXPECT_EQ(items.at("Inbox/item 65537/minutes.txt").text.size(), notes.size());
    EXPECT_EQ(items.at("Inbox/item 65537/Inner.msg").title, "Inner");
    EXPECT_NE(items.at("Inbox/item 65537/Inner.msg").text.find("The lock is repaired."), std::string::npos);
  }
  const Items items = items_of(make_pst(inbox_of({item})), {.file_bytes = 4000});
  EXPECT_EQ(items.at("Inbox/item 65537/minutes.txt").error,
            "minutes.txt is over the limit of 0 MiB for one file; it was left out.");
}

TEST(Pst, TextsThatOldProgramsWrote) {
  PstItem item;
  item.properties.text_in_bytes(0x0037, "\x01\x05Re: F\xe4hre")
      .number(0x3ffd, 1252)
      .text_in_bytes(0x1000, std::string("Die F\xe4hre f\xe4hrt um zw\xf6lf.\0", 27));
  const Items items = items_of(make_pst(inbox_of({item}), {}, {.version = Version::k1997}));
  EXPECT_EQ(items.begin()->second.title, "Re: Fähre");
  EXPECT_NE(items.begin()->second.text.find("Die Fähre fährt um zwölf."), std::string::npos);
}

// Pacific time with its changes in March and November, as Outlook keeps it.
std::string pacific() {
  const auto change = [](int month, int which) {
    return test::u16(0) + test::u16(month) + test::u16(0) + test::u16(which) + test::u16(2) + std::string(6, '\0');
  };
  return test::u32(480) + test::u32(0) + test::u32(static_cast<uint32_t>(-60)) + test::u16(0) + change(11, 1) +
         test::u16(0) + change(3, 2);
}

TEST(Pst, AppointmentsAreToldInTheirZone) {
  const std::vector<PstNamed> named = {{2, 0x820d}, {2, 0x820e}, {2, 0x8208}, {2, 0x8233}, {2, 0x8215}, {2, 0x8232}};
  PstItem meeting = letter("Crane inspection", "Bring the helmets.");
  meeting.properties.all[0].value = test::in_utf16("IPM.Appointment");
  PstItem holiday = meeting;
  meeting.properties.time(0x8000, kMay2024)
      .time(0x8001, kMay2024 + kHour)
      .text(0x8002, "Quay 4")
      .bytes(0x8003, pacific())
      .text(0x8005, "every Friday");
  const uint64_t midnight = kMay2024 - (28 * 60 + 20) * uint64_t{10'000'000} - kHour;  // 07:00 in UTC
  holiday.properties.time(0x8000, midnight).time(0x8001, midnight + 24 * kHour).bytes(0x8003, pacific()).yes(0x8004);
  const Items items = items_of(make_pst(inbox_of({meeting, holiday}), named));
  const Item& told = items.at("Inbox/item 65537");
  EXPECT_EQ(told.format, "ics");
  EXPECT_EQ(told.title, "Crane inspection");
  EXPECT_EQ(told.date, "2024-05-03");
  EXPECT_NE(told.text.find("When: Friday, 3 May 2024, 01:28 to 02:28"), std::string::npos) << told.text;
  for (const char* line : {"Repeats: every Friday", "Place: Quay 4", "Organiser: Ann Weber <ann@example.org>",
                           "Attendees: Bo Lind <bo@example.org>", "Bring the helmets."}) {
    EXPECT_NE(told.text.find(line), std::string::npos) << line << "\n" << told.text;
  }
  EXPECT_NE(items.at("Inbox/item 65538").text.find("When: Friday, 3 May 2024, all day"), std::string::npos)
      << items.at("Inbox/item 65538").text;
}

TEST(Pst, ZonesChangeTheirClocks) {
  const auto zone = OutlookZone::of_struct(pacific());
  ASSERT_TRUE(zone.has_value());
  constexpr int64_t kJanuary = 1'704'067'200;  // 2024-01-01 00:00 UTC
  constexpr int64_t kChange = 1'710'064'800;   // 2024-03-10 10:00 UTC: 2:00 becomes 3:00
  constexpr int64_t kBack = 1'730'624'400;     // 2024-11-03 09:00 UTC: 2:00 becomes 1:00
  EXPECT_EQ(zone->wall(kJanuary) - kJanuary, -8 * 3600);
  EXPECT_EQ(zone->wall(kChange - 1) - kChange, -8 * 3600 - 1);
  EXPECT_EQ(zone->wall(kChange) - kChange, -7 * 3600);
  EXPECT_EQ(zone->wall(kBack - 1) - kBack, -7 * 3600 - 1);
  EXPECT_EQ(zone->wall(kBack) - kBack, -8 * 3600);
  EXPECT_FALSE(OutlookZone::of_struct("short").has_value());
  EXPECT_FALSE(OutlookZone::of_definition(std::string(64, '\xff')).has_value());
}

TEST(Pst, TasksContactsAndNotes) {
  const std::vector<PstNamed> named = {{3, 0x8105}, {3, 0x8101}, {4, 0x8083}, {4, 0x801b}};
  PstItem task;
  task.properties.text(0x001a, "IPM.Task").text(0x0037, "Order rope").time(0x8000, kMay2024).number(0x8001, 3);
  PstItem contact;
  contact.properties.text(0x001a, "IPM.Contact")
      .text(0x3001, "Bo Lind")
      .text(0x3a16, "Harbour, Ltd")
      .text(0x3a1c, "+46 70 1")
      .time(0x3a42, kMay2024)
      .text(0x8002, "bo@example.org")
      .text(0x8003, "Quay 4\r\nMalmö");
  PstItem note;
  note.properties.text(0x001a, "IPM.StickyNote")
      .text(0x0037, "Key")
      .time(0x3007, kMay2024)
      .text(0x1000, "Key\r\nThe key lies under the stone.");
  const Items items = items_of(make_pst(inbox_of({task, contact, note}), named));
  const Item& due = items.at("Inbox/item 65537");
  EXPECT_NE(due.text.find("Order rope"), std::string::npos);
  EXPECT_NE(due.text.find("Due: Friday, 3 May 2024"), std::string::npos) << due.text;
  EXPECT_NE(due.text.find("Status: waiting"), std::string::npos) << due.text;
  const Item& card = items.at("Inbox/item 65538");
  EXPECT_EQ(card.format, "vcf");
  EXPECT_EQ(card.title, "Bo Lind");
  for (const char* line : {"Organisation: Harbour, Ltd", "Telephone (mobile): +46 70 1", "Mail: bo@example.org",
                           "Birthday: 3 May 2024", "Quay 4 Malmö"}) {
    EXPECT_NE(card.text.find(line), std::string::npos) << line << "\n" << card.text;
  }
  EXPECT_EQ(items.at("Inbox/item 65539").title, "Key");
  EXPECT_EQ(items.at("Inbox/item 65539").format, "text");
  EXPECT_EQ(items.at("Inbox/item 65539").date, "2024-05-03");
}

TEST(Pst, ManyMessagesNeedSeveralPages) {
  std::vector<PstItem> letters;
  for (int i = 0; i < 60; ++i) letters.push_back(letter("Letter " + std::to_string(i), "Number " + std::to_string(i)));
  for (const Version version : {Version::k1997, Version::k2003}) {
    const Items items = items_of(make_pst(inbox_of(letters), {}, {.version = version}));
    EXPECT_EQ(items.size(), 60u);
    EXPECT_EQ(items.at("Inbox/item 65596").title, "Letter 59");
  }
}

TEST(Pst, GoesOnBehindWhatWasReadBefore) {
  const std::string bytes = make_pst(inbox_of({letter("One", "First."), letter("Two", "Second.")}));
  MemorySource source(bytes);
  MemberWalk walk{.passed_over = 1, .begins = {}};
  std::vector<std::string> titles;
  EXPECT_TRUE(read_from(
                  "a.pst", source, {},
                  [&](ReadItem item) {
                    titles.push_back(item.document.title);
                    return Status();
                  },
                  &walk)
                  .ok());
  EXPECT_EQ(titles, std::vector<std::string>{"Two"});
}

TEST(Pst, WhatIsMissingIsSaid) {
  const std::string whole = make_pst(inbox_of({letter("One", "First."), letter("Two", "Second.")}));
  std::string damaged = whole;
  const size_t body = damaged.find(test::in_utf16("Second."));
  ASSERT_NE(body, std::string::npos);
  // With what stands behind the block: its length and number.
  std::fill(damaged.begin() + static_cast<ptrdiff_t>(body),
            damaged.begin() + static_cast<ptrdiff_t>((body / 512 + 1) * 512), '\0');
  const Items items = items_of(damaged);
  EXPECT_EQ(items.at("Inbox/item 65537").title, "One");
  EXPECT_EQ(items.at("").error, "a.pst is damaged; what could be read of it was. Outlook's scanpst may repair it.");
  EXPECT_EQ(first_text(whole.substr(0, 400)), "a.pst is damaged: its head is cut off.");
  EXPECT_EQ(items_of(whole.substr(0, whole.size() - 64)).at("").error,
            "a.pst is cut off; what could be read of it was. Copy it anew where the whole file is.");
}

TEST(Pst, WhatNobodyCanReadIsRefused) {
  std::string bytes = make_pst(inbox_of({letter("One", "First.")}));
  bytes[513] = 0x10;
  EXPECT_EQ(first_text(bytes),
            "a.pst is a mail store that Windows encrypted; save its messages as files to index them.");
  bytes[10] = 19;
  EXPECT_EQ(first_text(bytes), "a.pst is a mail store of an Outlook that is not known; save its messages as files.");
  bytes.replace(8, 2, "AB");
  EXPECT_EQ(first_text(bytes),
            "a.pst is an address book of Outlook, which is not read; export it as vCard to index it.");
  bytes.replace(8, 2, "XY");
  EXPECT_EQ(first_text(bytes), "a.pst is damaged: its head is none of a mail store.");
}

TEST(Pst, DamageIsHarmless) {
  PstItem item = letter("One", "First.");
  item.attachments.push_back(
      {.properties = PstProperties().text(0x3001, "In"), .message = std::make_shared<PstItem>(letter("In", "Inner."))});
  for (const Version version : {Version::k1997, Version::k2003, Version::k2013}) {
    test::expect_damage_is_harmless(
        "a.pst", make_pst(inbox_of({item, letter("Two", "Second.")}), {}, {.version = version, .packed = true}), 300);
  }
}

}  // namespace
}  // namespace mneme::readers
