#include <gtest/gtest.h>

#include <string>

#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using test::expect_well_formed;
using test::read_text;

TEST(KeepNotes, TextListsLabelsAndLinks) {
  const rag::Document note = read_text(
      "Bread.json",
      R"({"color":"DEFAULT","isTrashed":false,"isPinned":false,"isArchived":false,"textContent":"500 grams of flour.\nBake it.\n\nEat.",
"title":"Bread","userEditedTimestampUsec":1740000000000000,"labels":[{"name":"kitchen"},{"name":"winter"}],
"annotations":[{"url":"https://example.org","title":"Oven"}]})");
  EXPECT_EQ(note.format, "keep");
  EXPECT_EQ(note.title, "Bread");
  EXPECT_EQ(note.date, "2025-02-19");
  EXPECT_EQ(note.text,
            "Bread\n\n- Labels: kitchen, winter\n\n500 grams of flour.\nBake it.\n\nEat.\n\nOven https://example.org");
  expect_well_formed(note, false);
  const rag::Document list = read_text(
      "Shop.json",
      R"({"isTrashed":false,"listContent":[{"text":"pipe","isChecked":true},{"text":"vessel","isChecked":false},{"text":"","isChecked":true},0],"title":""})");
  EXPECT_EQ(list.title, "Shop");
  EXPECT_EQ(list.text, "- [x] pipe\n- [ ] vessel");
}

TEST(KeepNotes, OtherAndDamagedJsonStaysJson) {
  EXPECT_EQ(read_text("a.json", R"({"isTrashed":false,"name":"x"})").format, "json");
  EXPECT_EQ(read_text("a.json", R"({"isTrashed":false,"textContent":"cut off)").format, "json");
  EXPECT_FALSE(read_document("a.json", as_bytes(std::string_view(R"({"isTrashed":1,"textContent":[]})"))).ok());
}

}  // namespace
}  // namespace mneme::readers
