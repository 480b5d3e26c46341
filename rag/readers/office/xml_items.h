// An XML part of any size, a piece at a time: the one list in it that makes it large (the rows of a sheet, the texts of
// a workbook) comes in trees of a MiB of text, what stands around the list in a tree of its own. A tree takes several
// times its text. Names of elements count without their prefixes.
// Internal to rag/readers. Threads: one thread each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "base/status.h"

namespace mneme::readers {

// Of XML that is taken apart at once; larger parts are not written by people.
inline constexpr uint64_t kLargestXml = uint64_t{96} << 20;

// What makes a part large: `list` and what it consists of, "sheetData" and "row".
struct XmlList {
  std::string_view list;
  std::string_view item;
};

class XmlItems {
 public:
  // take: gets the list with some of its items, in the order of the file.
  using Take = std::function<void(const pugi::xml_node& list)>;
  XmlItems(XmlList names, Take take) : names_(names), take_(std::move(take)) {}

  // The part's next bytes. kResource where it is large, but not by its list.
  Status add(std::string_view bytes);
  // At the end of the part, or where it breaks off: the last items, and into `around` all else, its list empty.
  // kCorruption where it is not XML; then what stands before the damage was given.
  Status finish(pugi::xml_document& around);

 private:
  enum class Place { kBefore, kWithin, kBehind };

  bool find_list();
  void find_item_end();
  void take_items(size_t size);

  const XmlList names_;
  const Take take_;
  Place place_ = Place::kBefore;
  std::string buffer_;      // not yet taken
  size_t looked_at_ = 0;    // of it
  size_t items_end_ = 0;    // behind the last whole item in it
  std::string open_;        // the list's tags
  std::string close_;       // without what ends a tag
  std::string item_close_;  // likewise
  std::string around_;
  Status damage_;
};

}  // namespace mneme::readers
