#include "rag/readers/office/word_forms.h"

#include <string_view>

#include "rag/readers/office/zip_package.h"
#include "rag/readers/office_common.h"

namespace mneme::readers {
namespace {

bool is_on(const pugi::xml_node& property) {
  const std::string_view value = attribute_named(property, "val");
  return property && value != "0" && value != "false" && value != "off";
}

std::string chosen_of(const pugi::xml_node& list) {
  const pugi::xml_node result = child_named(list, "result");
  int place = to_int(attribute_named(result ? result : child_named(list, "default"), "val"), 0);
  for (const pugi::xml_node entry : list.children()) {
    if (local_name(entry) != "listEntry") continue;
    if (place-- == 0) return std::string(attribute_named(entry, "val"));
  }
  return {};
}

}  // namespace

std::string form_field_text(const pugi::xml_node& field) {
  const pugi::xml_node data = child_named(field, "ffData");
  if (!data) return {};
  if (const pugi::xml_node list = child_named(data, "ddList")) return chosen_of(list);
  const pugi::xml_node box = child_named(data, "checkBox");
  if (!box) return {};
  const pugi::xml_node checked = child_named(box, "checked");
  return is_on(checked ? checked : child_named(box, "default")) ? "\u2612" : "\u2610";
}

bool is_unfilled(const pugi::xml_node& control) {
  return is_on(child_named(child_named(control, "sdtPr"), "showingPlcHdr"));
}

bool is_hidden_run(const pugi::xml_node& run) {
  return is_on(child_named(child_named(run, "rPr"), "vanish"));
}

}  // namespace mneme::readers
