// PowerPoint files of before 2007. talk.ppt and talk.pptx were written by LibreOffice 7.4 from one presentation made
// for this; the preview was taken out of the first, masters and layouts out of the second.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/compound_files.h"
#include "tests/unit/readers/office_pairs.h"

namespace mneme::readers {
namespace {

using test::ppt_atom;
using test::ppt_container;
using test::u16;
using test::u32;

std::string text_of_kind(uint32_t kind, const std::string& text) {
  return ppt_atom(0xf9f, u32(kind)) + ppt_atom(0xfa8, text);
}

std::string shape(const std::string& textbox, const std::string& more = {}) {
  return ppt_container(0xf004, ppt_atom(0xf00a, u32(1) + u32(0)) + more + ppt_container(0xf00d, textbox));
}

std::string slide(const std::string& shapes, const std::string& more = {}) {
  const std::string group = ppt_container(0xf003, shapes);
  return ppt_container(
      0x3ee, ppt_atom(0x3ef, std::string(24, '\0')) + more + ppt_container(0x40c, ppt_container(0xf002, group)));
}

std::string listed(uint32_t number, uint32_t id) {
  return ppt_atom(0x3f3, u32(number) + u32(0) + u32(0) + u32(id) + u32(0));
}

// A presentation saved any number of times: objects behind each other, each time with a directory.
class Deck {
 public:
  // Objects from `first` on.
  void save(uint32_t first, const std::vector<std::string>& objects) {
    std::string places = u32(first | static_cast<uint32_t>(objects.size()) << 20);
    for (const std::string& object : objects) {
      places += u32(stream_.size());
      stream_ += object;
    }
    const size_t directory = stream_.size();
    stream_ += ppt_atom(0x1772, places);
    const size_t before = last_edit_;
    last_edit_ = stream_.size();
    stream_ += ppt_atom(0xff5, u32(0) + u32(0) + u32(before) + u32(directory) + u32(1) + u32(9) + u32(0));
  }

  std::string file(uint32_t token = 0xe391c05f) const {
    const std::string user = u16(0) + u16(0xff6) + u32(20) + u32(20) + u32(token) + u32(last_edit_);
    return test::make_compound_file({{"Current User", user}, {"PowerPoint Document", stream_}});
  }

  std::string& stream() { return stream_; }

