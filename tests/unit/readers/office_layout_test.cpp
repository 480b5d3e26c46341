// What people see on pages of office documents: tables that lay out text, forms, hidden text, what is embedded.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/readers/office_package.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using test::link_to;
using test::links;
using test::make_docx;
using test::make_zip;
using test::Members;
using test::part_of;
using test::read_text;

std::string run(const std::string& text, const std::string& properties = {}) {
  return "<w:r>" + (properties.empty() ? "" : "<w:rPr>" + properties + "</w:rPr>") + "<w:t xml:space=\"preserve\">" +
         text + "</w:t></w:r>";
}

std::string para(const std::string& text) {
  return "<w:p>" + run(text) + "</w:p>";
}

std::string cell(const std::string& content) {
  return "<w:tc>" + content + "</w:tc>";
}

std::string table(const std::string& rows) {
  return "<w:tbl>" + rows + "</w:tbl>";
}

std::string row(const std::string& cells) {
  return "<w:tr>" + cells + "</w:tr>";
}

std::string docx_text(const std::string& body) {
  return read_text("a.docx", make_docx(body)).text;
}

TEST(DocxLayout, ATableAroundTextIsReadAsText) {
  const std::string inner =
      table(row(cell(para("Rent")) + cell(para("900 EUR"))) + row(cell(para("Heating")) + cell(para("80 EUR"))));
  EXPECT_EQ(docx_text(table(row(cell(para("Dear tenant,") + para("the rent is due.") + inner)))),
            "Dear tenant,\n\nthe rent is due.\n\nRent | 900 EUR\nHeating | 80 EUR");
  // A form: a label, and many paragraphs beside it.
  std::string many;
  for (int i = 0; i < 4; ++i) many += para("Paragraph " + std::to_string(i) + std::string(150, 'x'));
  const std::string form = docx_text(table(row(cell(para("Purpose")) + cell(many))));
  EXPECT_TRUE(form.starts_with("Purpose\n\nParagraph 0x")) << form;
}

TEST(DocxLayout, RowsOfCellsThatBelongTogetherStayRows) {
  EXPECT_EQ(docx_text(table(row(cell(para("Landlord")) + cell(para("Weber Estates") + para("Lindenweg 4"))) +
                            row(cell(para("a")) + cell(para("b")) + cell(para("c") + para("d"))) +
                            row(cell(para("One line"))))),
            "Landlord | Weber Estates Lindenweg 4\na | b | c d\nOne line");
  // What a merged cell says of the rows below it stays with them.
  const auto merged = [](const std::string& text, const std::string& how) {
    return "<w:tc><w:tcPr><w:vMerge" + how + "/></w:tcPr>" + para(text) + "</w:tc>";
  };
  EXPECT_EQ(docx_text(table(row(merged("Floor 2", " w:val=\"restart\"") + cell(para("a") + para("b"))) +
                            row(merged("", "") + cell(para("c") + para("d"))))),
            "Floor 2 | a b\nFloor 2 | c d");
}

TEST(DocxLayout, FormFieldsSayWhatWasTickedAndChosen) {
  const auto field = [](const std::string& data, const std::string& result) {
    return "<w:r><w:fldChar w:fldCharType=\"begin\"><w:ffData>" + data + "</w:ffData></w:fldChar></w:r>" +
           "<w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>" + result +
           "<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>";
  };
  const std::string list =
      "<w:ddList><w:result w:val=\"1\"/><w:listEntry w:val=\"single\"/><w:listEntry w:val=\"married\"/></w:ddList>";
  EXPECT_EQ(docx_text("<w:p>" + run("Children ") + field("<w:checkBox><w:default w:val=\"1\"/></w:checkBox>", "") +
                      run(", pets ") + field("<w:checkBox><w:checked w:val=\"0\"/></w:checkBox>", "") +
                      run(", status ") + field(list, "") + run(" or ") + field(list, run("widowed")) + "</w:p>"),
            "Children ☒, pets ☐, status married or widowed");
}

TEST(DocxLayout, PromptsAndHiddenTextAreNotTold) {
  const std::string prompt = "<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>" +
                             run("Click here to enter text.") + "</w:sdtContent></w:sdt>";
  const std::string filled = "<w:sdt><w:sdtPr/><w:sdtContent>" + run("Ann Other") + "</w:sdtContent></w:sdt>";
  EXPECT_EQ(docx_text("<w:p>" + run("Name: ") + filled + run(" Phone: ") + prompt + run("secret", "<w:vanish/>") +
                      run("none", "<w:vanish w:val=\"0\"/>") + "</w:p>"),
            "Name: Ann Other Phone: none");
}

TEST(DocxLayout, ShapesOfDrawingsStandApartAndWordsSetAsPicturesAreRead) {
  EXPECT_EQ(docx_text("<w:p>" + run("Our model:") +
                      "<w:r><w:drawing><a:txBody><a:p><a:r><a:t>items</a:t></a:r></a:p></a:txBody>"
                      "<a:txBody><a:p><a:r><a:t>data</a:t></a:r></a:p></a:txBody></w:drawing></w:r>"
                      "<w:r><w:pict><v:shape><v:textpath string=\"Open day\"/></v:shape></w:pict></w:r></w:p>"),
            "Our model:\n\nitems\n\ndata\n\nOpen day");
}

