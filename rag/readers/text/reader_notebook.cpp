// Jupyter notebooks (ipynb): Markdown cells with their structure, code cells and their text output.
#include <nlohmann/json.hpp>
#include <string>

#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/office_common.h"

namespace mneme::readers {
namespace {

using Json = nlohmann::json;

constexpr size_t kLongestOutput = 4000;  // bytes of one output; training logs say little

// A "multiline string": a string or a list of strings.
std::string joined(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  std::string text;
  if (!value.is_array()) return text;
  for (const Json& line : value) {
    if (line.is_string()) text += line.get<std::string>();
  }
  return text;
}

const Json& member(const Json& object, const char* name) {
  static const Json kNone;
  if (!object.is_object()) return kNone;
  const auto found = object.find(name);
  return found == object.end() ? kNone : *found;
}

// Depth of brackets outside strings; the parser below copes with any, freeing the tree may not.
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

void add_markdown(const std::string& source, DocumentBuilder& builder) {
  rag::Document cell;
  cell.text = source;
  parse_markdown(cell);
  for (const rag::Block& block : cell.blocks) {
    const std::string_view text =
        std::string_view(cell.text).substr(block.byte_begin, block.byte_end - block.byte_begin);
    if (block.kind == rag::BlockKind::kHeading) {
      builder.heading(block.heading_level,
                      plain_inline(text.substr(std::min(text.find_first_not_of('#'), text.size()))));
    } else {
      // Code keeps its lines; list markers and table bars are part of the text.
      builder.add(block.kind, text);
    }
  }
}

void add_outputs(const Json& outputs, DocumentBuilder& builder) {
  if (!outputs.is_array()) return;
  for (const Json& output : outputs) {
    std::string text = joined(member(output, "text"));
    if (text.empty()) text = joined(member(member(output, "data"), "text/plain"));
    if (text.size() > kLongestOutput) text = text.substr(0, kLongestOutput);
    builder.code(text);
  }
}

}  // namespace

Status read_notebook(ReadContext& context, Input input) {
  if (nesting(input.bytes) > context.limits().structure_depth) {
    return resource_error(printable(input.name) + " is nested deeper than " +
                          std::to_string(context.limits().structure_depth) + " levels; it was left out.");
  }
  const Json notebook = Json::parse(input.bytes, nullptr, false);
  input.bytes = std::string();  // the tree holds what they said
  const Json& cells = member(notebook, "cells");
  if (!cells.is_array()) return corruption(printable(input.name) + " is damaged: it is not a notebook in JSON.");
  rag::Document document;
  document.format = "ipynb";
  const std::string title = joined(member(member(notebook, "metadata"), "title"));
  if (!title.empty()) document.title = clean_text(title);
  DocumentBuilder builder(document, context.limits().text_bytes);
  int number = 0;
  for (const Json& cell : cells) {
    builder.set_page(++number);  // a notebook's cells are its pages
    const std::string type = joined(member(cell, "cell_type"));
    const std::string source = joined(member(cell, "source"));
    if (type == "markdown") {
      add_markdown(source, builder);
    } else {
      builder.code(source);
      add_outputs(member(cell, "outputs"), builder);
    }
    MNEME_RETURN_IF_ERROR(context.check(input.name));
  }
  if (builder.empty()) return unsupported(printable(input.name) + " is a notebook without text.");
  title_from_heading(document);
  return context.emit(input.name, std::move(document));
}

}  // namespace mneme::readers
