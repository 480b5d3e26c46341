// The numbers that a file gives to properties of sets: a list in which each has its own (MS-OXMSG 2.2.3, MS-PST
// 2.4.7). Internal to rag/readers. Threads: immutable.
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "rag/readers/outlook/outlook_object.h"

namespace mneme::readers {

class NamedProperties {
 public:
  NamedProperties() = default;
  // list: eight bytes for each property; sets: the sixteen bytes of each set that the list names.
  NamedProperties(std::string_view list, std::string_view sets);

  std::optional<MapiProperty> find(NamedProperty property) const;

 private:
  std::map<std::pair<MapiSet, uint16_t>, MapiProperty> numbers_;
};

}  // namespace mneme::readers
