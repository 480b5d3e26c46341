// The numbers that Word gives to paragraphs: they are no part of the text but counted anew whenever it is shown, by
// lists that paragraphs or their styles name. Contracts and standards are cited by them.
// Internal to rag/readers. Threads: one thread each.
#pragma once

#include <array>
#include <map>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "rag/readers/number_labels.h"
#include "rag/readers/office/word_numbering.h"

namespace mneme::readers {

class DocxNumbering {
 public:
  // Of the parts numbering.xml and styles.xml, either of which may be empty.
  void read(const pugi::xml_document& numbering, const pugi::xml_document& styles);

  // Counts a paragraph, those of a document one after the other. properties: its w:pPr.
  ListPlace count(const pugi::xml_node& properties);

 private:
  static constexpr size_t kLevels = NumberedList::kLevels;

  struct List : NumberedList {
    std::array<std::string, kLevels> styles;  // of the paragraphs that are of a level
    std::string style;                        // a style of lists that this one defines
    std::string linked_style;                 // one that defines this list
  };
  struct Instance : NumberedInstance {
    std::string list;
  };
  struct Style {
    std::string based_on;
    std::string instance;
    int level = -1;
  };
  // What a paragraph or its style names.
  struct Named {
    std::string instance;
    int level = -1;             // -1: that which the list has for the style
    std::string_view of_style;  // that names the instance
    bool by_itself = false;     // not by its style
  };

  static NumberedLevel level_of(const pugi::xml_node& node);
  void read_lists(const pugi::xml_node& root);
  void read_styles(const pugi::xml_node& root);
  Named named_by(const pugi::xml_node& properties) const;
  List* list_of(const Instance& instance);
  static size_t level_in(const List& list, const Named& named, std::string_view style);

  std::map<std::string, List, std::less<>> lists_;
  std::map<std::string, std::string, std::less<>> list_of_style_;  // ids of lists by styles that they define
  std::map<std::string, Instance, std::less<>> instances_;
  std::map<std::string, Style, std::less<>> styles_;
};

}  // namespace mneme::readers
