// The numbers of paragraphs in Word files of 1997 to 2003 (MS-DOC 2.9.131 and 2.9.147): lists with their levels, and
// instances of them that paragraphs or their styles name. Internal to rag/readers. Threads: one thread each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "rag/readers/number_labels.h"
#include "rag/readers/office/word_numbering.h"

namespace mneme::readers {

// The list that a paragraph is of.
struct DocListed {
  int list = -1;   // number of an instance, from 1; 0: none, whatever the style says; -1: nothing is said
  int level = -1;  // from 0; -1: that which the list has for the style
  int style = 0;
  bool by_itself = false;  // not by its style
  int of_style = -1;       // number of the style that names it
};

class DocNumbering {
 public:
  DocNumbering() = default;
  // lists: bytes from where the lists begin. instances: the bytes that are those.
  DocNumbering(std::string_view lists, std::string_view instances);

  // Counts a paragraph, those of a document one after the other.
  ListPlace count(const DocListed& listed);

 private:
  static constexpr size_t kLevels = NumberedList::kLevels;

  struct List : NumberedList {
    std::array<int, kLevels> styles = {};  // of the paragraphs that are of a level
  };
  struct Instance : NumberedInstance {
    uint32_t list = 0;
  };

  void read_lists(std::string_view lists);
  void read_instances(std::string_view instances);
  // Returns how many bytes the level takes.
  static size_t read_level(std::string_view bytes, NumberedLevel& level);
  static size_t level_in(const List& list, const DocListed& listed);

  std::map<uint32_t, List> lists_;  // by their ids
  std::vector<Instance> instances_;
};

}  // namespace mneme::readers
