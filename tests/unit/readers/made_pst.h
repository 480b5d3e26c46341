// Builds Outlook's stores of mail (MS-PST) for tests, property by property: the fewest pages and blocks that hold
// what is asked for.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::readers::test {

struct PstProperties {
  struct One {
    uint16_t number = 0;
    uint16_t type = 0;
    std::string value;  // as it stands in the file
  };
  std::vector<One> all;

  PstProperties& text(uint16_t number, std::string_view utf8);
  PstProperties& text_in_bytes(uint16_t number, std::string bytes);
  PstProperties& bytes(uint16_t number, std::string bytes);
  PstProperties& number(uint16_t number, uint32_t value);
  PstProperties& yes(uint16_t number);
  PstProperties& time(uint16_t number, uint64_t ticks);
};

struct PstItem;
struct PstAttachment {
  PstProperties properties;
  std::shared_ptr<PstItem> message;  // null: it is a file
};
struct PstItem {
  PstProperties properties;
  std::vector<PstProperties> recipients;
  std::vector<PstAttachment> attachments;
};
struct PstFolderOf {
  std::string name;
  std::vector<PstItem> items;
  std::vector<PstFolderOf> folders;
};

struct PstOptions {
  enum class Version : uint8_t { k1997, k2003, k2013 } version = Version::k2003;
  uint8_t coding = 0;            // 1: bytes stand for others, 2: ... by their place
  bool names_top_folder = true;  // false: as stores that are kept offline, with the folders that they have
  size_t block_bytes = 8176;     // data above that is cut into blocks; fewer make small files of many blocks
  bool packed = false;           // blocks by zlib, of version 2013 alone
};

// The numbers of properties of sets, as make_pst() lists them: 0x8000 is the first of these.
struct PstNamed {
  uint8_t set = 0;  // {000620XX-...}
  uint16_t number = 0;
};

std::string make_pst(const PstFolderOf& top, const std::vector<PstNamed>& named = {}, const PstOptions& options = {});

}  // namespace mneme::readers::test
