// Archives, limits, and files on disk that are not what they should be.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/cancel.h"
#include "rag/readers/archive/member_name.h"
#include "tests/support/make_files.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using test::make_tar;
using test::make_zip;

struct Seen {
  std::vector<std::string> documents;  // "member=title"
  std::vector<std::string> failures;   // "member: code"
  Status status;
};

Seen read_all(std::string_view name, const std::string& bytes, const ReadLimits& limits = {}) {
  Seen seen;
  seen.status = read_bytes(name, as_bytes(bytes), limits, [&](ReadItem item) {
    if (item.status.ok()) {
      seen.documents.push_back(item.member + "=" + item.document.title);
    } else {
      seen.failures.push_back(item.member + ": " + std::string(code_name(item.status.code())));
    }
    return Status();
  });
  return seen;
}

TEST(Archive, EveryFileIsReadAsOneOfItsOwn) {
  const std::string inner = make_zip({{"deep/c.md", "# C\n"}});
  const test::Members members = {{"a.md", "# A\n"},    {"folder/b.txt", "text of b"}, {"picture.png", "\x89PNG"},
                                 {"inner.zip", inner}, {".hidden/x.md", "# X\n"},     {"broken.docx", "PK\x03\x04 no"},
                                 {"empty.txt", ""}};
  const std::vector<std::string> expected = {"a.md=A", "folder/b.txt=b", "inner.zip/deep/c.md=C"};
  const std::vector<std::string> failed = {"broken.docx: corruption", "empty.txt: unsupported"};
  for (const std::string& bytes : {make_zip(members), make_tar(members), make_tar(members, true)}) {
    const Seen seen = read_all("archive", bytes);
    EXPECT_TRUE(seen.status.ok()) << seen.status.message();
    EXPECT_EQ(seen.documents, expected);
    EXPECT_EQ(seen.failures, failed);
  }
}

// A zip whose names are those bytes, with nothing that says in what encoding.
std::string zip_with_raw_name(const std::string& name) {
  const std::string stand_in(name.size() - 4, 'x');
  std::string bytes = make_zip({{stand_in + ".txt", "text"}});
  for (size_t at = bytes.find(stand_in); at != std::string::npos; at = bytes.find(stand_in)) {
    bytes.replace(at, name.size(), name);
  }
  return bytes;
}

// In the "C" locale, in which readers run, libarchive gives none of these names.
TEST(Archive, NamesBeyondAsciiKeepTheirExtensions) {
  const test::Members members = {{"Verträge/März.md", "# Lease\n"}, {"契約書.txt", "text"}};
  const std::vector<std::string> expected = {"Verträge/März.md=Lease", "契約書.txt=契約書"};
  EXPECT_EQ(read_all("a.zip", make_zip(members)).documents, expected);
  const auto tar = [&] {
    const Utf8NamesScope names;
    return make_tar(members, true);
  };
  EXPECT_EQ(read_all("a.tgz", tar()).documents, expected);
}

TEST(Archive, NamesOfUnsaidEncodings) {
  const auto name_of = [](const std::string& raw) {
    const Seen seen = read_all("a.zip", zip_with_raw_name(raw));
    return seen.documents.size() == 1 ? seen.documents[0].substr(0, seen.documents[0].find('=')) : "none";
  };
  EXPECT_EQ(name_of("Gr\x94\xe1"
                    "e.txt"),
            "Größe.txt");  // DOS
  EXPECT_EQ(name_of("Gr\xf6\xdf"
                    "e.txt"),
            "Größe.txt");                                                 // windows-1252
  EXPECT_EQ(name_of("\x84\xae\xa3\xae\xa2\xae\xe0.txt"), "Договор.txt");  // cp866
  // Folders of other languages, and dots in their names, say nothing of the file's.
  EXPECT_EQ(path_of_unknown_encoding("documents/v1.0/\x8e\x92\x97\x85\x92"), "documents/v1.0/ОТЧЕТ");
  EXPECT_EQ(name_of("documents/\x84\x8e\x8c.txt"), "documents/ДОМ.txt");
  EXPECT_EQ(name_of("\x93\xfa\x96{\x8c\xea\x82\xcc\x8e\x91\x97\xbf.txt"), "日本語の資料.txt");    // cp932
  EXPECT_EQ(name_of("\x8c_\x96\xf1\x8f\x91/\x91\xe6\x88\xea\x8f\xcd.txt"), "契約書/第一章.txt");  // cp932
  EXPECT_EQ(name_of("\xc3\xbc"
                    "bung.txt"),
            "übung.txt");  // UTF-8
}

