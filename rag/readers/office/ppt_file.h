// A PowerPoint file of 1997 to 2003 (MS-PPT): which slides there are and where they lie. Every time it was saved,
// objects may have been added behind the others, with a directory of where each is now. Internal to rag/readers.
// Threads: immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "rag/readers/office/compound_file.h"
#include "rag/readers/office/ppt_records.h"
#include "rag/readers/office/ppt_text.h"

namespace mneme::readers {

class PptFile {
 public:
  struct Slide {
    std::string_view body;         // records; empty: not found
    std::vector<PptText> outline;  // its title and text, that shapes refer to
    std::string_view notes;        // records of its speaker notes
  };

  // kUnsupported: encrypted; kCorruption: no slides can be found. The messages lack the file's name.
  static Result<PptFile> open(const CompoundFile& file);

  const std::vector<Slide>& slides() const { return slides_; }  // in the order of the show
  // What stands at the foot of all slides; "" where nothing does.
  const std::string& footer() const { return footer_; }
  // The list of slides was not found: those that are there come in the order of the file.
  bool is_guessed() const { return is_guessed_; }

 private:
  explicit PptFile(std::string stream) : stream_(std::make_unique<const std::string>(std::move(stream))) {}
  Status find_objects(uint32_t last_edit);
  PptRecord object(uint32_t number, uint16_t type) const;
  void read_list(std::string_view document);
  void guess_list();
  void take_notes();

  std::unique_ptr<const std::string> stream_;  // PowerPoint Document; slides borrow it
  std::map<uint32_t, uint32_t> objects_;       // places by number
  uint32_t document_ = 0;                      // number of the object that lists all
  std::vector<Slide> slides_;
  std::map<uint32_t, size_t> slide_of_id_;  // index among slides_
  std::vector<std::string_view> notes_;
  std::string footer_;
  bool is_guessed_ = false;
};

// The footer that some records tell to be shown; "" where there is none. has_own: whether they say anything of footers.
std::string ppt_footer(std::string_view records, uint16_t instance, bool& has_own);

}  // namespace mneme::readers
