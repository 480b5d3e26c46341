#include "rag/readers/office/side_parts.h"

#include <algorithm>
#include <utility>

namespace mneme::readers {
namespace {

constexpr int kMostNotes = 20;

std::string_view state_told(const Status& status) {
  switch (status.code()) {
    case StatusCode::kUnsupported: return "encrypted";
    case StatusCode::kResource: return "too large";
    default: return "damaged";
  }
}

}  // namespace

bool SideParts::ends_reading(const Status& status) const {
  return status.code() == StatusCode::kCancelled || context_.unpacked_left() == 0 || !context_.check(zip_.name()).ok();
}

Status SideParts::read(const std::string& member, std::string_view what, pugi::xml_document& tree) {
  tree.reset();
  Status status = zip_.has(member) ? zip_.read_xml(member, tree) : not_found("");
  return take_loss(member, what, std::move(status), !tree.document_element().first_child().empty());
}

Status SideParts::read_items(const std::string& member, std::string_view what, XmlList names,
                             const XmlItems::Take& take, pugi::xml_document& around) {
  around.reset();
  bool partly = false;
  const XmlItems::Take watched = [&](const pugi::xml_node& list) {
    partly |= !list.first_child().empty();
    take(list);
  };
  Status status = zip_.has(member) ? zip_.read_xml_items(member, names, watched, around) : not_found("");
  return take_loss(member, what, std::move(status), partly || !around.document_element().first_child().empty());
}

Status SideParts::read_text(const std::string& member, std::string_view what, std::string& text) {
  text.clear();
  Status status = zip_.has(member) ? zip_.read_as_far_as_it_goes(member, text) : not_found("");
  return take_loss(member, what, std::move(status), !text.empty());
}

Status SideParts::take_loss(const std::string& member, std::string_view what, Status status, bool partly) {
  if (status.ok()) return {};
  const bool missing = status.code() == StatusCode::kNotFound;
  if (!missing && ends_reading(status)) return status;
  note(std::string(what) + (partly ? " could not be read to the end: " : " could not be read: ") + printable(member) +
       " is " + std::string(missing ? "missing" : state_told(status)));
  if (missing) {
    status = corruption(printable(zip_.name()) + " is damaged: it has no part " + printable(member) + ".");
  }
  if (first_damage_.ok()) first_damage_ = std::move(status);
  return {};
}

Status SideParts::read_if_there(const std::string& member, std::string_view what, pugi::xml_document& tree) {
  tree.reset();
  return zip_.has(member) ? read(member, what, tree) : Status();
}

Status SideParts::links_of(const std::string& part, PartLinks& links) {
  links = {};
  const std::string folder = member_folder(part);
  const std::string file = folder + "_rels/" + part.substr(folder.size()) + ".rels";
  pugi::xml_document tree;
  MNEME_RETURN_IF_ERROR(read_if_there(file, "what " + printable(part) + " refers to", tree));
  for (const pugi::xml_node node : tree.document_element().children()) {
    if (attribute_named(node, "TargetMode") == "External") continue;
    const std::string_view type = attribute_named(node, "Type");
    links.add({std::string(attribute_named(node, "Id")), std::string(type.substr(type.rfind('/') + 1)),
               resolve_member(folder, attribute_named(node, "Target"))});
  }
  return {};
}

Status SideParts::nothing_there() const {
  return first_damage_.ok() ? unsupported(printable(zip_.name()) + " holds no text.") : first_damage_;
}

void SideParts::note(std::string text) {
  if (noted_++ < kMostNotes) document_.notes.push_back(std::move(text));
}

void SideParts::finish() {
  const int more = std::exchange(noted_, 0) - kMostNotes;
  if (more > 0) document_.notes.push_back(std::to_string(more) + " more parts could not be read");
}

void PartLinks::add(PartLink link) {
  by_id_.emplace(link.id, links_.size());
  links_.push_back(std::move(link));
}

std::string PartLinks::target_by_id(std::string_view id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? std::string() : links_[found->second].target;
}

std::string PartLinks::target_by_kind(std::string_view kind) const {
  const auto found =
      std::find_if(links_.begin(), links_.end(), [&](const PartLink& link) { return link.kind == kind; });
  return found == links_.end() ? std::string() : found->target;
}

}  // namespace mneme::readers
