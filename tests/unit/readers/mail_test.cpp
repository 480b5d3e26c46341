// Mail as programs of thirty years write it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rag/readers/mail/armour.h"
#include "rag/readers/mail/mail_date.h"
#include "rag/readers/mail/mime.h"
#include "rag/readers/mail/signed_content.h"
#include "rag/readers/mail/tnef.h"
#include "rag/readers/mail/uuencoded.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using test::read_text;
using std::string_literals::operator""s;

std::vector<ReadItem> items_of(std::string_view name, const std::string& bytes) {
  std::vector<ReadItem> items;
  const Status status = read_bytes(name, as_bytes(bytes), {}, [&](ReadItem item) {
    items.push_back(std::move(item));
    return Status();
  });
  EXPECT_TRUE(status.ok()) << status.message();
  return items;
}

bool holds(const rag::Document& document, std::string_view words) {
  return document.text.find(words) != std::string::npos;
}

const std::string kHead = "From: Ann <ann@example.org>\nSubject: The crane\n";

// A message of parts, each with its head.
std::string in_parts(const std::vector<std::string>& parts, const std::string& kind = "mixed") {
  std::string message = kHead + "Content-Type: multipart/" + kind + "; boundary=B\n\n";
  for (const std::string& part : parts) message += "--B\n" + part + "\n";
  return message + "--B--\n";
}

TEST(MailAttachments, AreToldWithTheHead) {
  const std::vector<ReadItem> items = items_of(
      "a.eml",
      in_parts({"\nSee the offer.", "Content-Type: application/x-cad; name=plan.dwg\n\nxx",
                "Content-Type: image/png; name=logo.png\nContent-ID: <1>\n\nxx",
                "Content-Type: image/jpeg\nContent-Disposition: attachment; filename=\"the yard.jpg\"\n\nxx"}));
  ASSERT_FALSE(items.empty());
  EXPECT_TRUE(holds(items[0].document, "Subject: The crane; Attachments: plan.dwg, the yard.jpg"))
      << items[0].document.text;
}

TEST(MailAttachments, SignaturesAndKeysAreNone) {
  const std::vector<ReadItem> items =
      items_of("a.eml", in_parts({"\nSigned text.",
                                  "Content-Type: application/pgp-signature; name=signature.asc\n\n-----BEGIN PGP "
                                  "SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----",
                                  "Content-Type: application/pkcs7-signature; name=smime.p7s\n\nxx"},
                                 "signed"));
  ASSERT_EQ(items.size(), 1U);
  EXPECT_FALSE(holds(items[0].document, "smime"));
  EXPECT_TRUE(items[0].document.notes.empty());
}

TEST(MailAttachments, OfAMessageWithoutTextAreReadAllTheSame) {
  const std::vector<ReadItem> items = items_of(
      "a.eml",
      "Content-Type: multipart/mixed; boundary=B\n\n--B\nContent-Type: text/calendar\n\nBEGIN:VCALENDAR\nBEGIN:VEVENT\n"
      "SUMMARY:Tea\nDTSTART:20260704T160000\nEND:VEVENT\nEND:VCALENDAR\n--B--\n");
  ASSERT_EQ(items.size(), 1U);
  EXPECT_TRUE(holds(items[0].document, "Tea"));
}

TEST(MailAttachments, ATextIsInTheEncodingThatItsPartNames) {
  const std::vector<ReadItem> items = items_of(
      "a.eml",
      in_parts({"\nSee below.", "Content-Type: text/plain; charset=iso-8859-2; name=a.txt\n\np\xf8\xedli\xb9"}));
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[1].document.text, "příliš");
}

TEST(MailAttachments, AnInvitationThatCameTwiceIsReadOnce) {
  const std::string invitation =
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Tea\nDTSTART:20260704T160000\nEND:VEVENT\nEND:VCALENDAR";
  const std::vector<ReadItem> items =
      items_of("a.eml", in_parts({"\nCome.", "Content-Type: text/calendar; method=REQUEST\n\n" + invitation,
                                  "Content-Type: application/ics; name=invite.ics\n\n" + invitation}));
  EXPECT_EQ(items.size(), 2U);
}

