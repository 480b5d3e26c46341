// BibTeX and RIS, in our own words.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/readers/office_pairs.h"

namespace mneme::readers {
namespace {

using test::block_texts;
using test::read_text;

using Lines = std::vector<std::string>;

const std::string kBibtex =
    "% made by hand\n@string{jcr = \"Journal of Cranes\"}\n@comment{nothing}\n"
    "@Article{lind2019,\n  title = {The {Harbour} of Malm{\\\"o}},\n  author = \"Lind, Bo and Ann Weber\",\n"
    "  journal = jcr # {, Series B},\n  year = 2019, volume = 3, pages = {10--20},\n"
    "  abstract = {We lift\n   things.}\n}\n\n"
    "@book{weber, title = {Rope}, editor = {Ann Weber}, doi = {10.1/x_y}\n\n"
    "@misc(last, title = \"A page\", url = {http://example.org/a})\n";

TEST(References, BibtexIsToldBySections) {
  const rag::Document document = read_text("a.bib", kBibtex);
  EXPECT_EQ(document.format, "references");
  EXPECT_EQ(block_texts(document),
            (Lines{"The Harbour of Malmö", "- Authors: Bo Lind; Ann Weber", "- Year: 2019",
                   "- In: Journal of Cranes, Series B, volume 3, pages 10–20", "- Kind: article", "- Key: lind2019",
                   "We lift things.", "Rope", "- Editors: Ann Weber", "- Kind: book", "- DOI: 10.1/x_y", "- Key: weber",
                   "A page", "- Kind: misc", "- Link: http://example.org/a", "- Key: last"}));
  EXPECT_EQ(document.blocks[0].line_begin, 4);
  EXPECT_EQ(document.blocks[0].line_end, 11);
  EXPECT_EQ(read_text("b.bib", "FUNCTION {format.date}\n").format, rag::kSourceFormat);
}

TEST(References, RisIsToldBySections) {
  const std::string ris =
      "\xef\xbb\xbfTY  - JOUR\r\nAU  - Lind, Bo\r\nAU  - Weber, Ann\r\nTI  - The Harbour\r\nof Malm\xc3\xb6\r\nPY  - "
      "2019/03/12/\r\n"
      "T2  - Journal of Cranes\r\nSP  - 10\r\nEP  - 20\r\nKW  - crane\r\nKW  - rope\r\nAB  - We lift things.\r\nER  "
      "-\r\n\r\n"
      "TY  - BOOK\r\nTI  - Rope\r\nER  - \r\n";
  EXPECT_EQ(block_texts(read_text("export.txt", ris)),
            (Lines{"The Harbour of Malmö", "- Authors: Lind, Bo; Weber, Ann", "- Year: 2019",
                   "- In: Journal of Cranes, pages 10-20", "- Kind: article", "- Keywords: crane, rope",
                   "We lift things.", "Rope", "- Kind: book"}));
}

TEST(References, DamageIsHarmless) {
  test::expect_damage_is_harmless("a.bib", kBibtex, 200);
}

}  // namespace
}  // namespace mneme::readers
