// From what md4c calls back with to the blocks of a Markdown text. Internal to markdown.cpp. Threads: one thread each.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <md4c.h>

#include "ui/widgets/markdown.h"

namespace mneme::ui {

class MarkdownBuilder {
 public:
  std::vector<MarkdownBlock> take() {
    close_block();
    return std::move(blocks_);
  }

  void enter_block(MD_BLOCKTYPE type, void* detail);
  void leave_block(MD_BLOCKTYPE type);
  void enter_span(MD_SPANTYPE type, void* detail);
  void leave_span(MD_SPANTYPE type);
  void text(MD_TEXTTYPE type, std::string_view text);

 private:
  struct List {
    bool ordered;
    unsigned next;
  };

  MarkdownBlock& open_block(MarkdownKind kind) {
    close_block();
    blocks_.emplace_back().kind = kind;
    open_ = true;
    return blocks_.back();
  }
  void close_block() { open_ = pending_space_ = false; }
  std::vector<Inline>& target() {
    if (in_cell_) return blocks_.back().rows.back().back();
    if (!open_) open_paragraph();
    return blocks_.back().inlines;
  }
  void open_paragraph();
  void open_list_item(MD_BLOCK_LI_DETAIL* detail);
  void append(std::string_view text);
  void break_softly();
  void settle_space(std::string_view text);
  void append_with_citations(std::string_view text);

  std::vector<MarkdownBlock> blocks_;
  bool open_ = false;
  bool in_cell_ = false;
  bool verbatim_ = false;
  bool pending_break_ = false;
  bool pending_space_ = false;
  std::vector<List> lists_;
  std::string item_marker_;  // of the item whose first block has not come yet
  int quotes_ = 0;
  Inline style_;
};

}  // namespace mneme::ui
