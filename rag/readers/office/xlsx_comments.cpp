#include "rag/readers/office/xlsx_comments.h"

#include <string_view>

#include "rag/readers/office/xlsx_cells.h"

namespace mneme::readers {
namespace {

// Notes begin with their author's name in a line of its own; the stand-ins for threads tell of Excel's version only.
void take_notes(const pugi::xml_document& part, std::vector<CellComment>& comments) {
  std::vector<std::string> authors;
  for (const pugi::xml_node author : child_named(part.document_element(), "authors").children()) {
    authors.emplace_back(author.child_value());
  }
  for (const pugi::xml_node note : child_named(part.document_element(), "commentList").children()) {
    CellComment comment;
    comment.cell = attribute_named(note, "ref");
    const int author = to_int(attribute_named(note, "authorId"), -1);
    if (author >= 0 && static_cast<size_t>(author) < authors.size())
      comment.author = authors[static_cast<size_t>(author)];
    if (comment.author.starts_with("tc={")) continue;
    comment.text = item_text(child_named(note, "text"));
    const std::string head = comment.author + ":";
    if (comment.text.starts_with(head)) comment.text.erase(0, head.size());
    comments.push_back(std::move(comment));
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

void add_cell_comments(const std::vector<CellComment>& comments, const std::vector<SheetRow>& rows,
                       DocumentBuilder& builder) {
  for (const CellComment& comment : comments) {
    const int number = place_of(comment.cell).row;
    const SheetRow* row = row_numbered(rows, number);
    std::string where = clean_text(comment.cell);
    const std::string says = row == nullptr ? std::string() : joined_cells(row->cells);
    if (!says.empty() && says.size() <= kLongestLabel) where += " (" + says + ")";
    builder.set_lines(number, number);
    builder.paragraph(comment_line(comment.author, where, comment.text));
  }
  builder.set_lines(0, 0);
}

}  // namespace mneme::readers
