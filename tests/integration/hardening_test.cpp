// What the linker and the compiler were asked for is in the program: position independent, symbols bound at the start
// and read-only after it, no executable stack, canaries on it. And what is not in it: any call that reaches other
// machines.
#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "app/build_info.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::integration {
namespace {

class ProgramFile : public testing::Test {
 protected:
  void SetUp() override {
    std::ifstream stream(checkout::program(), std::ios::binary);
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
  // Where an address of the loaded program lies in the file.
  size_t file_offset(uint64_t address) const {
    for (const Elf64_Phdr& one : segments_) {
      if (one.p_type == PT_LOAD && address >= one.p_vaddr && address - one.p_vaddr < one.p_filesz) {
        return one.p_offset + (address - one.p_vaddr);
      }
    }
    return bytes_.size();
  }
  uint64_t dynamic_value(int64_t tag) const {
    for (const Elf64_Dyn& entry : dynamic()) {
      if (entry.d_tag == tag) return entry.d_un.d_val;
    }
    return 0;
  }
  std::string dynamic_text(uint64_t offset) const {
    const size_t at = file_offset(dynamic_value(DT_STRTAB)) + offset;
    return at < bytes_.size() ? std::string(bytes_.c_str() + at) : std::string();
  }
  template <typename T>
  T read_at(size_t offset) const {
    T value{};
    if (offset + sizeof value <= bytes_.size()) std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  // Functions and variables that the program expects of libraries.
  std::set<std::string> imported_names() const {
    std::set<std::string> names;
    const auto section = [&](size_t n) { return read_at<Elf64_Shdr>(header_.e_shoff + n * sizeof(Elf64_Shdr)); };
    for (size_t n = 0; n < header_.e_shnum; ++n) {
      const Elf64_Shdr table = section(n);
      if (table.sh_type != SHT_DYNSYM) continue;
      for (size_t at = 0; at < table.sh_size; at += sizeof(Elf64_Sym)) {
        const auto symbol = read_at<Elf64_Sym>(table.sh_offset + at);
        const size_t name = section(table.sh_link).sh_offset + symbol.st_name;
        if (symbol.st_shndx == SHN_UNDEF && name < bytes_.size()) names.insert(bytes_.c_str() + name);
      }
    }
    return names;
  }
  std::vector<std::string> needed_libraries() const {
    std::vector<std::string> libraries;
    for (const Elf64_Dyn& entry : dynamic()) {
      if (entry.d_tag == DT_NEEDED) libraries.push_back(dynamic_text(entry.d_un.d_val));
    }
    return libraries;
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

// A program that cannot name a call that reaches another machine has none: no bug and no document makes one.
// (socketpair, to its own readers, stays. The window reaches its display through a library, and only where one is set.
// NVIDIA's runtime, in builds with CUDA, brings sockets for processes that share a GPU; names of hosts it cannot look
// up either, and HostileTest.NoCommandMakesASocket holds there too.)
TEST_F(ProgramFile, ImportsNoWayToAnotherMachine) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer brings its own";
#endif
  const std::set<std::string> names = imported_names();
  ASSERT_TRUE(names.contains("socketpair") && names.contains("read")) << "the table was not found";
  std::vector<std::string> ways = {"accept",        "accept4",         "sendto",    "getaddrinfo",
                                   "gethostbyname", "gethostbyname_r", "res_query", "getnameinfo"};
  if (!app::kBuildHasCuda) ways.insert(ways.end(), {"socket", "connect", "bind", "listen"});
  for (const std::string& way : ways) EXPECT_FALSE(names.contains(way)) << way;
  for (const std::string& library : needed_libraries()) {
    for (const char* reaches : {"libcurl", "libssl", "libgnutls", "libresolv", "libnghttp"}) {
      EXPECT_FALSE(library.starts_with(reaches)) << library;
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
