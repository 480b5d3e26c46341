// Attachments of Outlook in its own wrapping (winmail.dat; MS-OXTNEF). Internal to rag/readers.
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::readers {

struct TnefFile {
  std::string name;  // UTF-8; "" where none is told
  std::string bytes;
};

struct TnefMessage {
  std::string subject;
  std::string plain;  // UTF-8
  std::string html;
  std::string rtf;
  std::vector<TnefFile> files;  // at most 1000
};

bool is_tnef(std::string_view bytes);

// Of damaged or cut bytes what can be read. At most ten times as many bytes as came.
TnefMessage parse_tnef(std::string_view bytes);

}  // namespace mneme::readers
