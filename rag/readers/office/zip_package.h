// The zip container of office documents and e-books, in memory: members by name, every size bounded before allocation
// and counted against the file's budget. Ownership: holds the bytes. Threads: one thread each.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "rag/readers/office/xml_items.h"
#include "rag/readers/read_context.h"

struct zip;

namespace mneme::readers {

class ZipPackage {
 public:
  // Errors: kCorruption (no zip, damaged directory), kResource (too many members).
  static Result<std::unique_ptr<ZipPackage>> open(ReadContext& context, Input input);
  ~ZipPackage();
  ZipPackage(const ZipPackage&) = delete;
  ZipPackage& operator=(const ZipPackage&) = delete;

  const std::string& name() const { return name_; }
  // Members are found by their names; where none is called so, by names in other case or with backslashes, which old
  // programs for Windows write.
  bool has(const std::string& member) const { return index_of(member) >= 0; }
  // Names of all members, in the order of the archive.
  std::vector<std::string> members() const;

  // Content of a member. kUnsupported when encrypted; kCorruption when damaged or not there; kResource over a limit.
  Result<std::string> read(const std::string& member);
  // The same into `content`, which of a damaged member holds what comes before the damage.
  Status read_as_far_as_it_goes(const std::string& member, std::string& content);
  // The same, parsed: of a damaged member `tree` holds what comes before the damage. Entities are not expanded beyond
  // the five of XML: there are no entity bombs.
  Status read_xml(const std::string& member, pugi::xml_document& tree);
  // The same of a part that may be large by one list in it (XmlItems): the list comes in pieces, all else into
  // `around`.
  Status read_xml_items(const std::string& member, XmlList names, const XmlItems::Take& take,
                        pugi::xml_document& around);

  // Gives a member's bytes to `take` as they are unpacked, until it fails.
  Status unpack(const std::string& member, const std::function<Status(std::string_view)>& take);
  // What the directory says a member unpacks to, which need not be true; 0: nothing.
  uint64_t claimed_size(const std::string& member) const;

 private:
  ZipPackage(ReadContext& context, std::string name, std::string bytes);
  int64_t index_of(const std::string& member) const;  // -1: none
  Status parse_xml(const std::string& member, const std::string& content, pugi::xml_document& tree) const;

  ReadContext& context_;
  std::string name_;
  std::string bytes_;
  zip* archive_ = nullptr;
  mutable std::optional<std::unordered_map<std::string, int64_t>> by_any_case_;  // made when it is asked for
};

// "word/../media/a.xml" to "media/a.xml"; a path that leaves the archive gives "".
std::string resolve_member(std::string_view folder, std::string_view target);
// Folder of a member with its slash: "word/" of "word/document.xml".
std::string member_folder(std::string_view member);

// Element name without its prefix: "p" of "w:p".
std::string_view local_name(const pugi::xml_node& node);
// First child with this local name, whatever its prefix.
pugi::xml_node child_named(const pugi::xml_node& node, std::string_view name);
// Attribute by local name; "" when absent.
std::string_view attribute_named(const pugi::xml_node& node, std::string_view name);
// The id of a link to another part ("r:id"), whatever its prefix; an id without one is that of the element itself. ""
// when absent.
std::string_view link_id(const pugi::xml_node& node);

}  // namespace mneme::readers