 private:
  std::string stream_ = ppt_atom(0x1, "none");  // no edit is at 0
  size_t last_edit_ = 0;
};

TEST(Ppt, SlidesAreReadAsThoseSince2007) {
  const rag::Document before = test::read_text("talk.ppt", test::fixture("talk.ppt"));
  const rag::Document after = test::read_text("talk.pptx", test::fixture("talk.pptx"));
  test::expect_well_formed(before, false);
  EXPECT_EQ(before.format, "ppt");
  EXPECT_TRUE(before.notes.empty());
  EXPECT_EQ(before.title, "Ferry talk");
  for (const char* said :
       {"Fares and routes", "- Adults 10⁶ litres\n  - Half for children\n    - under six\n- Groups\n  of ten",
        "Day | Price | Seats\nMonday | 4 EUR | 12\nTuesday | | 7\nAll week | | 30",
        "Comment by Bo Lind: Also on Sundays?", "Speaker notes: Greet everybody.\n\nMention the winter timetable.",
        "Title behind\n\ndrawn first"}) {
    EXPECT_NE(before.text.find(said), std::string::npos) << said;
  }
  test::expect_same(before, after);
}

// Texts of titles and bodies may stand in the list of slides, where shapes refer to them.
TEST(Ppt, ShapesReferToTextsInTheListOfSlides) {
  const std::string list = ppt_container(
      0xff0, listed(2, 256) + text_of_kind(0, "Ferries") + text_of_kind(1, "They leave at noon.") + listed(3, 257));
  const auto reference = [](uint32_t number) { return shape(ppt_atom(0xf9e, u32(number))); };
  Deck deck;
  deck.save(1,
            {ppt_container(0x3e8, list), slide(reference(1) + reference(0)), slide(shape(text_of_kind(4, "Second.")))});
  const rag::Document document = test::read_text("a.ppt", deck.file());
  EXPECT_EQ(document.text, "Ferries\n\n- They leave at noon.\n\nSecond.");
  EXPECT_EQ(document.blocks.back().page, 2);
}

// What was saved later stands behind; the first version is still in the file.
TEST(Ppt, WhatWasSavedLastHolds) {
  const std::string list = ppt_container(0xff0, listed(2, 256) + listed(3, 257));
  Deck deck;
  deck.save(1, {ppt_container(0x3e8, list), slide(shape(text_of_kind(4, "Old words."))),
                slide(shape(text_of_kind(4, "Kept.")))});
  deck.save(2, {slide(shape(text_of_kind(4, "New words.")))});
  EXPECT_EQ(test::read_text("a.ppt", deck.file()).text, "New words.\n\nKept.");
}

TEST(Ppt, FieldsFootersAndFurnitureAreNoText) {
  const std::string number = ppt_container(0xf011, ppt_atom(0xbc3, u32(0) + "\x08" + std::string(3, '\0')));
  const std::string footer =
      ppt_container(0xfd9, ppt_atom(0xfda, u16(0) + u16(0x20)) + ppt_atom(0xfba, test::in_utf16("Harbour office"), 2));
  const std::string shapes =
      shape(text_of_kind(4, "On * of June") + ppt_atom(0xff7, u32(3) + u32(0))) + shape(text_of_kind(4, "17"), number);
  const std::string list = ppt_container(0xff0, listed(2, 256) + listed(3, 257));
  Deck deck;
  deck.save(1, {ppt_container(0x3e8, list), slide(shapes, footer), slide(shape(text_of_kind(4, "More.")), footer)});
  EXPECT_EQ(test::read_text("a.ppt", deck.file()).text, "On of June\n\nHarbour office\n\nMore.");
}

TEST(Ppt, WhereTheListIsLostSlidesComeInTheOrderOfTheFile) {
  Deck deck;
  deck.save(2, {slide(shape(text_of_kind(0, "First"))), slide(shape(text_of_kind(0, "Second")))});
  const rag::Document document = test::read_text("a.ppt", deck.file());
  EXPECT_EQ(document.text, "First\n\nSecond");
  EXPECT_EQ(document.notes,
            std::vector<std::string>{"the list of slides could not be read: they may stand in another order"});
}

TEST(Ppt, EncryptedAndDamagedOnesSaySo) {
  const auto message_of = [](const std::string& bytes) {
    return read_document("a.ppt", as_bytes(bytes)).status().message();
  };
  Deck deck;
  deck.save(1, {ppt_container(0x3e8, "")});
  EXPECT_EQ(message_of(deck.file(0xf3d1c4df)),
            "a.ppt: a PowerPoint file encrypted with a password; save it without one to index it.");
  EXPECT_EQ(message_of(deck.file()), "a.ppt: damaged: its slides cannot be found.");
  Deck empty;
  empty.save(1, {ppt_container(0x3e8, ppt_container(0xff0, listed(2, 256))), slide("")});
  EXPECT_EQ(message_of(empty.file()), "a.ppt holds no text.");
}

// Ten thousand entries for one slide are no presentation.
TEST(Ppt, SlidesThatAreListedAgainAndAgainAreBounded) {
  std::string entries;
  for (uint32_t i = 0; i < 10'000; ++i) entries += listed(2, 256 + i);
  const std::string words(100'000, 'x');
  Deck deck;
  deck.save(1, {ppt_container(0x3e8, ppt_container(0xff0, entries)), slide(shape(text_of_kind(4, words)))});
  const rag::Document document = test::read_text("a.ppt", deck.file());
  EXPECT_LT(document.text.size(), 10 * words.size());
  EXPECT_EQ(document.notes.size(), 21u);
}

// Nor are very many shapes that refer to one text, or times of saving that name one directory.
TEST(Ppt, ATextThatIsReferredToAgainAndAgainIsToldOnce) {
  const std::string words(100'000, 'x');
  std::string references;
  for (int i = 0; i < 5'000; ++i) references += shape(ppt_atom(0xf9e, u32(0)));
  const std::string list = ppt_container(0xff0, listed(2, 256) + text_of_kind(4, words));
  Deck deck;
  deck.save(1, {ppt_container(0x3e8, list), slide(references)});
  EXPECT_EQ(test::read_text("a.ppt", deck.file()).text, words);
}

TEST(Ppt, DamageEndsInTextOrASentence) {
  test::expect_damage_is_harmless("a.ppt", test::fixture("talk.ppt"), 400);
}

}  // namespace
}  // namespace mneme::readers