TEST(SealedMail, WhatIsEncryptedSaysSo) {
  for (const std::string& message :
       {in_parts({"Content-Type: application/pgp-encrypted\n\nVersion: 1",
                  "Content-Type: application/octet-stream; name=encrypted.asc\n\n-----BEGIN PGP MESSAGE-----"},
                 "encrypted"),
        kHead + "Content-Type: application/pkcs7-mime; name=smime.p7m\nContent-Transfer-Encoding: base64\n\nMIIB\n",
        kHead + "\n-----BEGIN PGP MESSAGE-----\n\nhQEMA\n=ab12\n-----END PGP MESSAGE-----\n"}) {
    const std::vector<ReadItem> items = items_of("a.eml", message);
    ASSERT_EQ(items.size(), 1U);
    EXPECT_EQ(items[0].document.text, "From: Ann <ann@example.org>; Subject: The crane");
    ASSERT_EQ(items[0].document.notes.size(), 1U);
    EXPECT_NE(items[0].document.notes[0].find("encrypted"), std::string::npos);
  }
}

TEST(SealedMail, ArmourIsBlankedOut) {
  std::string text =
      "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nHello\n- - Anna\n-----BEGIN PGP SIGNATURE-----\n\niQ\n"
      "-----END PGP SIGNATURE-----\n> -----BEGIN PGP SIGNATURE-----\n> iQ\n> -----END PGP SIGNATURE-----\nBye\n";
  const auto breaks = [](const std::string& t) { return std::count(t.begin(), t.end(), '\n'); };
  const auto n_breaks = breaks(text);
  EXPECT_FALSE(blank_out_armour(text));
  EXPECT_EQ(breaks(text), n_breaks);
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  EXPECT_EQ(text, "Hello-AnnaBye");
  std::string open = "-----BEGIN PGP MESSAGE-----\nnothing ends it";
  EXPECT_FALSE(blank_out_armour(open));
  EXPECT_NE(open.find("nothing"), std::string::npos);
}

// Elements of BER: a tag, a length, contents.
std::string ber(char tag, const std::string& content) {
  return std::string{tag, static_cast<char>(0x82), static_cast<char>(content.size() >> 8),
                     static_cast<char>(content.size())} +
         content;
}

// Signed data around a message, `octets` as the string that it is in.
std::string signed_data(const std::string& octets) {
  const std::string data = ber(0x06, "\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01");
  const std::string within = ber(0x30, data + ber('\xa0', octets));
  const std::string all = ber(0x02, "\x01") + ber(0x31, "") + within + ber(0x31, "");
  return ber(0x30, ber(0x06, "\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02") + ber('\xa0', ber(0x30, all)));
}

TEST(SealedMail, AMessageThatIsSignedAsAWholeIsRead) {
  const std::string within = "Content-Type: text/plain\n\nThe crane comes on Monday.\n";
  EXPECT_EQ(signed_content(signed_data(ber(0x04, within))), within);
  const std::string pieces = "\x24\x80"s + ber(0x04, within.substr(0, 30)) + ber(0x04, within.substr(30)) + "\0\0"s;
  EXPECT_EQ(signed_content(signed_data(pieces)), within) << "in pieces whose number is not told";
  for (size_t size = 0; size < 100; ++size) signed_content(signed_data(pieces).substr(0, size));  // ends
  EXPECT_FALSE(signed_content(ber(0x30, ber(0x06, "\x2a\x86\x48\x86\xf7\x0d\x01\x07\x03"))));
  const std::vector<ReadItem> items = items_of(
      "a.eml", kHead + "Content-Type: application/x-pkcs7-mime; name=smime.p7m\nContent-Transfer-Encoding: 8bit\n\n" +
                   signed_data(ber(0x04, within)));
  ASSERT_EQ(items.size(), 1U);
  EXPECT_TRUE(holds(items[0].document, "The crane comes on Monday.")) << items[0].document.text;
  EXPECT_TRUE(items[0].document.notes.empty());
}

