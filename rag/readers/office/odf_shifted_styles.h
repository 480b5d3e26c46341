// Which styles of an OpenDocument file raise or lower their text.
// Internal to rag/readers. Threads: immutable once read.
#pragma once

#include <map>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "rag/readers/raised_text.h"

namespace mneme::readers {

class OdfShiftedStyles {
 public:
  // root: of styles.xml or content.xml; may be empty.
  void read(const pugi::xml_node& root);
  Shift shift_of(std::string_view style) const;

 private:
  std::map<std::string, Shift, std::less<>> shifts_;
};

}  // namespace mneme::readers
