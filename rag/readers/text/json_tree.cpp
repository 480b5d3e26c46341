#include "rag/readers/text/json_tree.h"

#include <algorithm>
#include <utility>

namespace mneme::readers {
namespace {

using Json = nlohmann::json;

// Depth of brackets outside strings; the parser copes with any, freeing the tree may not.
int nesting(std::string_view text) {
  int depth = 0;
  int deepest = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_string = false;
      }
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return deepest;
}

}  // namespace

Result<Json> parse_json_tree(const ReadContext& context, std::string_view name, std::string_view text) {
  if (nesting(text) > context.limits().structure_depth) {
    return resource_error(printable(name) + " is nested deeper than " +
                          std::to_string(context.limits().structure_depth) + " levels; it was left out.");
  }
  Json tree = Json::parse(text, nullptr, false);
  if (tree.is_discarded()) return corruption(printable(name) + " is damaged: it is no JSON.");
  return tree;
}

const Json& json_member(const Json& object, const char* name) {
  static const Json kNone;
  if (!object.is_object()) return kNone;
  const auto found = object.find(name);
  return found == object.end() ? kNone : *found;
}

std::string json_words(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  std::string text;
  if (!value.is_array()) return text;
  for (const Json& piece : value) {
    const Json& words = piece.is_object() ? json_member(piece, "text") : piece;
    if (words.is_string()) text += words.get<std::string>();
  }
  return text;
}

}  // namespace mneme::readers
