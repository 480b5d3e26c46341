// Statements of banks, as programs and banks write them, in our own words.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/readers/office_pairs.h"

namespace mneme::readers {
namespace {

using test::block_texts;
using test::read_text;

using Lines = std::vector<std::string>;
const std::string kHead = "Date | Payee | Purpose | Amount";

const std::string kOfx =
    "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR\n"
    "<BANKACCTFROM><ACCTID>DE12 3456</BANKACCTFROM>\n<BANKTRANLIST>\n"
    "<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260312120000[0:GMT]\n<TRNAMT>-120.00<NAME>Pipe &amp; Sons\n<MEMO>repair of the "
    "tap\n"
    "</STMTTRN>\n<STMTTRN><DTPOSTED>20260313<TRNAMT>410.00<NAME>Lena<MEMO>Lena</STMTTRN></BANKTRANLIST>\n"
    "<LEDGERBAL><BALAMT>1200.00<DTASOF>20260331</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n";

TEST(Statements, OfxWithAndWithoutClosedTags) {
  const Lines expected = {"Bank account DE12 3456", kHead, "2026-03-12 | Pipe & Sons | repair of the tap | -120.00 EUR",
                          "2026-03-13 | Lena | | 410.00 EUR", "Balance on 2026-03-31: 1200.00 EUR"};
  const rag::Document document = read_text("a.qfx", kOfx);
  EXPECT_EQ(document.format, "statement");
  EXPECT_EQ(document.date, "2026-03-31") << "the last day that it tells";
  EXPECT_EQ(block_texts(document), expected);
  EXPECT_EQ(document.blocks[2].line_begin, 8);
  EXPECT_EQ(document.blocks[2].line_end, 11);
  const std::string xml =
      "<?xml version=\"1.0\"?><?OFX OFXHEADER=\"200\"?><OFX><STMTRS><CURDEF>EUR</CURDEF><STMTTRN><DTPOSTED>20260312"
      "</DTPOSTED><TRNAMT>-9.50</TRNAMT><NAME>Baker</NAME></STMTTRN></STMTRS></OFX>";
  EXPECT_EQ(block_texts(read_text("a.ofx", xml)), (Lines{kHead, "2026-03-12 | Baker | | -9.50 EUR"}));
}

TEST(Statements, QifInTheOrderOfItsDays) {
  const std::string american =
      "!Account\nNCurrent\nTBank\n^\n!Type:Bank\nD3/12'26\nT-1,120.00\nPPlumber\nMtap\nLHouse:Repairs\n^\n"
      "D3/25'26\nT5.00\nPLena\n^\n!Type:Cat\nNFood\n^\n";
  EXPECT_EQ(block_texts(read_text("a.qif", american)),
            (Lines{"Bank account Current", kHead, "2026-03-12 | Plumber | tap, House:Repairs | -1,120.00",
                   "2026-03-25 | Lena | | 5.00"}));
  const std::string german =
      "!Type:Bank\nD12.03.2026\nT-3,50\nPB\xc3\xa4"
      "cker\n^\nD01.04.26\nT-1,00\nPPost\n";
  EXPECT_EQ(read_text("a.qif", german).date, "2026-04-01");
  EXPECT_EQ(block_texts(read_text("a.qif", german)),
            (Lines{kHead, "2026-03-12 | Bäcker | | -3,50", "2026-04-01 | Post | | -1,00"}));
}

TEST(Statements, Mt940WithGermanFields) {
  const std::string statement =
      ":20:STARTUMSE\n:25:10020030/1234567\n:28C:00001/001\n:60F:C260301EUR1000,00\n"
      ":61:2603120312DR120,50N024NONREF\n:86:177?00UEBERWEISUNG?20Rechnung 22?21 Wasserhahn?32Rohr &\n Sohn?33 GmbH\n"
      ":61:2603130313C410,NMSC\n:86:Miete M\xc3\xa4rz\n:62F:C260331EUR1289,50\n-\n";
  EXPECT_EQ(block_texts(read_text("a.sta", statement)),
            (Lines{"Bank account 10020030/1234567", kHead,
                   "2026-03-12 | Rohr & Sohn GmbH | Rechnung 22 Wasserhahn | -120.50 EUR",
                   "2026-03-13 | | Miete März | 410.00 EUR", "Balance on 2026-03-31: 1289.50 EUR"}));
}

TEST(Statements, CamtNamesTheOtherSide) {
  const std::string entry =
      "<Ntry><Amt Ccy=\"EUR\">120.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><BookgDt><Dt>2026-03-12</Dt></BookgDt><NtryDtls>"
      "<TxDtls><RltdPties><Dbtr><Nm>Me</Nm></Dbtr><Cdtr><Pty><Nm>Plumber "
      "Ltd</Nm></Pty></Cdtr></RltdPties><RmtInf><Ustrd>"
      "invoice 22</Ustrd><Ustrd>tap</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>";
  const std::string statement =
      "<Document "
      "xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.08\"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE1</IBAN>"
      "</Id></Acct><Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy=\"EUR\">9.00</Amt><CdtDbtInd>CRDT"
      "</CdtDbtInd><Dt><Dt>2026-03-31</Dt></Dt></Bal>" +
      entry + "</Stmt></BkToCstmrStmt></Document>";
  EXPECT_EQ(block_texts(read_text("a.xml", statement)),
            (Lines{"Bank account DE1", kHead, "2026-03-12 | Plumber Ltd | invoice 22 tap | -120.50 EUR",
                   "Balance on 2026-03-31: 9.00 EUR"}));
}

TEST(Statements, WithoutPaymentsTheyAreRefused) {
  const auto document = read_document("a.qif", as_bytes(std::string_view("!Type:Bank\n^\n")));
  ASSERT_FALSE(document.ok());
  EXPECT_EQ(document.status().message(), "a.qif is a statement without payments.");
}

TEST(Statements, DamageIsHarmless) {
  test::expect_damage_is_harmless("a.ofx", kOfx, 200);
}

}  // namespace
}  // namespace mneme::readers
