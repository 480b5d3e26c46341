// The container of Microsoft's older files (OLE compound file, MS-CFB): what Word, Excel and PowerPoint wrote before
// 2007, what they wrap a new file in that has a password, and Outlook's messages. Nothing in it is read; it is told
// which of these it is. Internal to rag/readers. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mneme::readers {

// Whether a file begins as such a container.
bool is_compound_file(std::string_view beginning);

// The names of its streams and storages, as far as its directory can be read; what is beyond ASCII is '?'. Bounded by
// the bytes, whatever they claim.
struct CompoundFileNames {
  std::vector<std::string> top;  // what is not within a storage: objects that a document embeds are
  std::vector<std::string> all;
};
CompoundFileNames compound_file_names(std::string_view bytes);

// Why it is refused and what to do, as the end of a sentence: "a Word file in the binary format of before 2007; save it
// as docx to index it." What damage hides is told from the names alone, wherever they stand.
std::string why_compound_file_is_refused(std::string_view bytes);

}  // namespace mneme::readers
