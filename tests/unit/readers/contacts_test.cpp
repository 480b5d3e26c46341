#include <gtest/gtest.h>

#include <string>

#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using test::block_text;
using test::expect_well_formed;
using test::read_text;

TEST(Contacts, CardsOfEveryVersion) {
  const rag::Document document = read_text(
      "people.vcf",
      "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Dr. Anna Weber\r\nN:Weber;Anna;;Dr.;\r\nORG:Praxis Weber;Teeth\r\n"
      "TEL;VALUE=uri;TYPE=\"voice,work\":tel:+49-30-123\r\nTEL;TYPE=cell:0171 5\r\nEMAIL;TYPE=work:anna@example.org\r\n"
      "ADR;TYPE=home:;;Hauptstr. 5;Berlin;;10115;Germany\r\nBDAY:--0303\r\n"
      "NOTE:Closed on Wednesdays\\,\r\n  call before.\r\nPHOTO:data:image/png;base64,AAAA\r\nEND:VCARD\r\n"
      "BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCl=\nler;Eva\nTEL;WORK;FAX:12\n"
      "BDAY:1980-05-17T00:00:00Z\nPHOTO;ENCODING=BASE64:AAAA\n BBBB\n\nEND:VCARD\n"
      "BEGIN:VCARD\nVERSION:3.0\nFN:Mill\nitem1.URL:http://example.org\nitem1.X-ABLabel:_$!<HomePage>!$_\nEND:VCARD\n");
  EXPECT_EQ(document.text,
            "Dr. Anna Weber\n\n- Organisation: Praxis Weber, Teeth\n- Telephone (work): +49-30-123\n"
            "- Telephone (mobile): 0171 5\n- Mail (work): anna@example.org\n"
            "- Address (home): Hauptstr. 5, Berlin, 10115, Germany\n- Birthday: 3 March\n"
            "- Note: Closed on Wednesdays, call before.\n\n"
            "Eva Müller\n\n- Telephone (work, fax): 12\n- Birthday: 17 May 1980\n\n"
            "Mill\n\n- Link (homepage): http://example.org");
  EXPECT_EQ(document.title, "people");
  EXPECT_EQ(document.format, "vcf");
  EXPECT_EQ(document.blocks[7].line_begin, 11);
  EXPECT_EQ(document.blocks[7].line_end, 12);
  EXPECT_EQ(document.blocks[8].line_begin, 17);
  EXPECT_EQ(document.blocks[8].line_end, 18);
  expect_well_formed(document, false);
}

TEST(Contacts, ACardAloneIsCalledByItsName) {
  EXPECT_EQ(read_text("a1", "BEGIN:VCARD\nFN:Anna Weber\nTEL:1\nEND:VCARD\n").title, "Anna Weber");
  EXPECT_EQ(read_text("a1.vcf", "BEGIN:VCARD\nORG:Mill\\; Sons\nEND:VCARD\n").title, "Mill; Sons");
}

TEST(Contacts, DamagedOnesAreReadAsFarAsTheyGo) {
  const rag::Document cut =
      read_text("a.vcf", "BEGIN:VCARD\nFN:One\nTEL\nBDAY:soon\nBEGIN:VCARD\nFN:\nEMAIL:two@example.org\nADR:;;");
  EXPECT_EQ(cut.text, "One\n\n- Birthday: soon\n\ntwo@example.org\n\n- Mail: two@example.org");
  EXPECT_EQ(cut.notes, std::vector<std::string>{"the file ends in the middle of a card"});
  EXPECT_EQ(read_document("a.vcf", as_bytes("nothing of the kind")).status().code(), StatusCode::kCorruption);
  EXPECT_EQ(read_document("a.vcf", as_bytes("BEGIN:VCARD\nEND:VCARD\n")).status().code(), StatusCode::kUnsupported);
}

}  // namespace
}  // namespace mneme::readers