std::string little(uint32_t number, int n_bytes) {
  std::string bytes;
  for (int i = 0; i < n_bytes; ++i) bytes.push_back(static_cast<char>(number >> (8 * i)));
  return bytes;
}

// An attribute of winmail.dat.
std::string attribute(uint32_t id, const std::string& data, char level = 2) {
  return level + little(id, 4) + little(static_cast<uint32_t>(data.size()), 4) + data + little(0, 2);
}

// A property whose size varies.
std::string property(uint32_t type, uint32_t id, std::string value) {
  const auto size = static_cast<uint32_t>(value.size());
  value.resize((value.size() + 3) / 4 * 4);
  return little(type, 2) + little(id, 2) + little(1, 4) + little(size, 4) + value;
}

std::string winmail() {
  std::string wide;
  for (const char c : "notes of May.txt"s) wide += {c, '\0'};
  return "\x78\x9f\x3e\x22"s + little(1, 2) + attribute(0x8004, "Minutes\0"s, 1) +
         attribute(0x69003,
                   little(2, 4) + property(0x1e, 0x1000, "We agreed on 900 euro.\0"s) + property(0x1e, 0x3007, "x")) +
         attribute(0x69002, "begins") + attribute(0x18010, "NOTES~1.TXT\0"s) +
         attribute(0x6800f, "The crane costs 900.") + attribute(0x69005, little(1, 4) + property(0x1f, 0x3707, wide));
}

TEST(Tnef, AttachmentsAndTextOfOutlooksWrapping) {
  const TnefMessage message = parse_tnef(winmail());
  EXPECT_EQ(message.subject, "Minutes");
  EXPECT_EQ(message.plain, "We agreed on 900 euro.");
  ASSERT_EQ(message.files.size(), 1U);
  EXPECT_EQ(message.files[0].name, "notes of May.txt");
  EXPECT_EQ(message.files[0].bytes, "The crane costs 900.");
  for (size_t size = 0; size < winmail().size(); ++size) parse_tnef(winmail().substr(0, size));  // ends
}

TEST(Tnef, InAMessageAndAlone) {
  const std::string part =
      "Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: 8bit\n\n" + winmail();
  const std::vector<ReadItem> items = items_of("a.eml", in_parts({"\nHello.", part}));
  ASSERT_EQ(items.size(), 2U);
  EXPECT_TRUE(holds(items[0].document, "Attachments: notes of May.txt")) << items[0].document.text;
  EXPECT_FALSE(holds(items[0].document, "agreed")) << "another part says it";
  EXPECT_EQ(items[1].member, "notes of May.txt");
  const std::vector<ReadItem> alone = items_of("winmail.dat", winmail());
  ASSERT_EQ(alone.size(), 2U);
  EXPECT_EQ(alone[0].document.title, "Minutes");
  EXPECT_TRUE(holds(alone[0].document, "We agreed on 900 euro."));
}

TEST(MailPrograms, AppleKeepsANumberAboveAndAListBelow) {
  const std::string message = kHead + "\nIt comes on Monday.\n";
  const rag::Document document = read_text(
      "123.emlx", std::to_string(message.size()) + "      \n" + message + "<?xml version=\"1.0\"?>\n<plist/>\n");
  EXPECT_EQ(document.title, "The crane");
  EXPECT_EQ(document.text, "From: Ann <ann@example.org>; Subject: The crane\n\nIt comes on Monday.");
  EXPECT_EQ(document.blocks[1].line_begin, 5);
  EXPECT_EQ(read_text("123.emlx", message).title, "The crane");
}

TEST(MailPrograms, MailboxesOfThunderbird) {
  const std::string box =
      "From \r\nX-Mozilla-Status: 0001\r\nSubject: One\r\nFrom: a@b.c\r\n\r\nText one.\r\n\r\n"
      "From \r\nX-Mozilla-Status: 0009\r\nSubject: Deleted\r\nFrom: a@b.c\r\n\r\nText two.\r\n\r\n"
      "From - Mon Nov 24 10:00:00 2026\r\nX-Mozilla-Status: 0000\r\nSubject: Three\r\n\r\nText three.\r\n";
  const std::vector<ReadItem> items = items_of("Inbox", box);
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].document.title, "One");
  EXPECT_EQ(items[1].document.title, "Three");
  EXPECT_EQ(items[1].member, "message 3");
}

