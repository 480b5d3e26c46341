// Models in several files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/gguf/gguf_file.h"
#include "engine/gguf/gguf_writer.h"
#include "engine/gguf/part_name.h"
#include "tests/support/process_folder.h"

namespace mneme::gguf {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Part {
  int32_t number = 0;  // split.no, from 0
  int32_t n_parts = 3;
  int32_t n_tensors = 3;  // of all parts
  std::string tensor = {};
};

// Parts of a model named "m", each with one tensor of four numbers, in a folder of their own.
class GgufPartsTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(int number) const { return part_path({folder_ + "/m", number, 3}, number); }

  void write(int number, const Part& part) const { write_to(path(number), part); }
  void write_to(const std::string& path, const Part& part) const {
    GgufWriter writer;
    if (part.number == 0) writer.add_text("general.architecture", "llama");
    writer.add_i32("split.no", part.number);
    writer.add_i32("split.count", part.n_parts);
    writer.add_i32("split.tensors.count", part.n_tensors);
    const std::vector<std::byte> data(16, static_cast<std::byte>(part.number + 1));
    writer.add_tensor(part.tensor, {4}, TensorType::kF32, data);
    ASSERT_TRUE(writer.write(path).ok());
  }
  void write_all() const {
    write(1, {.number = 0, .tensor = "a"});
    write(2, {.number = 1, .tensor = "b"});
    write(3, {.number = 2, .tensor = "c"});
  }

  const std::string folder_ = mneme::test::process_folder() + "/parts";
};

TEST_F(GgufPartsTest, AnyOfThemOpensAll) {
  write_all();
  for (int named = 1; named <= 3; ++named) {
    const auto file = GgufFile::open(path(named));
    ASSERT_TRUE(file.ok()) << file.status().message();
    EXPECT_EQ(file->text("general.architecture"), "llama") << "all metadata is in the first";
    EXPECT_THAT(file->paths(), ElementsAre(path(1), path(2), path(3)));
    ASSERT_EQ(file->tensors().size(), 3U);
    for (const auto& [name, first] : {std::pair("a", 1), std::pair("b", 2), std::pair("c", 3)}) {
      ASSERT_NE(file->find_tensor(name), nullptr) << name;
      EXPECT_EQ(file->find_tensor(name)->bytes[0], static_cast<std::byte>(first));
    }
    EXPECT_EQ(file->n_bytes(), fs::file_size(path(1)) + fs::file_size(path(2)) + fs::file_size(path(3)));
    file->release_pages();
    EXPECT_EQ(file->find_tensor("c")->bytes[15], std::byte{3}) << "read again";
  }
}

TEST_F(GgufPartsTest, AMissingOneIsNamed) {
  write_all();
  fs::remove(path(2));
  const Status status = GgufFile::open(path(3)).status();
  EXPECT_EQ(status.code(), StatusCode::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("part 2 of 3, " + path(2) + ", is not there"));
}

TEST_F(GgufPartsTest, TheyMustBeOfOneModel) {
  write_all();
  write(2, {.number = 2, .tensor = "b"});
  EXPECT_THAT(GgufFile::open(path(1)).status().message(), HasSubstr("is not part 2 of 3"));
  write(2, {.number = 1, .n_parts = 4, .tensor = "b"});
  EXPECT_EQ(GgufFile::open(path(1)).status().code(), StatusCode::kCorruption) << "of another number of parts";
  write(2, {.number = 1, .tensor = "a"});
  EXPECT_THAT(GgufFile::open(path(1)).status().message(), HasSubstr("'a' occurs twice"));
  write(1, {.number = 0, .n_tensors = 4, .tensor = "a"});
  write(2, {.number = 1, .tensor = "b"});
  EXPECT_THAT(GgufFile::open(path(1)).status().message(), HasSubstr("3 tensors of 4"));
}

TEST_F(GgufPartsTest, ADamagedOneIsFound) {
  write_all();
  fs::resize_file(path(3), fs::file_size(path(3)) - 20);  // its end may be padding
  const Status status = GgufFile::open(path(1)).status();
  EXPECT_EQ(status.code(), StatusCode::kCorruption);
  EXPECT_THAT(status.message(), HasSubstr(path(3)));
}

TEST_F(GgufPartsTest, ARenamedOneSaysHowPartsAreNamed) {
  const std::string renamed = folder_ + "/model.gguf";
  write_to(renamed, {.number = 0, .tensor = "a"});
  const Status status = GgufFile::open(renamed).status();
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("model-00001-of-00003.gguf"));
}

TEST_F(GgufPartsTest, OnePartIsTheWhole) {
  const std::string alone = folder_ + "/alone.gguf";
  write_to(alone, {.number = 0, .n_parts = 1, .n_tensors = 1, .tensor = "a"});
  EXPECT_TRUE(GgufFile::open(alone).ok());
}

TEST(PartName, IsReadAndWritten) {
  const auto name = part_name("/models/qwen-00002-of-00012.gguf");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->stem, "/models/qwen");
  EXPECT_EQ(name->number, 2);
  EXPECT_EQ(name->n_parts, 12);
  EXPECT_EQ(part_path(*name, 1), "/models/qwen-00001-of-00012.gguf");
  for (const char* other : {"qwen.gguf", "qwen-00000-of-00002.gguf", "qwen-00003-of-00002.gguf", "-of-00002.gguf",
                            "qwen-0001-of-0002.gguf", "qwen-00001-of-00002.bin", "qwen-+0001-of-00002.gguf", ""}) {
    EXPECT_FALSE(part_name(other)) << other;
  }
}

}  // namespace
}  // namespace mneme::gguf
