// Short ways to read documents in tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "rag/readers/reader.h"

namespace mneme::readers::test {

inline rag::Document read_text(std::string_view name, std::string_view text, const ReadLimits& limits = {}) {
  auto document = read_document(name, as_bytes(text), limits);
  EXPECT_TRUE(document.ok()) << document.status().message();
  return document.ok() ? std::move(*document) : rag::Document{};
}

inline std::string_view block_text(const rag::Document& document, size_t index) {
  if (index >= document.blocks.size()) return "(no such block)";
  const rag::Block& block = document.blocks[index];
  return std::string_view(document.text).substr(block.byte_begin, block.byte_end - block.byte_begin);
}

// All of them, in order.
inline std::vector<std::string> block_texts(const rag::Document& document) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < document.blocks.size(); ++i) texts.emplace_back(block_text(document, i));
  return texts;
}

inline std::vector<rag::BlockKind> kinds(const rag::Document& document) {
  std::vector<rag::BlockKind> all;
  for (const rag::Block& block : document.blocks) all.push_back(block.kind);
  return all;
}

// Every document's promises: order, bounds, no split characters, line numbers that match the text.
inline void expect_well_formed(const rag::Document& document, bool lines_are_of_text) {
  uint64_t before = 0;
  EXPECT_FALSE(document.title.empty());
  for (const rag::Block& block : document.blocks) {
    ASSERT_LE(before, block.byte_begin);
    ASSERT_LT(block.byte_begin, block.byte_end);
    ASSERT_LE(block.byte_end, document.text.size());
    const auto starts_character = [&](uint64_t at) {
      return at == document.text.size() || (document.text[at] & 0xc0) != 0x80;
    };
    EXPECT_TRUE(starts_character(block.byte_begin) && starts_character(block.byte_end));
    if (lines_are_of_text) {
      const auto line_of = [&](uint64_t at) {
        return 1 + std::count(document.text.begin(), document.text.begin() + static_cast<int64_t>(at), '\n');
      };
      EXPECT_EQ(block.line_begin, line_of(block.byte_begin));
      EXPECT_EQ(block.line_end, line_of(block.byte_end - 1));
    }
    before = block.byte_end;
  }
}

}  // namespace mneme::readers::test
