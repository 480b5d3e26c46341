#include "engine/gguf/gguf_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <limits>
#include <map>

#include "base/random.h"
#include "engine/gguf/gguf_writer.h"
#include "tests/support/process_folder.h"
#include "tests/support/random_gguf.h"

namespace mneme::gguf {
namespace {

using ::testing::HasSubstr;

std::vector<std::byte> bytes_of(size_t n, int first) {
  std::vector<std::byte> bytes(n);
  for (size_t i = 0; i < n; ++i) bytes[i] = static_cast<std::byte>(static_cast<size_t>(first) + i);
  return bytes;
}

// One key of every kind and two tensors.
std::vector<std::byte> example() {
  GgufWriter writer;
  writer.add_text("general.architecture", "llama");
  writer.add_u32("a.u32", 7);
  writer.add_i32("a.i32", -7);
  writer.add_u64("a.u64", std::numeric_limits<uint64_t>::max());
  writer.add_f32("a.f32", 0.5f);
  writer.add_bool("a.bool", true);
  writer.add_texts("a.texts", {"one", "", "three"});
  writer.add_i32s("a.i32s", {1, -2});
  writer.add_f32s("a.f32s", {0.25f});
  const auto first = bytes_of(5 * 3 * 4, 1);
  const auto second = bytes_of(34 * 2, 100);
  writer.add_tensor("first", {5, 3}, TensorType::kF32, first);
  writer.add_tensor("second", {32, 2}, TensorType::kQ8_0, second);
  return writer.finish();
}

StatusCode parse_code(const std::vector<std::byte>& bytes) {
  return GgufFile::parse(bytes, "x.gguf").status().code();
}

// Writes a little-endian value over the bytes after `text` (and after its type, for metadata).
template <typename T>
void poke(std::vector<std::byte>& bytes, size_t offset, T value) {
  ASSERT_LE(offset + sizeof value, bytes.size());
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}
size_t after(const std::vector<std::byte>& bytes, std::string_view text) {
  const size_t at = as_text(bytes).find(text);
  EXPECT_NE(at, std::string_view::npos);
  return at + text.size();
}

TEST(GgufFile, ReadsBackWhatTheWriterWrote) {
  const auto bytes = example();
  const auto file = GgufFile::parse(bytes, "x.gguf");
  ASSERT_TRUE(file.ok()) << file.status().message();
  EXPECT_EQ(file->integer("a.u32"), 7);
  EXPECT_EQ(file->integer("a.i32"), -7);
  EXPECT_EQ(file->integer("a.u64"), std::nullopt) << "does not fit";
  EXPECT_EQ(file->number("a.f32"), 0.5);
  EXPECT_EQ(file->number("a.i32"), -7.0);
  EXPECT_EQ(file->integer("a.f32"), std::nullopt);
  EXPECT_EQ(file->boolean("a.bool"), true);
  EXPECT_EQ(file->text("general.architecture"), "llama");
  EXPECT_EQ(file->text("absent"), std::nullopt);
  EXPECT_THAT(*file->strings("a.texts"), ::testing::ElementsAre("one", "", "three"));
  EXPECT_THAT(std::get<std::vector<int64_t>>(*file->find("a.i32s")), ::testing::ElementsAre(1, -2));
  ASSERT_EQ(file->tensors().size(), 2u);
  const TensorInfo* second = file->find_tensor("second");
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(second->n_rows(), 2u);
  EXPECT_EQ(second->n_elements(), 64u);
  EXPECT_EQ(second->bytes.size(), 68u);
  EXPECT_EQ(second->bytes[0], std::byte{100});
  EXPECT_EQ((second->bytes.data() - bytes.data()) % 32, 0);
  EXPECT_EQ(file->find_tensor("third"), nullptr);
  EXPECT_EQ(file->flags("a.i32s"), (std::vector<bool>{true, true}));
  EXPECT_EQ(file->flags("a.texts"), std::nullopt);
}

TEST(GgufFile, OpensAMappedFile) {
  const std::string path = mneme::test::process_folder() + "/open.gguf";
  GgufWriter writer;
  const auto data = bytes_of(64, 3);
  writer.add_tensor("t", {16}, TensorType::kF32, data);
  ASSERT_TRUE(writer.write(path).ok());
  auto file = GgufFile::open(path);
  ASSERT_TRUE(file.ok()) << file.status().message();
  EXPECT_TRUE(file->is_mapped());
  file->release_pages();
  EXPECT_EQ(file->find_tensor("t")->bytes[0], std::byte{3});
  EXPECT_EQ(GgufFile::open(path + ".absent").status().code(), StatusCode::kNotFound);
  EXPECT_FALSE(GgufFile::open(mneme::test::process_folder()).ok());
  std::remove(path.c_str());
}

TEST(GgufFile, EmptyFileIsDamaged) {
  const std::string path = mneme::test::process_folder() + "/empty.gguf";
  std::ofstream(path).close();
  EXPECT_EQ(GgufFile::open(path).status().code(), StatusCode::kCorruption);
  std::remove(path.c_str());
}

TEST(GgufFile, TruncationAnywhereIsFound) {
  const auto bytes = example();
  const size_t data_end =
      static_cast<size_t>(GgufFile::parse(bytes, "x")->find_tensor("second")->bytes.data() - bytes.data()) + 68;
  for (size_t size = 0; size < data_end; ++size) {
    const std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(parse_code(cut), StatusCode::kCorruption) << size;
  }
}

TEST(GgufFile, AnyFlippedByteIsHandled) {
  const auto bytes = example();
  Random random(7);
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (const uint8_t flip : {0x01, 0x80, 0xff, static_cast<int>(random.below(255) + 1)}) {
      auto damaged = bytes;
      damaged[at] ^= static_cast<std::byte>(flip);
      const auto file = GgufFile::parse(damaged, "x.gguf");
      if (file.ok()) {
        for (const TensorInfo& tensor : file->tensors()) {
          ASSERT_GE(tensor.bytes.data(), damaged.data());
          ASSERT_LE(tensor.bytes.data() + tensor.bytes.size(), damaged.data() + damaged.size());
        }
      } else {
        EXPECT_THAT(file.status().message(), HasSubstr("x.gguf"));
      }
    }
  }
}

TEST(GgufFile, RandomBytesAfterTheHeaderAreHandled) {
  Random random(11);
  for (int round = 0; round < 2000; ++round) {
    auto bytes = example();
    for (int i = 0; i < 8; ++i) bytes[24 + random.below(bytes.size() - 24)] = static_cast<std::byte>(random.next());
    (void)GgufFile::parse(bytes, "x.gguf");
  }
}

TEST(GgufFile, ImpossibleCountsAreRefused) {
  for (const uint64_t count : {uint64_t{1000}, uint64_t{1} << 40, ~uint64_t{0}}) {
    for (const size_t offset : {8, 16}) {  // n_tensors, n_metadata
      auto bytes = example();
      poke(bytes, offset, count);
      EXPECT_EQ(parse_code(bytes), StatusCode::kCorruption);
    }
    auto bytes = example();
    poke(bytes, after(bytes, "a.texts") + 4 + 4, count);  // type, element type, then the count
    EXPECT_EQ(parse_code(bytes), StatusCode::kCorruption);
    bytes = example();
    poke(bytes, after(bytes, "a.i32s") + 4 + 4, count);
    EXPECT_EQ(parse_code(bytes), StatusCode::kCorruption);
  }
}

TEST(GgufFile, ImpossibleShapesAreRefused) {
  for (const uint64_t dim : {uint64_t{0}, uint64_t{1} << 33, uint64_t{1} << 62, ~uint64_t{0}}) {
    auto bytes = example();
    poke(bytes, after(bytes, "first") + 4, dim);
    EXPECT_EQ(parse_code(bytes), StatusCode::kCorruption) << dim;
  }
  auto bytes = example();
  poke(bytes, after(bytes, "second") + 4, uint64_t{33});  // not a whole number of blocks
  EXPECT_EQ(parse_code(bytes), StatusCode::kCorruption);
  for (const uint32_t n_dims : {0u, 5u, ~0u}) {
    bytes = example();
    poke(bytes, after(bytes, "second"), n_dims);
    EXPECT_EQ(parse_code(bytes), StatusCode::kCorruption) << n_dims;
  }
}

TEST(GgufFile, OffsetsAreChecked) {
  for (const uint64_t offset : {uint64_t{1}, uint64_t{0}, uint64_t{1} << 20, ~uint64_t{31}}) {
    auto bytes = example();
    poke(bytes, after(bytes, "second") + 4 + 16 + 4, offset);  // unaligned, overlapping, past the end, overflowing
    EXPECT_EQ(parse_code(bytes), StatusCode::kCorruption) << offset;
  }
}

// Tensors need not stand in the file as they are listed.
TEST(GgufFile, TensorsAreFoundInAnyOrderAndOverlapInNone) {
  const std::vector<std::byte> whole = example();
  std::vector<std::byte> bytes = whole;
  const size_t data = bytes.size() - 32 * 5;  // 60 bytes to 64 and 68 to 96
  poke(bytes, after(bytes, "first") + 4 + 16 + 4, uint64_t{96});
  poke(bytes, after(bytes, "second") + 4 + 16 + 4, uint64_t{0});
  const auto turned = GgufFile::parse(bytes, "x.gguf");
  ASSERT_TRUE(turned.ok()) << turned.status().message();
  EXPECT_EQ(turned->find_tensor("first")->bytes.data(), bytes.data() + data + 96);
  EXPECT_EQ(turned->find_tensor("second")->bytes.data(), bytes.data() + data);
  poke(bytes, after(bytes, "first") + 4 + 16 + 4, uint64_t{64});  // within what the second has
  EXPECT_EQ(parse_code(bytes), StatusCode::kCorruption);
}

TEST(GgufFile, TensorsBeginWhereTheFilesAlignmentPutsThem) {
  std::vector<std::byte> bytes = example();
  const size_t data = bytes.size() - 32 * 5;
  constexpr size_t kAlignment = 4096;
  poke(bytes, after(bytes, "general.alignment") + 4, uint32_t{kAlignment});
  poke(bytes, after(bytes, "second") + 4 + 16 + 4, uint64_t{kAlignment});
  ASSERT_LT(data, kAlignment);
  bytes.resize(3 * kAlignment);
  bytes[kAlignment] = std::byte{77};
  const auto file = GgufFile::parse(bytes, "x.gguf");
  ASSERT_TRUE(file.ok()) << file.status().message();
  EXPECT_EQ(file->find_tensor("first")->bytes.front(), std::byte{77});
  EXPECT_EQ(file->find_tensor("second")->bytes.data(), bytes.data() + 2 * kAlignment);
  bytes.resize(kAlignment);  // nothing left for them
  EXPECT_EQ(parse_code(bytes), StatusCode::kCorruption);
  poke(bytes, after(bytes, "second") + 4 + 16 + 4, uint64_t{64});  // aligned to what is usual, not to what is asked
  bytes.resize(3 * kAlignment);
  EXPECT_EQ(parse_code(bytes), StatusCode::kCorruption);
}

TEST(GgufFile, AlignmentIsChecked) {
  for (const uint32_t alignment : {0u, 3u, 1u << 31}) {
    auto bytes = example();
    poke(bytes, after(bytes, "general.alignment") + 4, alignment);
    EXPECT_EQ(parse_code(bytes), StatusCode::kCorruption) << alignment;
  }
}

TEST(GgufFile, NamesWhatIsNotSupported) {
  for (const auto& [type, name] : std::map<uint32_t, const char*>{
           {16, "IQ2_XXS"}, {31, "Q4_0_4_4"}, {34, "TQ1_0"}, {40, "NVFP4"}, {42, "Q2_0"}, {99, "number 99"}}) {
    auto bytes = example();
    poke(bytes, after(bytes, "second") + 4 + 16, type);
    const auto file = GgufFile::parse(bytes, "x.gguf");
    EXPECT_EQ(file.status().code(), StatusCode::kUnsupported);
    EXPECT_THAT(file.status().message(), HasSubstr(std::string("has type ") + name + ","));
    EXPECT_THAT(file.status().message(), HasSubstr("supported: F32"));
  }

  auto bytes = example();
  poke(bytes, 4, uint32_t{1});
  EXPECT_EQ(parse_code(bytes), StatusCode::kUnsupported);
  bytes = example();
  poke(bytes, 4, uint32_t{3u << 24});
  EXPECT_THAT(GgufFile::parse(bytes, "x.gguf").status().message(), HasSubstr("big-endian"));
  bytes = example();
  poke(bytes, after(bytes, "a.i32s") + 4, uint32_t{9});  // an array of arrays
  EXPECT_EQ(parse_code(bytes), StatusCode::kUnsupported);
}

TEST(GgufFile, NamesOccurOnce) {
  GgufWriter writer;
  const auto data = bytes_of(64, 0);
  writer.add_tensor("t", {16}, TensorType::kF32, data);
  writer.add_tensor("t", {16}, TensorType::kF32, data);
  EXPECT_EQ(parse_code(writer.finish()), StatusCode::kCorruption);
  GgufWriter keys;
  keys.add_u32("k", 1);
  keys.add_u32("k", 2);
  EXPECT_EQ(parse_code(keys.finish()), StatusCode::kCorruption);
}

TEST(GgufFile, VersionTwoIsRead) {
  auto bytes = example();
  poke(bytes, 4, uint32_t{2});
  EXPECT_TRUE(GgufFile::parse(bytes, "x.gguf").ok());
}

}  // namespace
}  // namespace mneme::gguf
