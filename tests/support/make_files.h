// Builds small files of binary formats in memory, for tests: zips with chosen members, PDFs with chosen text.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace mneme::readers::test {

using Members = std::vector<std::pair<std::string, std::string>>;

// `password`: encrypts all members (traditional or AES as the library has it); "" for none. Members are deflated,
// except one called "mimetype", which is stored first as the office formats ask.
std::string make_zip(const Members& members, const std::string& password = {});

std::string make_tar(const Members& members, bool gzip = false);

// Each page is a list of lines, set in one column from the top; an empty page has no text at all.
struct PdfText {
  double x = 72;
  double y = 700;
  double size = 11;
  std::string text;  // ASCII without brackets and backslashes
};
std::string make_pdf(const std::vector<std::vector<PdfText>>& pages, const std::string& title = {});

// A paragraph of lines below each other.
std::vector<PdfText> pdf_lines(double x, double y, const std::vector<std::string>& lines, double size = 11);

std::string make_docx(const std::string& body_xml, const std::string& styles_xml = {});

}  // namespace mneme::readers::test
