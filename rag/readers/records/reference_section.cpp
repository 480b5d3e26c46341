#include "rag/readers/records/reference_section.h"

#include <string_view>

namespace mneme::readers {
namespace {

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string all;
  for (const std::string& part : parts) {
    const std::string clean = clean_text(part);
    if (!clean.empty()) all.append(all.empty() ? "" : between).append(clean);
  }
  return all;
}

// "Journal of Cranes, volume 3, number 2, pages 10-20"
std::string place_of(const Reference& reference) {
  std::string place = clean_text(reference.in);
  const auto add = [&](std::string_view word, const std::string& value) {
    const std::string clean = clean_text(value);
    if (!clean.empty()) place.append(place.empty() ? "" : ", ").append(word).append(" ").append(clean);
  };
  add("volume", reference.volume);
  add("number", reference.number);
  add("pages", reference.pages);
  return place;
}

}  // namespace

void write_reference(const Reference& reference, DocumentBuilder& builder) {
  const std::string authors = joined(reference.authors, "; ");
  const std::string title = clean_text(reference.title);
  if (title.empty() && authors.empty()) return;
  builder.set_lines(reference.line_begin, reference.line_end);
  builder.heading(2, title.empty() ? "Untitled, by " + authors : title);
  const auto add = [&](std::string_view label, const std::string& value) {
    const std::string clean = clean_text(value);
    if (!clean.empty()) builder.list_item(std::string(label) + ": " + clean);
  };
  add("Authors", authors);
  add("Editors", joined(reference.editors, "; "));
  add("Year", reference.year);
  add("In", place_of(reference));
  add("Publisher", reference.publisher);
  add("Kind", reference.kind);
  add("DOI", reference.doi);
  add("ISBN", reference.isbn);
  add("Link", reference.link);
  add("Keywords", joined(reference.keywords, ", "));
  add("Key", reference.key);
  builder.paragraph(reference.abstract);
  builder.paragraph(reference.note);
}

}  // namespace mneme::readers
