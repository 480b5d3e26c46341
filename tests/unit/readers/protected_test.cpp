// Files that cannot be read as they are, each refused with what is the matter: encrypted Office files, as Office wraps
// them, Office files of before 2007, encrypted OpenDocument and PDF files. A PDF that only forbids things is read.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "rag/readers/process/child_process.h"
#include "tests/support/make_files.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

// An entry of a compound file's directory. child: the first within it, sibling: the next beside it; 0: none.
struct Entry {
  std::string name;
  int sibling = 0;
  int child = 0;
};

void put(std::string& bytes, size_t at, uint64_t value, size_t size) {
  for (size_t i = 0; i < size; ++i) bytes[at + i] = static_cast<char>(value >> (8 * i) & 0xff);
}

// A compound file of version 3 whose streams are empty: header, FAT, directory. The FAT stands behind `far` sectors of
// nothing, so that it may be one that the header itself has no room for.
std::string make_compound(const std::vector<Entry>& entries, bool in_chain = false) {
  constexpr size_t kSector = 512;
  constexpr uint32_t kFree = 0xffffffff;
  constexpr uint32_t kEnd = 0xfffffffe;
  const size_t n_directory = (entries.size() + 1 + 3) / 4;
  // Sector 0: FAT; 1: DIFAT, where it is asked for; behind them the directory.
  std::string bytes(kSector * (3 + n_directory), '\0');
  const char magic[] = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
  bytes.replace(0, 8, magic, 8);
  put(bytes, 0x18, 0x3e, 2);
  put(bytes, 0x1a, 3, 2);
  put(bytes, 0x1c, 0xfffe, 2);
  put(bytes, 0x1e, 9, 2);
  put(bytes, 0x20, 6, 2);
  put(bytes, 0x2c, 1, 4);
  put(bytes, 0x30, 2, 4);
  put(bytes, 0x44, in_chain ? 1 : kEnd, 4);
  for (size_t i = 0; i < 109; ++i) put(bytes, 0x4c + 4 * i, i == 0 && !in_chain ? 0 : kFree, 4);
  const size_t fat = kSector;
  for (size_t i = 0; i < kSector / 4; ++i) put(bytes, fat + 4 * i, kFree, 4);
  for (size_t i = 0; i < n_directory; ++i) put(bytes, fat + 4 * (2 + i), i + 1 < n_directory ? 3 + i : kEnd, 4);
  for (size_t i = 0; i < kSector / 4; ++i) put(bytes, 2 * kSector + 4 * i, i == 0 ? 0 : kFree, 4);
  put(bytes, 3 * kSector - 4, kEnd, 4);
  const auto add = [&](size_t index, const Entry& entry, int type) {
    const size_t at = 3 * kSector + 128 * index;
    for (size_t i = 0; i < entry.name.size(); ++i) bytes[at + 2 * i] = entry.name[i];
    put(bytes, at + 0x40, 2 * (entry.name.size() + 1), 2);
    put(bytes, at + 0x42, static_cast<uint64_t>(type), 1);
    put(bytes, at + 0x44, kFree, 4);
    put(bytes, at + 0x48, entry.sibling == 0 ? kFree : static_cast<uint32_t>(entry.sibling), 4);
    put(bytes, at + 0x4c, entry.child == 0 ? kFree : static_cast<uint32_t>(entry.child), 4);
  };
  add(0, {"Root Entry", 0, 1}, 5);
  for (size_t i = 0; i < entries.size(); ++i) add(i + 1, entries[i], entries[i].child == 0 ? 2 : 1);
  return bytes;
}

std::string refusal(const std::string& name, const std::string& bytes) {
  const auto read = read_document(name, as_bytes(bytes));
  EXPECT_EQ(read.status().code(), StatusCode::kUnsupported) << read.status().message();
  return read.status().message();
}

const std::string kEncrypted = ": an Office file encrypted with a password; save it without one to index it.";

TEST(Protected, EncryptedOfficeFilesAreNotTakenForOldOnes) {
  const std::vector<Entry> entries = {{"EncryptionInfo", 2},
                                      {"EncryptedPackage", 3},
                                      {"\x06"
                                       "DataSpaces",
                                       0, 4},
                                      {"Version", 5},
                                      {"StrongEncryptionDataSpace"}};
  for (const bool in_chain : {false, true}) {
    const std::string bytes = make_compound(entries, in_chain);
    EXPECT_EQ(refusal("a.docx", bytes), "a.docx" + kEncrypted);
    EXPECT_EQ(refusal("a.xlsx", bytes), "a.xlsx" + kEncrypted);
    EXPECT_EQ(refusal("a.pptx", bytes), "a.pptx" + kEncrypted);
    EXPECT_EQ(refusal("without extension", bytes), "without extension" + kEncrypted);
  }
}

TEST(Protected, FilesUnderRightsManagementSaySo) {
  const std::string bytes = make_compound({{"EncryptedPackage", 2},
                                           {"\x06"
                                            "DataSpaces",
                                            0, 3},
                                           {"DRMEncryptedDataSpace"}});
  EXPECT_NE(refusal("a.docx", bytes).find("rights management"), std::string::npos);
}

TEST(Protected, FilesOfNoKnownKindSaySo) {
  const std::string bytes = make_compound({{"\x05"
                                            "SummaryInformation",
                                            2},
                                           {"__properties_version1.0"}});
  EXPECT_EQ(refusal("a.doc", bytes),
            "a.doc: an OLE file, as old Office programs write them, of no known document format.");
}

