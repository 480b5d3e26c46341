// Jupyter notebooks (ipynb): Markdown cells with their structure, code cells and their text output.
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/office_common.h"
#include "rag/readers/text/json_tree.h"

namespace mneme::readers {
namespace {

using Json = nlohmann::json;

constexpr size_t kLongestOutput = 4000;  // bytes of one output; training logs say little

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
    std::string text = json_words(json_member(output, "text"));
    if (text.empty()) text = json_words(json_member(json_member(output, "data"), "text/plain"));
    if (text.size() > kLongestOutput) text = text.substr(0, kLongestOutput);
    builder.code(text);
  }
}

}  // namespace

Status read_notebook(ReadContext& context, Input input) {
  auto parsed = parse_json_tree(context, input.name, input.bytes);
  if (parsed.status().code() == StatusCode::kResource) return parsed.status();
  const Json notebook = parsed.ok() ? *std::move(parsed) : Json();
  input.bytes = std::string();  // the tree holds what they said
  const Json& cells = json_member(notebook, "cells");
  if (!cells.is_array()) return corruption(printable(input.name) + " is damaged: it is not a notebook in JSON.");
  rag::Document document;
  document.format = "ipynb";
  const std::string title = json_words(json_member(json_member(notebook, "metadata"), "title"));
  if (!title.empty()) document.title = clean_text(title);
  DocumentBuilder builder(document, context.limits().text_bytes);
  int number = 0;
  for (const Json& cell : cells) {
    builder.set_page(++number);  // a notebook's cells are its pages
    const std::string type = json_words(json_member(cell, "cell_type"));
    const std::string source = json_words(json_member(cell, "source"));
    if (type == "markdown") {
      add_markdown(source, builder);
    } else {
      builder.code(source);
      add_outputs(json_member(cell, "outputs"), builder);
    }
    MNEME_RETURN_IF_ERROR(context.check(input.name));
  }
  if (builder.empty()) return unsupported(printable(input.name) + " is a notebook without text.");
  title_from_heading(document);
  return context.emit(input.name, std::move(document));
}

}  // namespace mneme::readers
