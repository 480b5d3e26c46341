// What Word keeps beside a document's body: footnotes, endnotes, comments, headers and footers.
// Internal to rag/readers. Threads: one thread each.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "rag/readers/office/side_parts.h"
#include "rag/readers/running_texts.h"

namespace mneme::readers {

class DocxNotes {
 public:
  // folder: of the main part. depth: how deep notes may be nested. Errors: those of SideParts::read().
  Status read(SideParts& parts, const PartLinks& links, const std::string& folder, int depth);

  // What a reference of the body calls, each comment once: "footnoteReference", "endnoteReference" or
  // "commentReference" with its id. "" where there is no such note.
  std::string called(std::string_view reference, std::string_view id);
  // Comments that nothing in the body called, in the order of the file.
  std::vector<std::string> uncalled_comments() const;

  const RunningTexts& running() const { return running_; }

 private:
  Status read_notes(SideParts& parts, const std::string& part, std::string_view reference, std::string_view what);
  Status read_running(SideParts& parts, const PartLinks& links);

  int depth_ = 0;
  struct Note {
    std::string text;
    bool is_comment = false;
    bool is_called = false;
  };
  std::map<std::string, Note, std::less<>> notes_;  // by reference and id
  std::vector<std::string> comments_;               // keys of notes_, in the order of the file
  RunningTexts running_;
};

}  // namespace mneme::readers
