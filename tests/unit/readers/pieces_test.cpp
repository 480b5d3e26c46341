// Containers that are read by pieces: what comes of a file before its end is read, how much of it is asked for at a
// time, and that a large one may take more than a small one and still ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "rag/readers/container_limits.h"
#include "rag/readers/file_source.h"
#include "rag/readers/reader.h"
#include "tests/support/make_files.h"

namespace mneme::readers {
namespace {

using test::make_tar;
using test::make_zip;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr uint64_t kMiB = uint64_t{1} << 20;

// Bytes that are made when they are asked for, and what was asked for.
class MadeSource final : public ByteSource {
 public:
  using Make = std::function<Result<size_t>(uint64_t offset, std::span<char> out)>;
  MadeSource(uint64_t size, Make make) : size_(size), make_(std::move(make)) {}
  explicit MadeSource(const std::string& bytes)
      : MadeSource(bytes.size(), [&bytes](uint64_t offset, std::span<char> out) -> Result<size_t> {
          return bytes.copy(out.data(), out.size(), static_cast<size_t>(offset));
        }) {}

  uint64_t size() const override { return size_; }
  Result<size_t> read(uint64_t offset, std::span<char> out) override {
    largest_read = std::max<uint64_t>(largest_read, out.size());
    const uint64_t left = size_ - std::min(offset, size_);
    auto got = make_(offset, out.subspan(0, static_cast<size_t>(std::min<uint64_t>(out.size(), left))));
    if (got.ok()) {
      all_read += *got;
      furthest = std::max(furthest, offset + *got);
    }
    return got;
  }

  uint64_t largest_read = 0;
  uint64_t all_read = 0;
  uint64_t furthest = 0;