// Their parts are empty.
TEST(Protected, WhatADocumentEmbedsDoesNotDecide) {
  const std::string bytes = make_compound({{"Workbook", 2}, {"MBD0001", 0, 3}, {"WordDocument"}});
  EXPECT_EQ(read_document("a.xls", as_bytes(bytes)).status().message(), "a.xls: damaged: its sheets cannot be found.");
}

TEST(Protected, DamagedContainersEndInASentence) {
  const std::string whole = make_compound({{"EncryptionInfo", 2},
                                           {"EncryptedPackage", 3},
                                           {"\x06"
                                            "DataSpaces",
                                            0, 4},
                                           {"Version"}});
  for (size_t size = 8; size < whole.size(); size += 61) EXPECT_FALSE(refusal("a.docx", whole.substr(0, size)).empty());
  Random random(11);
  for (int round = 0; round < 300; ++round) {
    std::string wrong = whole;
    for (uint64_t n = 1 + random.below(40); n > 0; --n) {
      wrong[8 + random.below(wrong.size() - 8)] = static_cast<char>(random.below(256));
    }
    EXPECT_FALSE(refusal("a.docx", wrong).empty());
  }
  // Chains that bite their tails.
  std::string ring = whole;
  put(ring, 512 + 8, 2, 4);
  put(ring, 0x44, 1, 4);
  put(ring, 3 * 512 - 4, 1, 4);
  EXPECT_EQ(refusal("a.docx", ring), "a.docx" + kEncrypted);
}

TEST(Protected, EncryptedOpenDocumentFilesSaySo) {
  for (const char* kind : {"text", "spreadsheet", "presentation"}) {
    const std::string bytes = test::make_zip(
        {{"mimetype", std::string("application/vnd.oasis.opendocument.") + kind},
         {"META-INF/manifest.xml",
          "<manifest:manifest xmlns:manifest=\"m\"><manifest:file-entry manifest:full-path=\"content.xml\" "
          "manifest:size=\"99\"><manifest:encryption-data manifest:checksum=\"x\"><manifest:algorithm/>"
          "</manifest:encryption-data></manifest:file-entry></manifest:manifest>"},
         {"content.xml", std::string("\x9f\x01\x00\xfe", 4)}});
    EXPECT_EQ(refusal("a.odt", bytes), "a.odt is encrypted; save it without a password to index it.");
  }
}

class ProtectedPdf : public testing::Test {
 protected:
  void SetUp() override {
    if (find_program("pdftotext").empty()) GTEST_SKIP() << "pdftotext (poppler-utils) is not installed";
  }
};

// "They leave at noon.", encrypted as PDF 1.3 has it (RC4, 40 bits); printing and copying are forbidden. owner, user:
// the entries of these names, stream: the page, all in hexadecimal digits.
std::string encrypted_pdf(const std::string& owner, const std::string& user, const std::string& stream) {
  std::string content;
  for (size_t i = 0; i < stream.size(); i += 2)
    content.push_back(static_cast<char>(std::stoi(stream.substr(i, 2), nullptr, 16)));
  const std::string id = "<00112233445566778899aabbccddeeff>";
  return "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [5 0 R] /Count "
         "1 "
         ">>\nendobj\n3 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n4 0 obj\n<< /Length " +
         std::to_string(content.size()) + " >>\nstream\n" + content +
         "\nendstream\nendobj\n5 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
         "/Resources "
         "<< /Font << /F1 3 0 R >> >> >>\nendobj\ntrailer\n<< /Size 6 /Root 1 0 R /Encrypt << /Filter /Standard /V 1 "
         "/R "
         "2 /O <" +
         owner + "> /U <" + user + "> /P -64 >> /ID [" + id + id + "] >>\n%%EOF\n";
}

TEST_F(ProtectedPdf, OneThatOnlyForbidsThingsIsRead) {
  const rag::Document document =
      test::read_text("a.pdf", encrypted_pdf("9292059bdfb7f4873fa0f4aefbe2503c82cbb18702f09889c0996dfea11803c2",
                                             "899d6404196aad0a18e5cb2ffa9b4f949aa27577e7ab64f76edec4ec5f604c3d",
                                             "d8939d3c855b167363a987c9157c5ef579e20db08ce9a4b10e5dbacc48eb"
                                             "b5dc380ea6ad28b3e16844a3b3cce5409c47f311b1"));
  EXPECT_EQ(document.text, "They leave at noon.");
}

TEST_F(ProtectedPdf, OneThatAsksForAPasswordSaysSo) {
  const std::string bytes = encrypted_pdf("c94828b7f4b6567915fef48d8e593534e2b34ecbd3908827ef231468fbcb45b4",
                                          "004cb3c9042a66e307a5a73d96bbcc294242be98059c5622cc30c6e398ff3a60",
                                          "74ccaf0111f88b81766bcdc3f7fe8c5d478a52b8c8261290b1488ab854dd"
                                          "3dc669a7323abbe63dbe922c370a477c5d08414ad0");
  EXPECT_EQ(refusal("a.pdf", bytes), "a.pdf is encrypted and needs a password; save it without one to index it.");
}

}  // namespace
}  // namespace mneme::readers
