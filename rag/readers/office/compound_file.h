// The container of Microsoft's older files (OLE compound file, MS-CFB): what Word, Excel and PowerPoint wrote before
// 2007, what they wrap a new file in that has a password, and Outlook's messages. Storages and streams stand in it like
// folders and files. Internal to rag/readers. Ownership: borrows the bytes. Threads: one thread each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::readers {

// Whether a file begins as such a container.
bool is_compound_file(std::string_view beginning);

class CompoundFile {
 public:
  // Whatever the bytes claim, time and memory are bounded by how many there are.
  explicit CompoundFile(std::string_view bytes);

  static constexpr uint32_t kTop = 0;  // what is not within a storage

  // Streams and storages in a storage, as far as the directory can be read; what is beyond ASCII in a name is '?'.
  std::vector<uint32_t> entries_in(uint32_t storage) const;
  const std::string& name(uint32_t entry) const { return entries_[entry].name; }
  // The names of all, within storages too.
  std::vector<std::string> all_names() const;

  // What a stream of that name holds; of a damaged file what can be followed. "" where there is none.
  std::string stream(std::string_view name, uint32_t storage = kTop) const;
  // The same of an entry.
  std::string stream_of(uint32_t entry) const;

 private:
  struct Entry {
    std::string name;
    uint32_t left = 0;
    uint32_t right = 0;
    uint32_t child = 0;
    uint32_t first_sector = 0;
    uint32_t size = 0;
  };

  size_t place_of(uint32_t sector) const { return (size_t{sector} + 1) * sector_size_; }
  bool is_there(uint32_t sector) const;
  void find_fats();
  void read_directory();
  uint32_t next_of(uint32_t sector) const;
  std::string name_at(size_t at) const;
  std::string chain(uint32_t sector, size_t size) const;
  std::string small_chain(uint32_t sector, size_t size) const;

  std::string_view bytes_;
  size_t sector_size_ = 0;  // 0: the header is damaged
  std::vector<uint32_t> fats_;
  std::vector<Entry> entries_;  // the first is the root
  std::string small_streams_;   // those below a size lie together in one of the root's
  std::string small_fat_;
};

}  // namespace mneme::readers
