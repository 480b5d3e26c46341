// Which drives were mounted at one place, and since when: the place's documents belong to the drive that was there when
// they were indexed. Threads: a value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

class DriveHistory {
 public:
  struct Entry {
    int64_t since_ms = 0;
    std::string drive;  // drive_of()
  };

  DriveHistory() = default;
  // Of what to_json() gave; a text of anything else, as that of programs that did not tell drives apart, is an empty
  // one.
  static DriveHistory parse(std::string_view text);
  std::string to_json() const;

  bool empty() const { return entries_.empty(); }
  // Each once, the one that was seen last first.
  std::vector<std::string> drives() const;
  // Empty where nothing is known.
  const std::string& last() const;
  const std::string& at(int64_t ms) const;

  // From now on the drive is there. The oldest changes of very many are forgotten.
  void add(int64_t now_ms, const std::string& drive);
  // The same drive, under another name.
  void rename(const std::string& from, const std::string& to);

 private:
  std::vector<Entry> entries_{};  // by time
};

}  // namespace mneme::rag