TEST(MailPrograms, AMailboxOfOneMessageMayBeginWithIt) {
  const std::vector<ReadItem> items = items_of("a.mbox", "\n" + kHead + "\nIt comes.\n");
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0].document.title, "The crane");
  EXPECT_FALSE(read_bytes("a.mbox", as_bytes("no field\n\n"), {}, [](const ReadItem&) { return Status(); }).ok());
}

TEST(MailPrograms, MessagesAreKnownByWhatTheyHold) {
  EXPECT_EQ(read_text("msg-1:2,S", "Return-path: <a@b.c>\n" + kHead + "\nText.\n").format, "eml");
  EXPECT_EQ(
      read_text("saved.txt", kHead + "Date: Mon, 2 Mar 2026 10:00:00 +0100\nMessage-Id: <1@b.c>\n\nText.\n").format,
      "eml");
  const std::string archive =
      "From ann at example.org  Mon Mar  2 10:00:00 2026\nFrom: ann at example.org (Ann)\n"
      "Date: Mon, 2 Mar 2026 10:00:00 +0100\nSubject: [yard] Crane\nMessage-ID: <1@b.c>\n\nText.\n";
  EXPECT_EQ(items_of("2026-March.txt", archive).at(0).document.title, "[yard] Crane");
  EXPECT_EQ(read_text("note.txt", kHead + "To: all\nDate: Monday\n\nSoup.\n").format, "text");
  EXPECT_EQ(read_text("data.bin", "Received: from x\n" + kHead + "Message-ID: <1>\n\nText\0 with a zero.\n"s).format,
            "eml");
}

TEST(MailPrograms, StoresOfOutlookExpressAreNotReadAndSaySo) {
  const Status status = read_bytes("a.dbx", as_bytes("\xcf\xad\x12\xfe\x01\x02\x03\0\0\0"s), {},
                                   [](const ReadItem&) { return Status(); });
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_NE(status.message().find("mail store of Outlook Express"), std::string::npos) << status.message();
}

TEST(MailDates, OfOldProgramsAndOfNone) {
  EXPECT_EQ(mail_day("Fri, 31 May 2024 10:00:00 +0200"), "2024-05-31");
  EXPECT_EQ(mail_day("17 Jan 92 05:31:15 GMT"), "1992-01-17");
  EXPECT_EQ(mail_day("3 Mar 05 05:31:15 GMT"), "2005-03-03");
  EXPECT_EQ(mail_day("Thu Dec 4 16:00:00 2008 -0800"), "2008-12-04");
  EXPECT_EQ(mail_day("Tue, 4 Jan 102 10:00:00"), "2002-01-04");
  EXPECT_EQ(mail_day("TBD"), "");
  const rag::Document document = read_text(
      "a.eml",
      "Received: from x by y; Fri, 31 May 2024 10:00:00 +0200\nReceived: from z; Thu, 30 May 2024 10:00:00 +0200\n" +
          kHead + "\nText.\n");
  EXPECT_EQ(document.date, "2024-05-31");
  EXPECT_TRUE(holds(document, "Date: Fri, 31 May 2024"));
}

// Also where the message ends within one.
TEST(MailHeads, EncodedWordsThatAreCutOffAreText) {
  for (const std::string cut : {"=?", "=?utf-8", "=?utf-8?", "=?utf-8?q", "=?utf-8?q?", "=?utf-8?q?caf=C3"}) {
    EXPECT_EQ(decode_header(cut), cut);
    EXPECT_EQ(decode_header("Menu " + cut), "Menu " + cut);
  }
}

