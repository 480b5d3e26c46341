#include "tests/support/make_files.h"

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>
#include <zip.h>

#include <cstdio>
#include <cstring>

namespace mneme::readers::test {

std::string make_zip(const Members& members, const std::string& password) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* target = zip_source_buffer_create(nullptr, 0, 0, &error);
  zip_source_keep(target);
  zip_t* archive = zip_open_from_source(target, ZIP_TRUNCATE, &error);
  EXPECT_NE(archive, nullptr);
  for (const auto& [name, content] : members) {
    zip_source_t* source = zip_source_buffer(archive, content.data(), content.size(), 0);
    const zip_int64_t index = zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
    EXPECT_GE(index, 0);
    const auto entry = static_cast<zip_uint64_t>(index);
    if (name == "mimetype") zip_set_file_compression(archive, entry, ZIP_CM_STORE, 0);
    if (!password.empty()) zip_file_set_encryption(archive, entry, ZIP_EM_TRAD_PKWARE, password.c_str());
  }
  EXPECT_EQ(zip_close(archive), 0);
  zip_stat_t info;
  zip_source_stat(target, &info);
  std::string bytes(info.size, '\0');
  zip_source_open(target);
  zip_source_read(target, bytes.data(), bytes.size());
  zip_source_close(target);
  zip_source_free(target);
  return bytes;
}

std::string make_tar(const Members& members, bool gzip) {
  archive* writer = archive_write_new();
  archive_write_set_format_pax_restricted(writer);
  if (gzip) archive_write_add_filter_gzip(writer);
  std::string bytes(64 * 1024, '\0');
  for (const auto& member : members) bytes.resize(bytes.size() + member.second.size() + 4096);
  size_t used = 0;
  archive_write_open_memory(writer, bytes.data(), bytes.size(), &used);
  for (const auto& [name, content] : members) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0600);
    EXPECT_EQ(archive_write_header(writer, entry), ARCHIVE_OK);
    archive_write_data(writer, content.data(), content.size());
    archive_entry_free(entry);
  }
  archive_write_close(writer);
  archive_write_free(writer);
  bytes.resize(used);
  return bytes;
}

std::vector<PdfText> pdf_lines(double x, double y, const std::vector<std::string>& lines, double size) {
  std::vector<PdfText> texts;
  for (const std::string& line : lines) {
    texts.push_back({x, y, size, line});
    y -= 1.25 * size;
  }
  return texts;
}

std::string make_pdf(const std::vector<std::vector<PdfText>>& pages, const std::string& title) {
  std::vector<std::string> objects;  // object n is objects[n - 1]
  objects.emplace_back("<< /Type /Catalog /Pages 2 0 R >>");
  objects.emplace_back();  // the page tree, when all pages are known
  objects.emplace_back("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  objects.push_back("<< /Title (" + title + ") /Author (Ann Other) /CreationDate (D:20240531101500Z) >>");
  std::string kids;
  for (const auto& page : pages) {
    std::string content;
    for (const PdfText& text : page) {
      char place[96];
      std::snprintf(place, sizeof(place), "BT /F1 %.1f Tf %.1f %.1f Td (", text.size, text.x, text.y);
      content.append(place).append(text.text).append(") Tj ET\n");
    }
    objects.push_back("<< /Length " + std::to_string(content.size()) + " >>\nstream\n" + content + "endstream");
    const std::string content_id = std::to_string(objects.size());
    objects.push_back("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents " + content_id +
                      " 0 R /Resources << /Font << /F1 3 0 R >> >> >>");
    kids += std::to_string(objects.size()) + " 0 R ";
  }
  objects[1] = "<< /Type /Pages /Kids [" + kids + "] /Count " + std::to_string(pages.size()) + " >>";
  std::string pdf = "%PDF-1.4\n";
  std::vector<size_t> offsets;
  for (size_t i = 0; i < objects.size(); ++i) {
    offsets.push_back(pdf.size());
    pdf += std::to_string(i + 1) + " 0 obj\n" + objects[i] + "\nendobj\n";
  }
  const size_t table = pdf.size();
  pdf += "xref\n0 " + std::to_string(objects.size() + 1) + "\n0000000000 65535 f \n";
  for (const size_t offset : offsets) {
    char line[32];
    std::snprintf(line, sizeof(line), "%010zu 00000 n \n", offset);
    pdf += line;
  }
  pdf += "trailer\n<< /Size " + std::to_string(objects.size() + 1) + " /Root 1 0 R /Info 4 0 R >>\nstartxref\n" +
         std::to_string(table) + "\n%%EOF\n";
  return pdf;
}

std::string make_docx(const std::string& body_xml, const std::string& styles_xml) {
  Members members = {{"[Content_Types].xml", "<Types/>"},
                     {"word/document.xml", "<?xml version=\"1.0\"?><w:document xmlns:w=\"w\"><w:body>" + body_xml +
                                               "</w:body></w:document>"}};
  if (!styles_xml.empty()) {
    members.emplace_back("word/styles.xml", "<w:styles xmlns:w=\"w\">" + styles_xml + "</w:styles>");
  }
  members.emplace_back(
      "docProps/core.xml",
      "<cp:coreProperties xmlns:cp=\"c\" xmlns:dc=\"d\" xmlns:dcterms=\"t\"><dc:title>The Report</dc:title>"
      "<dc:creator>Ann Other</dc:creator><dcterms:created>2024-05-31T10:00:00Z</dcterms:created>"
      "</cp:coreProperties>");
  return make_zip(members);
}

}  // namespace mneme::readers::test
