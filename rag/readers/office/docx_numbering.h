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

namespace mneme::readers {

class DocxNumbering {
 public:
  // Of the parts numbering.xml and styles.xml, either of which may be empty.
  void read(const pugi::xml_document& numbering, const pugi::xml_document& styles);

  // Counts a paragraph, those of a document one after the other. properties: its w:pPr.
  ListPlace count(const pugi::xml_node& properties);

 private:
  static constexpr size_t kLevels = 9;
  static constexpr int kNotBegun = -1;

  struct Level {
    int start = 0;
    NumberScript script = NumberScript::kDecimal;
    bool shows_number = true;  // false: a sign, or nothing
    bool all_decimal = false;  // the numbers of higher levels, too, however those write them
    int restarts_behind = -1;  // the level, from 1, that begins it anew; 0: none; -1: every higher one
    std::string text;          // "%1.%2"
    std::string style;         // of the paragraphs that are of this level
  };
  // What paragraphs of several instances count in common.
  struct List {
    std::array<Level, kLevels> levels;
    std::array<int, kLevels> counts = {-1, -1, -1, -1, -1, -1, -1, -1, -1};
    std::string style;         // a style of lists that this one defines
    std::string linked_style;  // one that defines this list
  };
  struct Instance {
    std::string list;
    std::map<size_t, int> starts;    // by level, where it begins anew
    std::map<size_t, Level> levels;  // that differ from the list's
    std::array<bool, kLevels> begun = {};
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

  static Level level_of(const pugi::xml_node& node);
  void read_lists(const pugi::xml_node& root);
  void read_styles(const pugi::xml_node& root);
  Named named_by(const pugi::xml_node& properties) const;
  List* list_of(const Instance& instance);
  static size_t level_in(const List& list, const Named& named, std::string_view style);
  static const Level& level_at(const Instance& instance, const List& list, size_t level);
  static int start_of(const Instance& instance, const List& list, size_t level);
  static void advance(Instance& instance, List& list, size_t level);
  static std::string number_of(const Instance& instance, const List& list, size_t level);

  std::map<std::string, List, std::less<>> lists_;
  std::map<std::string, std::string, std::less<>> list_of_style_;  // ids of lists by styles that they define
  std::map<std::string, Instance, std::less<>> instances_;
  std::map<std::string, Style, std::less<>> styles_;
};

}  // namespace mneme::readers
