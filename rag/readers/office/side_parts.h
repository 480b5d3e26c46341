// The parts of a package that a document can do without: styles, notes, comments, one sheet or slide of many. Damage in
// one costs what stands behind it there and leaves a note, never the document.
// Internal to rag/readers. Ownership: borrows context, package and document. Threads: one thread each.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "rag/document.h"
#include "rag/readers/office/zip_package.h"

namespace mneme::readers {

// What one part says of another: where it lies and what for ("comments", "chart"), the last word of the type.
struct PartLink {
  std::string id;
  std::string kind;
  std::string target;  // a member's name
};

// The links of a part, in the order of the file; without those out of the package.
class PartLinks {
 public:
  void add(PartLink link);
  // The target of a link by its id or kind, the first of several; "" when there is none.
  std::string target_by_id(std::string_view id) const;
  std::string target_by_kind(std::string_view kind) const;

  std::vector<PartLink>::const_iterator begin() const { return links_.begin(); }
  std::vector<PartLink>::const_iterator end() const { return links_.end(); }

 private:
  std::vector<PartLink> links_;
  std::map<std::string, size_t, std::less<>> by_id_;  // files may have as many as they like
};

class SideParts {
 public:
  SideParts(ReadContext& context, ZipPackage& zip, rag::Document& document)
      : context_(context), zip_(zip), document_(document) {}

  bool has(const std::string& member) const { return zip_.has(member); }

  // Parses a part into `tree`, empty where nothing can be read; of a damaged one what comes before the damage. What is
  // missing or damaged gets a note: `what` ("the comments", "slide 3") could not be read. Errors: only what must end
  // the reading of the file (cancel, time, the budget of what is unpacked).
  Status read(const std::string& member, std::string_view what, pugi::xml_document& tree);
  // The same of a part that may be large by one list in it: what of the list can be read goes to `take`.
  Status read_items(const std::string& member, std::string_view what, XmlList names, const XmlItems::Take& take,
                    pugi::xml_document& around);
  // The same of a part that is no XML.
  Status read_text(const std::string& member, std::string_view what, std::string& text);
  // The same as read() of what files need not have.
  Status read_if_there(const std::string& member, std::string_view what, pugi::xml_document& tree);

  // Those of an OOXML part.
  Status links_of(const std::string& part, PartLinks& links);

  // Why a document without any text has none.
  Status nothing_there() const;
  // Notes that something was left out, the first twenty in words.
  void note(std::string text);
  // Says how many notes were too many.
  void finish();

 private:
  bool ends_reading(const Status& status) const;
  // Takes note of what became of a part; partly: some of it was read.
  Status take_loss(const std::string& member, std::string_view what, Status status, bool partly);

  ReadContext& context_;
  ZipPackage& zip_;
  rag::Document& document_;
  Status first_damage_;
  int noted_ = 0;
};

}  // namespace mneme::readers