TEST(MailHeads, EncodedWords) {
  EXPECT_EQ(decode_header("=?utf-8?B?w6Q=?= =?utf-8?Q?=C3=B6?="), "äö");
  EXPECT_EQ(decode_header("=?utf-8?Q?caf=C3?= =?UTF-8?Q?=A9?="), "café")
      << "a character begins in one and ends in the next";
  EXPECT_EQ(decode_header("=?utf-8*en?Q?caf=C3=A9?="), "café");
  EXPECT_EQ(decode_header("is =? this =?utf-8?Q?=C3=A9?="), "is =? this é");
  EXPECT_EQ(decode_header("=?utf-8?X?abc?="), "=?utf-8?X?abc?=");
  EXPECT_EQ(decode_header("=?utf-8?B?SGVs bG8=?="), "Hello");
  EXPECT_EQ(decode_header("J\xf8rn"), "Jørn");
  EXPECT_EQ(decode_header("\xf4\xc5\xd3\xd4", "koi8-r"), "Тест");
}

TEST(MailHeads, EndWhereTheTextBegins) {
  const auto text_of = [](const std::string& message) { return read_text("a.eml", message).text; };
  EXPECT_EQ(text_of("Subject: S\n \nHello there.\n"), "Subject: S\n\nHello there.") << "a line of spaces";
  EXPECT_EQ(text_of("Subject: S\n \n goes on\nFrom: a@b.c\n\nHello.\n"), "From: a@b.c; Subject: S goes on\n\nHello.");
  EXPECT_EQ(text_of("Subject: S\nFrom: a@b.c\nNo empty line here.\nAnd more.\n"),
            "From: a@b.c; Subject: S\n\nNo empty line here.\nAnd more.");
  EXPECT_EQ(text_of("Subject: S\nbroken\nFrom: a@b.c\n\nHello.\n"), "From: a@b.c; Subject: S\n\nHello.");
  EXPECT_EQ(text_of("Message removed\n"), "Message removed");
}

TEST(MailBodies, AreReadWhateverKindOfTextTheyCallThemselves) {
  for (const char* type : {"text/x-patch", "text/asciidoc", "text", "plain text", "text/enriched"}) {
    EXPECT_TRUE(holds(read_text("a.eml", kHead + "Content-Type: " + type + "\n\nIt comes.\n"), "It comes.")) << type;
  }
  const rag::Document page =
      read_text("a.eml", kHead + "Content-Type: text/plain\n\n<html><body><p>It <b>comes</b>.</p></body></html>\n");
  EXPECT_TRUE(holds(page, "It comes.")) << page.text;
  const rag::Document report =
      read_text("a.eml", in_parts({"\nIt could not be sent.",
                                   "Content-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\n"
                                   "Final-Recipient: rfc822; bob@example.org\nStatus: 5.1.1"},
                                  "report"));
  EXPECT_TRUE(holds(report, "bob@example.org")) << report.text;
}

TEST(MailBodies, OfADigestAreMessages) {
  const std::vector<ReadItem> items =
      items_of("a.eml", in_parts({"\nSubject: One\n\nFirst.", "\nSubject: Two\n\nSecond."}, "digest"));
  ASSERT_EQ(items.size(), 3U);
  EXPECT_EQ(items[1].document.title, "One");
  EXPECT_EQ(items[2].document.title, "Two");
}

TEST(MailBodies, Base64WithWordsOfAListBelow) {
  const std::string encoded =
      "Content-Transfer-Encoding: base64 (none)\n\nSXQgY29tZXMu\n____________\nyard mailing list\nyard@example.org\n";
  EXPECT_EQ(read_text("a.eml", kHead + encoded).text, "From: Ann <ann@example.org>; Subject: The crane\n\nIt comes.");
}

TEST(MailBodies, LinesThatFlow) {
  const auto text_of = [](const std::string& type, const std::string& body) {
    const std::string text =
        read_text("a.eml", "Subject: S\nContent-Type: text/plain; charset=utf-8" + type + "\n\n" + body).text;
    return text.substr(text.find("\n\n") + 2);
  };
  EXPECT_EQ(text_of("; format=flowed", "It \ncomes.\n"), "It comes.");
  EXPECT_EQ(text_of("; format=flowed; delsp=yes", "東京 \nです\n"), "東京です");
  EXPECT_EQ(text_of("", "From: Ann \nSent: Monday \nHello Bob, \nit comes\n"),
            "From: Ann\nSent: Monday\nHello Bob,\nit comes");
  EXPECT_EQ(text_of("; format=flowed", "-- \nAnn\n"), "--\nAnn");
}

