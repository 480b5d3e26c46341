#include "rag/readers/office/xlsx_comments.h"

#include <utility>

#include "rag/readers/office/xlsx_cells.h"

namespace mneme::readers {
namespace {

// The stand-ins for threads tell of Excel's version only.
void take_notes(const pugi::xml_document& part, std::vector<CellComment>& comments) {
  std::vector<std::string> authors;
  for (const pugi::xml_node author : child_named(part.document_element(), "authors").children()) {
    authors.emplace_back(author.child_value());
  }
  for (const pugi::xml_node note : child_named(part.document_element(), "commentList").children()) {
    const int number = to_int(attribute_named(note, "authorId"), -1);
    const bool has_author = number >= 0 && static_cast<size_t>(number) < authors.size();
    std::string author = has_author ? authors[static_cast<size_t>(number)] : std::string();
    if (author.starts_with("tc={")) continue;
    comments.push_back(note_on_cell(std::string(attribute_named(note, "ref")), std::move(author),
                                    item_text(child_named(note, "text"))));
  }
}

}  // namespace

Status XlsxComments::read_persons(SideParts& parts, const PartLinks& links) {
  const std::string part = links.target_by_kind("person");
  if (part.empty()) return {};
  pugi::xml_document tree;
  MNEME_RETURN_IF_ERROR(parts.read(part, "who wrote the comments", tree));
  for (const pugi::xml_node person : tree.document_element().children()) {
    persons_.emplace(attribute_named(person, "id"), attribute_named(person, "displayName"));
  }
  return {};
}

Status XlsxComments::read(SideParts& parts, const PartLinks& links, const std::string& label,
                          std::vector<CellComment>& comments) const {
  for (const PartLink& link : links) {
    const bool thread = link.kind == "threadedComment";
    if (!thread && link.kind != "comments") continue;
    pugi::xml_document tree;
    MNEME_RETURN_IF_ERROR(parts.read(link.target, "the comments of " + label, tree));
    if (!thread) take_notes(tree, comments);
    for (const pugi::xml_node said : tree.document_element().children()) {
      if (!thread || local_name(said) != "threadedComment") continue;
      const auto person = persons_.find(attribute_named(said, "personId"));
      comments.push_back({std::string(attribute_named(said, "ref")),
                          person == persons_.end() ? std::string() : person->second,
                          child_named(said, "text").child_value()});
    }
  }
  return {};
}

}  // namespace mneme::readers
