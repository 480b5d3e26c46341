// The folders of a store of Outlook that a person sees, with what lies in them. Internal to rag/readers. Threads: pure
// functions.
#pragma once

#include <string>
#include <vector>

#include "rag/readers/outlook/pst_file.h"

namespace mneme::readers {

struct PstFolder {
  std::string path;            // "Inbox/Crane"
  std::vector<PstNode> items;  // by number, which is the order in which they came
};

// Folders above come before those within. In a damaged store also what lies in folders that are gone. Empty folders are
// left out. Memory: some 32 bytes for each item.
std::vector<PstFolder> folders_of(PstFile& file);

}  // namespace mneme::readers
