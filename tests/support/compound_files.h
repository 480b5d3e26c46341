// Builds compound files (MS-CFB) and what stands in them, for tests: workbooks and slides record by record, messages
// property by property.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mneme::readers::test {

struct CompoundEntry {
  std::string name;                        // ASCII
  std::string bytes = {};                  // of a stream
  std::vector<CompoundEntry> within = {};  // of a storage
  bool is_storage = false;
};

// A file of version 3. Streams below 4096 bytes lie among the small ones, as the format asks.
std::string make_compound_file(const std::vector<CompoundEntry>& entries);

// Numbers as such files write them, little-endian.
std::string u16(uint64_t value);
std::string u32(uint64_t value);
std::string f64(double value);
std::string in_utf16(std::string_view utf8);

// A record of Excel (BIFF), of PowerPoint; of the latter, containers are those with `is_container`.
std::string biff(uint16_t type, const std::string& body);
std::string ppt_atom(uint16_t type, const std::string& body, uint16_t instance = 0);
std::string ppt_container(uint16_t type, const std::string& body, uint16_t instance = 0);

// The properties of a message, a recipient or an attachment (MS-OXMSG).
class MsgProperties {
 public:
  explicit MsgProperties(size_t head_size) : short_(head_size, '\0') {}

  MsgProperties& text(uint16_t property, std::string_view utf8);
  MsgProperties& text_in_bytes(uint16_t property, std::string bytes);
  MsgProperties& bytes(uint16_t property, std::string bytes);
  MsgProperties& number(uint16_t property, uint32_t value);
  MsgProperties& time(uint16_t property, uint64_t ticks);
  MsgProperties& storage(std::string name, std::vector<CompoundEntry> within);

  std::vector<CompoundEntry> entries() const;

 private:
  MsgProperties& add_stream(uint16_t property, uint16_t type, std::string bytes);
  MsgProperties& add_short(uint16_t property, uint16_t type, const std::string& value);

  std::string short_;
  std::vector<CompoundEntry> entries_;
};

}  // namespace mneme::readers::test
