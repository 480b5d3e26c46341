#include "rag/readers/office/pptx_comments.h"

#include "rag/readers/office/office_drawing.h"
#include "rag/readers/office_common.h"

namespace mneme::readers {
namespace {

constexpr int kDeepest = 32;

}  // namespace

Status PptxComments::read_authors(SideParts& parts, const PartLinks& links) {
  for (const char* kind : {"commentAuthors", "authors"}) {
    const std::string part = links.target_by_kind(kind);
    if (part.empty()) continue;
    pugi::xml_document tree;
    MNEME_RETURN_IF_ERROR(parts.read(part, "who wrote the comments", tree));
    for (const pugi::xml_node author : tree.document_element().children()) {
      authors_.emplace(attribute_named(author, "id"), attribute_named(author, "name"));
    }
  }
  return {};
}

void PptxComments::add(const pugi::xml_document& part, DocumentBuilder& builder) const {
  for (const pugi::xml_node comment : part.document_element().children()) {
    if (local_name(comment) != "cm") continue;
    add_comment(comment, builder);
    for (const pugi::xml_node reply : child_named(comment, "replyLst").children()) add_comment(reply, builder);
  }
}

void PptxComments::add_comment(const pugi::xml_node& comment, DocumentBuilder& builder) const {
  const auto author = authors_.find(attribute_named(comment, "authorId"));
  const pugi::xml_node plain = child_named(comment, "text");
  const std::string text = plain ? plain.child_value() : drawing_text(child_named(comment, "txBody"), kDeepest);
  builder.paragraph(comment_line(author == authors_.end() ? std::string_view() : author->second, {}, text));
}

}  // namespace mneme::readers