TEST(DocxLayout, FieldsOfHeadersAreToldUnlessTheyCount) {
  Members members = test::docx_parts();
  const auto field = [](const std::string& instruction, const std::string& shows) {
    return "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText> " + instruction +
           " </w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>" + run(shows) +
           "<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>";
  };
  part_of(members, "word/header1.xml") = "<w:hdr xmlns:w=\"w\" xmlns:v=\"v\"><w:p>" +
                                         field("DOCPROPERTY Case", "File 34 972") + run(" of the court, page ") +
                                         field("PAGE \\* MERGEFORMAT", "7") +
                                         "</w:p><w:p><w:r><w:pict><v:textpath string=\"DRAFT\"/></w:pict></w:r></w:p>"
                                         "</w:hdr>";
  const std::string text = read_text("a.docx", make_zip(members)).text;
  EXPECT_TRUE(text.ends_with("Headers and footers\n\nFile 34 972 of the court, page\n\nDRAFT")) << text;
}

std::string odt_text(const std::string& body, const Members& more = {}) {
  Members members = test::odt_parts();
  part_of(members, "content.xml") =
      "<office:document-content xmlns:office=\"o\" xmlns:text=\"t\" xmlns:table=\"tb\" xmlns:draw=\"d\" "
      "xmlns:svg=\"s\" "
      "xmlns:xlink=\"x\"><office:body><office:text>" +
      body + "</office:text></office:body></office:document-content>";
  part_of(members, "styles.xml") = "<office:document-styles xmlns:office=\"o\"/>";
  members.insert(members.end(), more.begin(), more.end());
  return read_text("a.odt", make_zip(members)).text;
}

std::string odf_para(const std::string& text) {
  return "<text:p>" + text + "</text:p>";
}

TEST(OpenDocumentLayout, ATableAroundTextIsReadAsText) {
  const auto cell_of = [](const std::string& content) {
    return "<table:table-cell>" + content + "</table:table-cell>";
  };
  const auto row_of = [](const std::string& cells) { return "<table:table-row>" + cells + "</table:table-row>"; };
  const std::string inner =
      "<table:table>" + row_of(cell_of(odf_para("Rent")) + cell_of(odf_para("900 EUR"))) + "</table:table>";
  EXPECT_EQ(
      odt_text("<table:table>" +
               row_of(cell_of("<text:h text:outline-level=\"2\">Lease</text:h>" + odf_para("Dear tenant,") + inner)) +
               row_of(cell_of(odf_para("Place")) + cell_of(odf_para("Ulm") + odf_para("Germany"))) + "</table:table>"),
      "Lease\n\nDear tenant,\n\nRent | 900 EUR\nPlace | Ulm Germany");
  const std::string both = odf_para("a") + odf_para("b");
  EXPECT_EQ(odt_text("<table:table>" +
                     row_of("<table:table-cell table:number-rows-spanned=\"2\">" + odf_para("Floor 2") +
                            "</table:table-cell>" + cell_of(both)) +
                     row_of("<table:covered-table-cell/>" + cell_of(both)) +
                     row_of("<table:table-cell table:number-columns-spanned=\"2\">" + both +
                            "</table:table-cell><table:covered-table-cell/>") +
                     "</table:table>"),
            "Floor 2 | a b\nFloor 2 | a b\n\na\n\nb");
}

TEST(OpenDocumentLayout, DescriptionsPromptsAndWhatIsHiddenAreNoWordsOfTheText) {
  EXPECT_EQ(odt_text(odf_para("be<draw:frame><draw:image/><svg:title>Logo</svg:title><svg:desc>A crane</svg:desc>"
                              "</draw:frame>fore <text:title>Lease</text:title><text:placeholder>&lt;Name&gt;"
                              "</text:placeholder><text:script>Sub Main</text:script>") +
                     "<text:section text:display=\"none\">" + odf_para("never shown") + "</text:section>" +
                     "<text:section text:display=\"condition\">" + odf_para("shown now") + "</text:section>" +
                     "<text:section text:display=\"condition\" text:is-hidden=\"true\">" + odf_para("not now") +
                     "</text:section>"),
            "before Lease\n\nshown now");
}

TEST(OpenDocumentLayout, ShapesStandBelowTheirLine) {
  EXPECT_EQ(odt_text(odf_para("The plan<draw:rect>" + odf_para("Gate") + "</draw:rect> of the yard.")),
            "The plan of the yard.\n\nGate");
}

TEST(OpenDocumentLayout, FormulasStandWithinTheirLineAndEmbeddedDocumentsBelow) {
  const auto frame = [](const std::string& name) {
    return "<draw:frame><draw:object xlink:href=\"./" + name + "\"/></draw:frame>";
  };
  const std::string body =
      "<office:document-content xmlns:office=\"o\" xmlns:table=\"tb\" xmlns:text=\"t\"><office:body>";
  const std::string end = "</office:body></office:document-content>";
  const Members objects = {
      {"Formula/content.xml",
       "<math xmlns=\"m\"><semantics><mrow><mi>m</mi></mrow><annotation encoding=\"StarMath 5.0\">E = m c^2 ~"
       "</annotation></semantics></math>"},
      {"Sheet/content.xml", body + "<office:spreadsheet><table:table><table:table-row><table:table-cell>" +
                                odf_para("Rent") + "</table:table-cell><table:table-cell>" + odf_para("900") +
                                "</table:table-cell></table:table-row></table:table></office:spreadsheet>" + end},
      {"Text/content.xml", body + "<office:text>" + odf_para("A letter within.") + "</office:text>" + end}};
  EXPECT_EQ(
      odt_text(odf_para("With " + frame("Formula") + " follows" + frame("Sheet") + frame("Text") + " this."), objects),
      "With E = m c^2 follows this.\n\nRent | 900\n\nA letter within.");
}

}  // namespace
}  // namespace mneme::readers
