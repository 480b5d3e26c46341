// Documents of tests/data that were saved twice, in a format of before 2007 and in that which came after it.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "base/random.h"
#include "base/utf8.h"
#include "tests/support/checkout/checkout.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers::test {

inline std::string fixture(const std::string& name) {
  std::ifstream file(checkout::test_data("documents/") + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Text and structure, so that the passages are the same, too.
inline void expect_same(const rag::Document& before, const rag::Document& after) {
  EXPECT_EQ(before.title, after.title);
  EXPECT_EQ(before.author, after.author);
  EXPECT_EQ(before.date, after.date.substr(0, before.date.size()));
  EXPECT_EQ(before.text, after.text);
  ASSERT_EQ(before.blocks.size(), after.blocks.size());
  for (size_t i = 0; i < before.blocks.size(); ++i) {
    EXPECT_EQ(before.blocks[i].kind, after.blocks[i].kind) << block_text(after, i);
    EXPECT_EQ(before.blocks[i].heading_level, after.blocks[i].heading_level) << block_text(after, i);
    EXPECT_EQ(before.blocks[i].page, after.blocks[i].page) << block_text(after, i);
    EXPECT_EQ(before.blocks[i].line_begin, after.blocks[i].line_begin) << block_text(after, i);
  }
}

// Cut short, and with wrong bytes: each ends in text or in a sentence that names the file.
inline void expect_damage_is_harmless(const std::string& name, const std::string& whole, int n_rounds) {
  const auto expect_harmless = [&](const std::string& bytes) {
    const Status status = read_bytes(name, as_bytes(bytes), {}, [](ReadItem item) {
      if (item.status.ok()) {
        EXPECT_TRUE(utf8::valid(item.document.text));
        EXPECT_TRUE(utf8::valid(item.document.title));
      }
      return Status();
    });
    EXPECT_TRUE(status.ok() || status.message().starts_with(name)) << status.message();
  };
  for (size_t size = 8; size < whole.size(); size += whole.size() / 80) expect_harmless(whole.substr(0, size));
  Random random(23);
  for (int round = 0; round < n_rounds; ++round) {
    std::string wrong = whole;
    for (uint64_t n = 1 + random.below(30); n > 0; --n)
      wrong[8 + random.below(wrong.size() - 8)] = static_cast<char>(random.below(256));
    expect_harmless(wrong);
  }
}

}  // namespace mneme::readers::test