TEST(Archive, PathsCannotLeaveTheArchive) {
  const Seen seen =
      read_all("a.tar", make_tar({{"../../etc/passwd.txt", "x"}, {"/abs/b.txt", "y"}, {"a/../../c.txt", "z"}}));
  EXPECT_EQ(seen.documents, (std::vector<std::string>{"etc/passwd.txt=passwd", "abs/b.txt=b", "a/c.txt=c"}));
}

TEST(Archive, BombsNestingAndNumbersAreBounded) {
  ReadLimits limits;
  limits.unpacked_bytes = 8 << 20;
  const std::string zeros(std::size_t{12} << 20, '0');
  EXPECT_EQ(read_all("a.zip", make_zip({{"z.txt", zeros}}), limits).status.code(), StatusCode::kResource);
  EXPECT_EQ(read_all("a.tar.gz", make_tar({{"z.txt", zeros}}, true), limits).status.code(), StatusCode::kResource);
  std::string nested = make_zip({{"core.txt", "text"}});
  for (int i = 0; i < 8; ++i) nested = make_zip({{"n.zip", nested}});
  const Seen deep = read_all("a.zip", nested);
  EXPECT_TRUE(deep.documents.empty());
  ASSERT_EQ(deep.failures.size(), 1u);
  EXPECT_TRUE(deep.failures[0].ends_with("resource"));
  test::Members many;
  for (int i = 0; i < 50; ++i) many.emplace_back(std::to_string(i) + ".txt", "x");
  limits.members = 20;
  const Seen stopped = read_all("a.zip", make_zip(many), limits);
  EXPECT_EQ(stopped.status.code(), StatusCode::kResource);
  EXPECT_EQ(stopped.documents.size(), 20u);
}

TEST(Archive, EncryptedAndDamagedArchives) {
  const Seen encrypted = read_all("a.zip", make_zip({{"a.txt", "secret words"}}, "password"));
  ASSERT_EQ(encrypted.failures.size(), 1u);
  EXPECT_EQ(encrypted.failures[0], "a.txt: unsupported");
  const std::string whole = make_tar({{"a.txt", std::string(5000, 'a')}, {"b.txt", std::string(5000, 'b')}}, true);
  const Seen cut = read_all("a.tar.gz", whole.substr(0, whole.size() / 2));
  EXPECT_TRUE(!cut.status.ok() || !cut.failures.empty());
  EXPECT_FALSE(read_all("a.zip", "PK\x03\x04" + std::string(100, 'x')).status.ok());
}

TEST(Archive, ASinglePackedFileIsItself) {
  const std::string tar = make_tar({{"x.txt", "y"}}, true);
  EXPECT_EQ(read_all("x.tgz", tar).documents, std::vector<std::string>{"x.txt=x"});
}

TEST(Reading, CancelAndSinkFailuresStop) {
  CancelToken token;
  token.cancel();
  ReadLimits limits;
  limits.cancel = &token;
  EXPECT_EQ(read_document("a.txt", as_bytes("text"), limits).status().code(), StatusCode::kCancelled);
  int calls = 0;
  const Status status = read_bytes("a.zip", as_bytes(make_zip({{"a.txt", "x"}, {"b.txt", "y"}})), {}, [&](ReadItem) {
    ++calls;
    return io_error("disk full");
  });
  EXPECT_EQ(status.code(), StatusCode::kIo);
  EXPECT_EQ(calls, 1);
}

