#include "rag/readers/office/odf_shifted_styles.h"

#include "rag/readers/office/zip_package.h"

namespace mneme::readers {
namespace {

// "super 58%", "sub 58%", or a share of the height: "33% 58%", "-33% 58%".
Shift shift_at(std::string_view position) {
  if (position.starts_with("super")) return Shift::kRaised;
  if (position.starts_with("sub") || position.starts_with('-')) return Shift::kLowered;
  return position.empty() || position.starts_with('0') ? Shift::kNone : Shift::kRaised;
}

}  // namespace

void OdfShiftedStyles::read(const pugi::xml_node& root) {
  for (const char* const group : {"styles", "automatic-styles"}) {
    for (const pugi::xml_node style : child_named(root, group).children()) {
      const Shift shift = shift_at(attribute_named(child_named(style, "text-properties"), "text-position"));
      if (shift != Shift::kNone) shifts_[std::string(attribute_named(style, "name"))] = shift;
    }
  }
}

Shift OdfShiftedStyles::shift_of(std::string_view style) const {
  const auto found = shifts_.find(style);
  return found == shifts_.end() ? Shift::kNone : found->second;
}

}  // namespace mneme::readers
