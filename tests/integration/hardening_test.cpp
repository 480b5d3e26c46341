// What the linker and the compiler were asked for is in the program: position independent, symbols bound at the start
// and read-only after it, no executable stack, canaries on it.
#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace mneme::integration {
namespace {

class ProgramFile : public testing::Test {
 protected:
  void SetUp() override {
    std::ifstream stream(MNEME_BINARY, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(stream), {});
    ASSERT_GT(bytes_.size(), sizeof(Elf64_Ehdr));
    ASSERT_EQ(bytes_.compare(0, SELFMAG, ELFMAG), 0);
    if (bytes_[EI_CLASS] != ELFCLASS64) GTEST_SKIP() << "not a 64-bit program";
    std::memcpy(&header_, bytes_.data(), sizeof header_);
    for (size_t i = 0; i < header_.e_phnum; ++i) {
      Elf64_Phdr segment;
      std::memcpy(&segment, bytes_.data() + header_.e_phoff + i * header_.e_phentsize, sizeof segment);
      segments_.push_back(segment);
    }
  }
  const Elf64_Phdr* segment(uint32_t type) const {
    for (const Elf64_Phdr& one : segments_) {
      if (one.p_type == type) return &one;
    }
    return nullptr;
  }
  std::vector<Elf64_Dyn> dynamic() const {
    std::vector<Elf64_Dyn> entries;
    const Elf64_Phdr* table = segment(PT_DYNAMIC);
    for (size_t at = 0; table != nullptr && at + sizeof(Elf64_Dyn) <= table->p_filesz; at += sizeof(Elf64_Dyn)) {
      Elf64_Dyn entry;
      std::memcpy(&entry, bytes_.data() + table->p_offset + at, sizeof entry);
      entries.push_back(entry);
    }
    return entries;
  }
  std::string bytes_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Phdr> segments_;
};

TEST_F(ProgramFile, IsPositionIndependent) {
  EXPECT_EQ(header_.e_type, ET_DYN);
}

TEST_F(ProgramFile, BindsAtStartAndThenSealsItsTables) {
  EXPECT_NE(segment(PT_GNU_RELRO), nullptr);
  bool now = false;
  for (const Elf64_Dyn& entry : dynamic()) {
    now = now || entry.d_tag == DT_BIND_NOW || (entry.d_tag == DT_FLAGS && (entry.d_un.d_val & DF_BIND_NOW) != 0) ||
          (entry.d_tag == DT_FLAGS_1 && (entry.d_un.d_val & DF_1_NOW) != 0);
    EXPECT_NE(entry.d_tag, DT_TEXTREL);
  }
  EXPECT_TRUE(now);
}

TEST_F(ProgramFile, ExecutesNeitherStackNorWritableMemory) {
  const Elf64_Phdr* stack = segment(PT_GNU_STACK);
  ASSERT_NE(stack, nullptr);
  EXPECT_EQ(stack->p_flags & PF_X, 0u);
  for (const Elf64_Phdr& one : segments_) {
    if (one.p_type == PT_LOAD) {
      EXPECT_NE(one.p_flags & (PF_W | PF_X), static_cast<uint32_t>(PF_W | PF_X));
    }
  }
}

TEST_F(ProgramFile, HasCanaries) {
  EXPECT_NE(bytes_.find("__stack_chk_fail"), std::string::npos);
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_NE(bytes_.find("_chk"), std::string::npos) << "no fortified call";
#endif
}

}  // namespace
}  // namespace mneme::integration