TEST(Reading, SizeLimitsAreTold) {
  ReadLimits limits;
  limits.file_bytes = 1000;
  EXPECT_EQ(read_document("a.txt", as_bytes(std::string(1001, 'x')), limits).status().code(), StatusCode::kResource);
  limits = {};
  limits.text_bytes = 1000;
  EXPECT_EQ(read_document("a.txt", as_bytes(std::string(1001, 'x')), limits).status().code(), StatusCode::kResource);
  EXPECT_EQ(read_document("a.md", as_bytes(std::string(1001, 'x')), limits).status().code(), StatusCode::kResource);
}

class OnDisk : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "mneme_readers_XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  void write(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
  }
  static Status read(const std::string& path, const ReadLimits& limits = {}) {
    return read_file(path, limits, [](ReadItem item) { return item.status; });
  }

  std::string folder_;
};

TEST_F(OnDisk, ThingsThatAreNoFiles) {
  EXPECT_EQ(read(path("missing.txt")).code(), StatusCode::kNotFound);
  EXPECT_EQ(read(folder_).code(), StatusCode::kUsage);
  ASSERT_EQ(::mkfifo(path("pipe.txt").c_str(), 0600), 0);
  EXPECT_EQ(read(path("pipe.txt")).code(), StatusCode::kUnsupported);
  EXPECT_EQ(read("/dev/zero").code(), StatusCode::kUnsupported);
  ASSERT_EQ(::symlink(path("loop.txt").c_str(), path("loop.txt").c_str()), 0);
  EXPECT_EQ(read(path("loop.txt")).code(), StatusCode::kIo);
  ASSERT_EQ(::symlink(path("gone.txt").c_str(), path("dangling.txt").c_str()), 0);
  EXPECT_EQ(read(path("dangling.txt")).code(), StatusCode::kNotFound);
  write("empty.txt", "");
  EXPECT_EQ(read(path("empty.txt")).code(), StatusCode::kUnsupported);
  if (::geteuid() != 0) {
    write("secret.txt", "x");
    ::chmod(path("secret.txt").c_str(), 0);
    EXPECT_EQ(read(path("secret.txt")).code(), StatusCode::kIo);
  }
}

TEST_F(OnDisk, NamesInAnyEncoding) {
  const std::string name = "caf\xe9 \xff\x01.md";
  write(name, "text without a title\n");
  std::string title;
  ASSERT_TRUE(read_file(path(name), {}, [&](ReadItem item) {
                title = item.document.title;
                return item.status;
              }).ok());
  EXPECT_EQ(title, "caf\xef\xbf\xbd \xef\xbf\xbd?");
  write("\xff.png", std::string("\x89PNG\0\0", 6));
  const Status refused = read(path("\xff.png"));
  EXPECT_EQ(refused.code(), StatusCode::kUnsupported);
  EXPECT_NE(refused.message().find("\xef\xbf\xbd"), std::string::npos);
}

TEST_F(OnDisk, EnormousFilesAreRefusedUnread) {
  write("big.txt", "x");
  ASSERT_EQ(::truncate(path("big.txt").c_str(), off_t{1} << 40), 0);
  const Status status = read(path("big.txt"));
  EXPECT_EQ(status.code(), StatusCode::kResource);
  EXPECT_NE(status.message().find("limit"), std::string::npos);
}

