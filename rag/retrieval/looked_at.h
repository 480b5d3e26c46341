// A candidate as it is looked at. Threads: a value.
#pragma once

#include <string>

#include "rag/document.h"

namespace mneme::rag {

struct LookedAt {
  std::string text;       // the passage under its title and headings
  std::string name;       // title, headings and file name
  std::string path{};     // names of folders and file (document_names.h)
  std::string heading{};  // the lowest it stands under, else the title
  std::string title{};    // of its document
  TextForm form = TextForm::kProse;
};

}  // namespace mneme::rag
