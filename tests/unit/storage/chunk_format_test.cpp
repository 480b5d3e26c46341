// storage/chunks/chunk_file_format.md says byte by byte what a chunk file is: a file is read here by its table alone.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "base/hash.h"
#include "storage/chunks/chunk_file.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::storage {
namespace {

struct Field {
  size_t offset = 0;
  size_t size = 0;
};

// Lines "  40  16  text_hash ..." of the document by name.
std::map<std::string, Field> fields_of_the_document() {
  std::ifstream file(checkout::path("storage/chunks/chunk_file_format.md"));
  EXPECT_TRUE(file.good());
  static const std::regex field(R"(^ +(\d+) +(\d+)  ([a-z_]+).*)");
  std::map<std::string, Field> fields;
  std::smatch found;
  for (std::string line; std::getline(file, line);) {
    if (std::regex_match(line, found, field)) fields[found[3]] = {std::stoul(found[1]), std::stoul(found[2])};
  }
  return fields;
}

// Little-endian, at most eight bytes.
uint64_t number_at(ByteSpan bytes, size_t offset, size_t size) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.subspan(offset, size).data(), size);
  return value;
}

Hash128 hash_at(ByteSpan bytes, const Field& field) {
  return {.high = number_at(bytes, field.offset, 8), .low = number_at(bytes, field.offset + 8, 8)};
}

// The document's worked example: two tokens, one layer of five bytes.
ChunkFileInfo example() {
  return {.key = {1, 2},
          .text_hash = {3, 4},
          .model_id = {5, 6},
          .codec = 7,
          .codec_version = 8,
          .calibration_id = 9,
          .token_ids = {1000, -1}};
}

TEST(ChunkFormatDocument, FieldsLieWhereItSays) {
  const std::map<std::string, Field> fields = fields_of_the_document();
  ASSERT_EQ(fields.size(), 13u);
  size_t end = 0;
  for (size_t next = 0; next < fields.size(); ++next) {
    for (const auto& [name, field] : fields)
      if (field.offset == end) {
        end += field.size;
        break;
      }
  }
  EXPECT_EQ(end, 112u) << "the fields leave a gap";

  const std::vector<std::byte> layer(5, std::byte{42});
  const std::vector<ByteSpan> layers{layer};
  const auto file = encode_chunk_header(example(), layers);
  ASSERT_TRUE(file.ok()) << file.status().message();
  const ByteSpan bytes = *file;
  const auto number = [&](const char* name) { return number_at(bytes, fields.at(name).offset, fields.at(name).size); };
  EXPECT_EQ(as_text(bytes.subspan(fields.at("magic").offset, fields.at("magic").size)),
            std::string_view("MNEMEKV\0", 8));
  EXPECT_EQ(number("version"), 1u);
  EXPECT_EQ(number("header_bytes"), 192u);
  EXPECT_EQ(number("file_bytes"), 197u);
  EXPECT_EQ(hash_at(bytes, fields.at("key")), example().key);
  EXPECT_EQ(hash_at(bytes, fields.at("text_hash")), example().text_hash);
  EXPECT_EQ(hash_at(bytes, fields.at("model_id")), example().model_id);
  EXPECT_EQ(number("codec"), 7u);
  EXPECT_EQ(number("codec_version"), 8u);
  EXPECT_EQ(number("calibration_id"), 9u);
  EXPECT_EQ(number("n_tokens"), 2u);
  EXPECT_EQ(number("n_layers"), 1u);
  for (size_t i = 0; i < fields.at("reserved").size; ++i)
    EXPECT_EQ(number_at(bytes, fields.at("reserved").offset + i, 1), 0u);
}

TEST(ChunkFormatDocument, WhatFollowsTheFixedPartIsAsItSays) {
  const std::vector<std::byte> layer(5, std::byte{42});
  const std::vector<ByteSpan> layers{layer};
  const auto file = encode_chunk_header(example(), layers);
  ASSERT_TRUE(file.ok()) << file.status().message();
  const ByteSpan bytes = *file;
  ASSERT_GE(bytes.size(), 192u);
  EXPECT_EQ(number_at(bytes, 112, 4), 1000u);
  EXPECT_EQ(static_cast<int32_t>(number_at(bytes, 116, 4)), -1);
  EXPECT_EQ(number_at(bytes, 120, 8), 192u);  // the segment: offset, size, checksum
  EXPECT_EQ(number_at(bytes, 128, 8), 5u);
  EXPECT_EQ(number_at(bytes, 136, 8), xxh3_64(layer));
  for (size_t i = 144; i < 184; ++i) EXPECT_EQ(bytes[i], std::byte{0}) << i;
  EXPECT_EQ(number_at(bytes, 184, 8), xxh3_64(bytes.first(184)));
}

}  // namespace
}  // namespace mneme::storage