TEST(MailBodies, ASignatureIsABlockOfItsOwn) {
  const rag::Document document = read_text("a.eml", kHead + "\nIt comes on Monday.\n-- \nAnn Weber\nThe yard\n");
  ASSERT_EQ(document.blocks.size(), 3U);
  EXPECT_EQ(test::block_text(document, 1), "It comes on Monday.");
  EXPECT_EQ(test::block_text(document, 2), "--\nAnn Weber\nThe yard");
  EXPECT_EQ(document.blocks[2].line_begin, 5);
}

TEST(MailBodies, LinesOfItemsStayLines) {
  const rag::Document document = read_text("a.eml", kHead + "\n- bread\n- butter,\n  salted\n-- \nAnn\n");
  EXPECT_EQ(document.text,
            "From: Ann <ann@example.org>; Subject: The crane\n\n- bread\n- butter,\n  salted\n\n--\nAnn");
}

TEST(MailBodies, ItemsThatAProgramBrokeGoOn) {
  const std::string item =
      "- The update is run after the repository accepts a new\n  version, under the name of who sent it.\n";
  const rag::Document document = read_text("a.eml", kHead + "\n" + std::string(76, 'x') + "\n\n" + item);
  EXPECT_TRUE(holds(document, "accepts a new version, under")) << document.text;
}

TEST(MailBodies, FilesThatAnOldProgramWroteIntoThem) {
  const std::string file = "begin 644 a.txt\n95&AE(&-R86YE(&-O<W1S(#DP,\"!E=7)O+@  \n`\nend\n";
  ASSERT_EQ(uuencoded_files(file).size(), 1U);
  EXPECT_EQ(uuencoded_files(file)[0].name, "a.txt");
  EXPECT_EQ(uuencoded_files(file)[0].bytes, "The crane costs 900 euro.");
  EXPECT_TRUE(uuencoded_files("begin 644 a.txt\nnot encoded\nend\n").empty());
  EXPECT_TRUE(uuencoded_files("begin 644 a.txt\n#86)C\n").empty()) << "it does not end";
  const std::vector<ReadItem> items = items_of("a.eml", kHead + "\nHere it is.\n\n" + file + "\nBye.\n");
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].document.text,
            "From: Ann <ann@example.org>; Subject: The crane; Attachments: a.txt\n\nHere it is.\n\nBye.");
  EXPECT_EQ(items[1].member, "a.txt");
}

TEST(MailBodies, WordsForPreviewsAreHidden) {
  const std::string html = "<div style=\"display:none;max-height:0\">Preview of it</div><p>It comes on Monday.</p>";
  const rag::Document document = read_text("a.eml", kHead + "Content-Type: text/html\n\n" + html);
  EXPECT_TRUE(holds(document, "It comes on Monday."));
  EXPECT_FALSE(holds(document, "Preview"));
}

TEST(Mail, MessagesThatOutlookForMacExports) {
  const std::string people =
      "<emailAddress OPFContactEmailAddressAddress=\"ann@example.org\" "
      "OPFContactEmailAddressName=\"Ann Weber\"/>";
  const rag::Document document =
      read_text("message_00001.xml",
                "<?xml version=\"1.0\"?><emails elementCount=\"1\"><email><OPFMessageCopyBody>The ferry leaves at noon."
                "</OPFMessageCopyBody><OPFMessageCopyFromAddresses>" +
                    people +
                    "</OPFMessageCopyFromAddresses>"
                    "<OPFMessageCopySentTime>2024-05-03T08:28:20</OPFMessageCopySentTime><OPFMessageCopySubject>Ferry"
                    "</OPFMessageCopySubject></email></emails>");
  EXPECT_EQ(document.format, "eml");
  EXPECT_EQ(document.title, "Ferry");
  EXPECT_EQ(document.date, "2024-05-03");
  EXPECT_EQ(document.author, "Ann Weber <ann@example.org>");
  EXPECT_NE(document.text.find("The ferry leaves at noon."), std::string::npos);
}

}  // namespace
}  // namespace mneme::readers
