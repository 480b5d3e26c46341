#include "rag/readers/office/ppt_file.h"

#include <algorithm>
#include <utility>

#include "rag/readers/office/little_endian.h"
#include "rag/readers/office/utf16_text.h"

namespace mneme::readers {
namespace {

// Types of records.
constexpr uint16_t kDocument = 0x3e8;
constexpr uint16_t kSlide = 0x3ee;
constexpr uint16_t kNotes = 0x3f0;
constexpr uint16_t kNotesAtom = 0x3f1;
constexpr uint16_t kListed = 0x3f3;
constexpr uint16_t kString = 0xfba;
constexpr uint16_t kFooters = 0xfd9;
constexpr uint16_t kFootersAtom = 0xfda;
constexpr uint16_t kListOfObjects = 0xff0;
constexpr uint16_t kEdit = 0xff5;
constexpr uint16_t kDirectory = 0x1772;
// Instances.
constexpr uint16_t kListOfSlides = 0;
constexpr uint16_t kListOfNotes = 2;
constexpr uint16_t kFootersOfSlides = 3;
constexpr uint16_t kFooterString = 2;

constexpr uint32_t kEncryptedUser = 0xf3d1c4df;

Status encrypted() {
  return unsupported("a PowerPoint file encrypted with a password; save it without one to index it.");
}

PptRecord record_at(std::string_view stream, size_t place, uint16_t type) {
  PptRecord record;
  PptRecords records(stream, place);
  return records.next(record) && record.type == type ? record : PptRecord();
}

}  // namespace

std::string ppt_footer(std::string_view records, uint16_t instance, bool& has_own) {
  constexpr uint16_t kIsShown = 0x20;
  PptRecords reader(records);
  PptRecord record;
  while (reader.next(record)) {
    if (record.type != kFooters || record.instance != instance) continue;
    has_own = true;
    if ((u16_at(child_of_type(record.body, kFootersAtom).body, 2) & kIsShown) == 0) return {};
    PptRecords strings(record.body);
    for (PptRecord string; strings.next(string);) {
      if (string.type == kString && string.instance == kFooterString) return text_in_utf16(string.body);
    }
    return {};
  }
  return {};
}

Result<PptFile> PptFile::open(const CompoundFile& compound) {
  const std::string user = compound.stream("Current User");
  PptFile file(compound.stream("PowerPoint Document"));
  if (u32_at(user, 12) == kEncryptedUser) return encrypted();
  MNEME_RETURN_IF_ERROR(file.find_objects(u32_at(user, 16)));
  if (const PptRecord document = file.object(file.document_, kDocument); document.type != 0) {
    bool has_own = false;
    file.footer_ = ppt_footer(document.body, kFootersOfSlides, has_own);
    file.read_list(document.body);
  }
  if (file.slides_.empty()) file.guess_list();
  if (file.slides_.empty()) return corruption("damaged: its slides cannot be found.");
  file.take_notes();
  return file;
}

// The directories of all times when it was saved, from the last to the first: what a later one says of an object holds.
Status PptFile::find_objects(uint32_t last_edit) {
  constexpr size_t kSizeWithKey = 0x20;  // of one that also says how it is encrypted
  uint32_t edit = last_edit;
  size_t bytes_left = stream_->size();  // directories do not overlap
  for (size_t steps = stream_->size() / 8; steps > 0; --steps) {
    const PptRecord saved = record_at(*stream_, edit, kEdit);
    if (saved.type == 0) break;
    if (saved.body.size() >= kSizeWithKey) return encrypted();
    if (document_ == 0) document_ = u32_at(saved.body, 16);
    const std::string_view directory = record_at(*stream_, u32_at(saved.body, 12), kDirectory).body;
    if (directory.size() > bytes_left) break;
    bytes_left -= directory.size();
    for (size_t at = 0; at + 4 <= directory.size();) {
      const uint32_t head = u32_at(directory, at);
      const uint32_t count = head >> 20;
      at += 4;
      for (uint32_t i = 0; i < count && at + 4 <= directory.size(); ++i, at += 4) {
        objects_.emplace((head & 0xfffff) + i, u32_at(directory, at));
      }
    }
    const uint32_t before = u32_at(saved.body, 8);
    if (before == 0 || before >= edit) break;  // each was saved behind the one before
    edit = before;
  }
  return {};
}

PptRecord PptFile::object(uint32_t number, uint16_t type) const {
  const auto place = objects_.find(number);
  return place == objects_.end() ? PptRecord() : record_at(*stream_, place->second, type);
}

void PptFile::read_list(std::string_view document) {
  PptRecords lists(document);
  size_t bytes_left = stream_->size();  // objects do not overlap: more would be no file of PowerPoint's
  for (PptRecord list; lists.next(list);) {
    if (list.type != kListOfObjects || (list.instance != kListOfSlides && list.instance != kListOfNotes)) continue;
    const bool are_slides = list.instance == kListOfSlides;
    std::string_view rest = list.body;
    while (!rest.empty()) {
      // An entry, and behind it the texts of the slide.
      const PptRecord entry = record_at(rest, 0, kListed);
      size_t end = 0;
      PptRecords records(rest);
      PptRecord record;
      for (bool is_first = true; records.next(record); is_first = false) {
        if (!is_first && record.type == kListed) break;
        end = static_cast<size_t>(record.body.data() + record.body.size() - rest.data());
      }
      if (end == 0) break;
      if (entry.type != 0) {
        const std::string_view body = object(u32_at(entry.body, 0), are_slides ? kSlide : kNotes).body;
        const bool is_there = body.size() <= bytes_left;
        bytes_left -= is_there ? body.size() : 0;
        if (are_slides) {
          std::vector<PptText> none;
          slide_of_id_.emplace(u32_at(entry.body, 12), slides_.size());
          slides_.push_back({is_there ? body : std::string_view(), ppt_texts(rest.substr(0, end), none), {}});
        } else if (is_there) {
          notes_.push_back(body);
        }
      }
      rest.remove_prefix(end);
    }
  }
}

void PptFile::guess_list() {
  is_guessed_ = true;
  PptRecords records(*stream_);
  for (PptRecord record; records.next(record);) {
    if (record.type == kSlide) slides_.push_back({record.body, {}, {}});
  }
}

void PptFile::take_notes() {
  for (const std::string_view notes : notes_) {
    const auto slide = slide_of_id_.find(u32_at(child_of_type(notes, kNotesAtom).body, 0));
    if (slide != slide_of_id_.end()) slides_[slide->second].notes = notes;
  }
}

}  // namespace mneme::readers