 private:
  const uint64_t size_;
  const Make make_;
};

struct Seen {
  std::vector<std::string> documents;  // "member=title"
  std::vector<std::string> failures;   // "member: message"
  Status status;
};

Seen read_all(std::string_view name, ByteSource& source, const ReadLimits& limits = {}) {
  Seen seen;
  seen.status = read_from(name, source, limits, [&](const ReadItem& item) {
    if (item.status.ok()) {
      seen.documents.push_back(item.member + "=" + item.document.title);
    } else {
      seen.failures.push_back(item.member + ": " + item.status.message());
    }
    return Status();
  });
  return seen;
}

Seen read_all(std::string_view name, const std::string& bytes, const ReadLimits& limits = {}) {
  MemorySource source(bytes);
  return read_all(name, source, limits);
}

std::string message(int number, const std::string& body, const std::string& line_break = "\n") {
  return "From a@b.example Mon Jan  1 10:00:00 2024" + line_break + "Subject: Letter " + std::to_string(number) +
         line_break + line_break + body + line_break + line_break;
}

TEST(MailboxByPieces, MessagesComeAsTheyAreRead) {
  std::string mailbox;
  std::vector<uint64_t> ends;
  for (int i = 1; i <= 200; ++i) {
    mailbox += message(i, std::string(50'000, 'x'));
    ends.push_back(mailbox.size());
  }
  MadeSource source(mailbox);
  size_t number = 0;
  const Status status = read_from("all.mbox", source, {}, [&](const ReadItem& item) {
    EXPECT_EQ(item.member, "message " + std::to_string(number + 1));
    EXPECT_LE(source.furthest, ends[number] + 2 * kMiB) << "read ahead";
    ++number;
    return Status();
  });
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(number, ends.size());
  EXPECT_LE(source.largest_read, kMiB);
  EXPECT_LE(source.all_read, mailbox.size() + 4096) << "nothing but its beginning is read twice";
}

// The border between two messages at every place around the end of the first piece.
TEST(MailboxByPieces, BordersMayLieAcrossPieces) {
  for (const char* line_break : {"\n", "\r\n"}) {
    const size_t head = message(1, "", line_break).size();
    for (size_t before_end = 0; before_end <= 16; ++before_end) {
      const std::string first = message(1, std::string(kMiB - before_end - head + 8, 'x'), line_break);
      const Seen seen = read_all("a.mbox", first + message(2, "Text.", line_break) + message(3, "More.", line_break));
      EXPECT_TRUE(seen.status.ok());
      EXPECT_THAT(seen.documents, ElementsAre("message 1=Letter 1", "message 2=Letter 2", "message 3=Letter 3"))
          << before_end;
    }
  }
}

TEST(MailboxByPieces, OnlyBehindABlankLineDoesAMessageBegin) {
  for (const std::string line_break : {"\n", "\r\n"}) {
    const std::string body = "Where is the letter?" + line_break + "From the harbour it came.";
    const Seen seen = read_all("a.mbox", message(1, body, line_break) + message(2, "Text.", line_break));
    EXPECT_THAT(seen.documents, SizeIs(2));
    EXPECT_THAT(seen.failures, IsEmpty());
  }
}

TEST(MailboxByPieces, ALineOfALetterMayBeginWithFrom) {
  for (const std::string line_break : {"\n", "\r\n"}) {
    std::string body;
    for (const char* line : {"Hello.", "", "From Monday 2 March on we are closed.", "", "From 10:00 on, all of 2026,",
                             "the gate is open.", "", "From here:", "Note: bring the keys."}) {
      body.append(line).append(line_break);
    }
    const Seen seen = read_all("a.mbox", message(1, body, line_break) + "From - Mon Nov 24 2026" + line_break +
                                             "Subject: Letter 2" + line_break + line_break + "Text." + line_break);
    EXPECT_THAT(seen.documents, ElementsAre("message 1=Letter 1", "message 2=Letter 2"));
    EXPECT_THAT(seen.failures, IsEmpty());
  }
}

TEST(MailboxByPieces, AMessageOverTheLimitIsPassedOver) {
  ReadLimits limits;
  limits.file_bytes = kMiB;
  limits.container_bytes = 64 * kMiB;
  const std::string mailbox =
      message(1, "Short.") + message(2, std::string(9 * kMiB, 'x')) + message(3, "Short again.");
  MadeSource source(mailbox);
  const Seen seen = read_all("a.mbox", source, limits);
  EXPECT_TRUE(seen.status.ok()) << seen.status.message();
  EXPECT_THAT(seen.documents, ElementsAre("message 1=Letter 1", "message 3=Letter 3"));
  ASSERT_THAT(seen.failures, SizeIs(1));
  EXPECT_THAT(seen.failures[0], HasSubstr("message 2: message 2 is over the limit of 1 MiB"));
  const Seen last = read_all("a.mbox", message(1, "Short.") + message(2, std::string(9 * kMiB, 'x')), limits);
  EXPECT_THAT(last.documents, SizeIs(1));
  EXPECT_THAT(last.failures, SizeIs(1));
}

// A picture of 3 GiB in the middle is not even read, and no list of what the archive holds is needed first.
TEST(ArchiveByPieces, WhatIsNotWantedIsNotRead) {
  const std::string before = make_tar({{"a.md", "# A\n"}}).substr(0, 1024);
  std::string picture = make_tar({{"b.png", "x"}}).substr(0, 512);
  constexpr uint64_t kPicture = uint64_t{3} << 30;
  // Size and checksum of the header, in octal digits.
  std::snprintf(picture.data() + 124, 12, "%011llo", static_cast<unsigned long long>(kPicture));
  std::fill_n(picture.begin() + 148, 8, ' ');
  unsigned sum = 0;
  for (const char c : picture) sum += static_cast<unsigned char>(c);
  std::snprintf(picture.data() + 148, 8, "%06o", sum);
  const std::string head = before + picture;
  const std::string tail = make_tar({{"c.md", "# C\n"}});
  MadeSource source(head.size() + kPicture + tail.size(), [&](uint64_t offset, std::span<char> out) -> Result<size_t> {
    for (size_t i = 0; i < out.size(); ++i) {
      const uint64_t at = offset + i;
      const uint64_t in_tail = at - std::min(at, head.size() + kPicture);
      out[i] = at < head.size() ? head[at] : at < head.size() + kPicture ? 'x' : tail[in_tail];
    }
    return out.size();
  });
  ReadLimits limits;
  limits.container_bytes = uint64_t{4} << 30;
  const Seen seen = read_all("all.tar", source, limits);
  EXPECT_TRUE(seen.status.ok()) << seen.status.message();
  EXPECT_THAT(seen.documents, ElementsAre("a.md=A", "c.md=C"));
  EXPECT_LE(source.all_read, 4 * kMiB);
}

TEST(ArchiveByPieces, MembersComeAsTheyAreRead) {
  test::Members members;
  for (int i = 0; i < 100; ++i) {
    std::string text;
    while (text.size() < 100'000) text += "line " + std::to_string(i * 7919 + text.size()) + "\n";
    members.emplace_back(std::to_string(i) + ".txt", text);
  }
  const std::string tar = make_tar(members);
  MadeSource source(tar);
  uint64_t number = 0;
  const Status status = read_from("all.tar", source, {}, [&](const ReadItem&) {
    ++number;
    EXPECT_LE(source.furthest, number * 102'000 + 2 * kMiB) << "read ahead";
    return Status();
  });
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(number, members.size());
  EXPECT_LE(source.largest_read, kMiB);
}

// libarchive seeks to each member of a zip: what was fetched serves all those in it.
TEST(ArchiveByPieces, SmallMembersOfAZipAreNotFetchedOneByOne) {
  test::Members members;
  for (int i = 0; i < 2000; ++i) members.emplace_back(std::to_string(i) + ".md", "# Note " + std::to_string(i) + "\n");
  const std::string zip = make_zip(members);
  MadeSource source(zip);
  const Seen seen = read_all("all.zip", source);
  EXPECT_THAT(seen.documents, SizeIs(2000));
  EXPECT_LE(source.all_read, 4 * zip.size() + 4 * kMiB);
}

// The archive is whole: what failed is the disk, and that is said.
TEST(ByPieces, ASourceThatFailsIsNotADamagedFile) {
  std::string mailbox;
  test::Members members;
  for (int i = 1; i <= 100; ++i) {
    mailbox += message(i, std::string(50'000, 'x'));
    members.emplace_back(std::to_string(i) + ".txt", std::string(50'000, 'x'));
  }
  const std::string tar = make_tar(members);
  const std::string packed = make_tar(members, true);
  for (const auto& [name, bytes] : {std::pair("a.mbox", mailbox), {"a.tar", tar}}) {
    MadeSource source(bytes.size(), [&](uint64_t offset, std::span<char> out) -> Result<size_t> {
      if (offset > 2 * kMiB) return Status(StatusCode::kBusy, "the file changed");
      return bytes.copy(out.data(), out.size(), static_cast<size_t>(offset));
    });
    const Seen seen = read_all(name, source);
    EXPECT_EQ(seen.status.code(), StatusCode::kBusy) << name << ": " << seen.status.message();
    EXPECT_THAT(seen.failures, IsEmpty()) << name;
    EXPECT_GT(seen.documents.size(), 10u) << name;
  }
  MadeSource gone(packed.size(), [](uint64_t offset, std::span<char>) -> Result<size_t> {
    return Status(StatusCode::kIo, "gone at " + std::to_string(offset));
  });
  EXPECT_EQ(read_all("a.tar.gz", gone).status.code(), StatusCode::kIo);
}

TEST(ByPieces, LargeContainersHaveALimitOfTheirOwn) {
  std::string mailbox;
  while (mailbox.size() < 2 * kMiB) mailbox += message(1, std::string(50'000, 'x'));
  ReadLimits limits;
  limits.file_bytes = kMiB;
  limits.container_bytes = 4 * kMiB;
  EXPECT_TRUE(read_all("a.mbox", mailbox, limits).status.ok());
  limits.container_bytes = kMiB;
  MadeSource source(mailbox);
  const Seen refused = read_all("a.mbox", source, limits);
  EXPECT_EQ(refused.status.code(), StatusCode::kResource);
  EXPECT_THAT(refused.status.message(), HasSubstr("over the limit of 1 MiB"));
  EXPECT_LE(source.all_read, 4096u);
}

TEST(ByPieces, BombsEndWhateverTheyAreCalled) {
  ReadLimits limits;
  limits.unpacked_bytes = 8 * kMiB;
  const std::string zeros(12 * kMiB, '0');
  const Seen seen = read_all("a.tar.gz", make_tar({{"picture.png", zeros}, {"b.md", "# B\n"}}, true), limits);
  EXPECT_EQ(seen.status.code(), StatusCode::kResource);
  EXPECT_THAT(seen.status.message(), HasSubstr("decompression bomb"));
}

TEST(ByPieces, WhatIsAllowedGrowsWithTheFile) {
  ReadLimits limits;
  limits.unpacked_bytes = 1000;
  limits.members = 10;
  limits.time = std::chrono::seconds(60);
  EXPECT_EQ(unpacked_bytes_of(limits, 10), 1000u);
  EXPECT_EQ(unpacked_bytes_of(limits, 1'000'000), 50'000'000u);
  EXPECT_EQ(unpacked_bytes_of(limits, ~uint64_t{0}), ~uint64_t{0});
  EXPECT_EQ(members_of(limits, 5'000), 10u);
  EXPECT_EQ(members_of(limits, uint64_t{10} << 30), (uint64_t{10} << 30) / 512);
  EXPECT_EQ(time_of_container(limits, 1000), std::chrono::seconds(60));
  EXPECT_EQ(time_of_container(limits, 10 * kMiB), std::chrono::seconds(80));
  EXPECT_EQ(time_of_member(limits), std::chrono::seconds(60));
  limits.ocr = true;
  EXPECT_EQ(time_of_member(limits), std::chrono::seconds(600));
}

// No time at all for a member, but some for the whole: each fails alone, and the rest is tried.
TEST(ByPieces, AMemberOutOfTimeCostsItselfAlone) {
  std::string mailbox;
  for (int i = 1; i <= 3; ++i) mailbox += message(i, std::string(kMiB, 'x'));
  ReadLimits limits;
  limits.time = std::chrono::milliseconds(0);
  const Seen seen = read_all("a.mbox", mailbox, limits);
  EXPECT_THAT(seen.documents, IsEmpty());
  // A machine that stands still for six seconds ends it before.
  EXPECT_TRUE(seen.failures.size() == 3 || seen.status.code() == StatusCode::kResource) << seen.status.message();
  limits.time = std::chrono::milliseconds(-3'600'000);
  EXPECT_EQ(read_all("a.mbox", mailbox, limits).status.code(), StatusCode::kResource);
}

// What the program does with the documents, however long, is not the file's fault.
TEST(ByPieces, TimeInTheSinkIsNotCounted) {
  const std::string attached =
      "From: a@b\nSubject: Two\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=X\n\n"
      "--X\nContent-Type: text/plain\n\nSee below.\n--X\nContent-Type: text/plain\n"
      "Content-Disposition: attachment; filename=a.txt\n\nThe attachment.\n--X--\n";
  ReadLimits limits;
  limits.time = std::chrono::seconds(2);
  std::vector<std::string> members;
  const Status status = read_bytes("a.eml", as_bytes(attached), limits, [&](const ReadItem& item) {
    members.push_back(item.member);
    const auto until = std::chrono::steady_clock::now() + limits.time;
    while (members.size() == 1 && std::chrono::steady_clock::now() <= until) {
    }
    return item.status;
  });
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_THAT(members, ElementsAre("", "a.txt"));
}

TEST(ByPieces, AWalkGoesOnBehindWhatItPassedOver) {
  std::string mailbox;
  for (int i = 1; i <= 4; ++i) mailbox += message(i, "Text.");
  std::vector<std::string> begun;
  const MemberWalk walk{.passed_over = 2, .begins = [&](uint64_t number, const std::string& label) {
                          begun.push_back(std::to_string(number) + " " + label);
                          return Status();
                        }};
  std::vector<std::string> members;
  MemorySource source(mailbox);
  const Status status = read_from(
      "a.mbox", source, {},
      [&](const ReadItem& item) {
        members.push_back(item.member);
        return Status();
      },
      &walk);
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_THAT(begun, ElementsAre("3 message 3", "4 message 4"));
  EXPECT_THAT(members, ElementsAre("message 3", "message 4"));
}

}  // namespace
}  // namespace mneme::readers