TEST_F(OnDisk, ALineOfOneGibibyteIsRefusedUnread) {
  std::string line;
  while (line.size() < 100'000) line += "one line without an end ";
  write("line.txt", line);
  ASSERT_EQ(::truncate(path("line.txt").c_str(), off_t{1} << 30), 0);
  const Status status = read(path("line.txt"));
  EXPECT_EQ(status.code(), StatusCode::kResource);
  EXPECT_NE(status.message().find("limit"), std::string::npos) << status.message();
}

// As `mneme index` reads, whose limit for what is read by pieces is above that: it is looked for the end of the line,
// and no more of it is held than a line may have.
TEST_F(OnDisk, ALineOfOneGibibyteIsReportedWhereTextsComeInParts) {
  write("line.txt", std::string(10'000, 'x'));
  ASSERT_EQ(::truncate(path("line.txt").c_str(), off_t{1} << 30), 0);
  ReadLimits limits;
  limits.container_bytes = uint64_t{2} << 30;
  limits.text_bytes = 8 << 20;
  std::vector<std::string> failures;
  const Status status = read_file(path("line.txt"), limits, [&](const ReadItem& item) {
    failures.push_back(item.member + ": " + item.status.message());
    return Status();
  });
  EXPECT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_NE(failures[0].find("its line 1 is over the limit of 4 MiB for one line"), std::string::npos) << failures[0];
}

// As `mneme index` reads, whose limit for a file is above that for a text: told by size and beginning.
TEST_F(OnDisk, TextsThatCannotFitAreRefusedUnread) {
  ReadLimits limits;
  limits.file_bytes = uint64_t{8} << 40;
  const auto refused = [&](const std::string& name, const std::string& beginning, uint64_t size) {
    write(name, beginning);
    EXPECT_EQ(::truncate(path(name).c_str(), static_cast<off_t>(size)), 0);
    const Status status = read_file(path(name), limits, [](const ReadItem&) { return Status(); });
    return status.code() == StatusCode::kResource && status.message().find(" limit") != std::string::npos;
  };
  // A tebibyte that was read would end the test.
  const std::string line(8192, 'x');
  EXPECT_TRUE(refused("line.txt", line, uint64_t{1} << 40));
  EXPECT_TRUE(refused("line.md", line, uint64_t{1} << 40));
  std::string wide = "\xff\xfe";
  for (int i = 0; i < 4096; ++i) wide += std::string("x\0", 2);
  EXPECT_TRUE(refused("wide.txt", wide, uint64_t{1} << 40));
  EXPECT_TRUE(refused("list.json", "[1, 2" + line, uint64_t{1} << 40));
  EXPECT_TRUE(refused("home.ics", "BEGIN:VCALENDAR" + line, uint64_t{1} << 40));
  limits.text_bytes = 10'000;
  EXPECT_TRUE(refused("line.md", line, 10'001));
  EXPECT_FALSE(refused("home.ics", "BEGIN:VCALENDAR" + line, 10'001));
}

TEST_F(OnDisk, OneVeryLongLine) {
  std::string line;
  for (int i = 0; i < 2'000'000; ++i) line += "word" + std::to_string(i % 1000) + " ";
  write("line.txt", line);
  EXPECT_TRUE(read(path("line.txt")).ok());
}

TEST(Detect, FormatsByContentAndName) {
  EXPECT_EQ(detect_format("a.md", as_bytes("x")), "markdown");
  EXPECT_EQ(detect_format("README", as_bytes("hello there")), "text");
  EXPECT_EQ(detect_format("script", as_bytes("#!/bin/sh\n")), "source");
  EXPECT_EQ(detect_format("page", as_bytes("<!DOCTYPE html><p>")), "html");
  EXPECT_EQ(detect_format("wrong.txt", as_bytes("%PDF-1.4")), "pdf");
  EXPECT_EQ(detect_format("a.bin", as_bytes(std::string(100, '\0'))), "");
  EXPECT_FALSE(worth_opening("photo.JPG"));
  EXPECT_TRUE(worth_opening("notes"));
  EXPECT_TRUE(worth_opening("notes. "));
  EXPECT_TRUE(worth_opening("notes.jpg png"));
}

}  // namespace
}  // namespace mneme::readers
