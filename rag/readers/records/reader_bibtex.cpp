// BibTeX and BibLaTeX: each entry a section (reference_section.h), its values as TeX shows them.
#include <algorithm>
#include <string>
#include <utility>

#include "rag/readers/format_list.h"
#include "rag/readers/records/bibtex_entries.h"
#include "rag/readers/records/record_readers.h"
#include "rag/readers/records/reference_section.h"
#include "rag/readers/tex/tex_words.h"
#include "rag/readers/text_decoding.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

std::string told(const std::string& tex) {
  return TexWords().text(tex);
}

std::string first_of(const BibtexEntry& entry, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    std::string value = entry.field(name);
    if (!trim(value).empty()) return told(value);
  }
  return {};
}

// "Knuth, Donald and Ann Weber": names in either order.
std::vector<std::string> people(const std::string& names) {
  std::vector<std::string> all;
  constexpr size_t kMost = 500;
  for (size_t at = 0; at < names.size() && all.size() < kMost;) {
    size_t end = names.find(" and ", at);
    const size_t broken = names.find(" and\n", at);
    end = std::min({end, broken, names.size()});
    std::string name = told(names.substr(at, end - at));
    if (const size_t comma = name.find(", "); comma != name.npos && name.find(", ", comma + 2) == name.npos) {
      name = name.substr(comma + 2) + " " + name.substr(0, comma);
    }
    all.push_back(std::move(name));
    at = end + 5;
  }
  return all;
}

Reference reference_of(const BibtexEntry& entry) {
  Reference reference;
  reference.key = entry.key;
  reference.kind = entry.kind;
  reference.title = first_of(entry, {"title"});
  if (const std::string below = first_of(entry, {"subtitle"}); !below.empty()) reference.title += ": " + below;
  reference.authors = people(entry.field("author"));
  reference.editors = people(entry.field("editor"));
  reference.year = first_of(entry, {"year", "date"});
  reference.in = first_of(entry, {"journal", "journaltitle", "booktitle", "series", "school", "institution"});
  reference.volume = first_of(entry, {"volume"});
  reference.number = first_of(entry, {"number", "issue"});
  reference.pages = first_of(entry, {"pages"});
  reference.publisher = first_of(entry, {"publisher", "organization", "howpublished"});
  reference.doi = entry.field("doi");
  reference.link = entry.field("url");
  reference.isbn = entry.field("isbn");
  reference.keywords = {first_of(entry, {"keywords", "keyword"})};
  reference.abstract = first_of(entry, {"abstract"});
  reference.note = first_of(entry, {"note", "annote", "annotation"});
  return reference;
}

}  // namespace

Status read_bibtex(ReadContext& context, Input input) {
  auto decoded = decode_text(input.bytes);
  if (!decoded.ok()) return decoded.status().with_context(printable(input.name) + ": ");
  const std::string_view text = decoded->text;
  rag::Document document;
  document.format = "references";
  DocumentBuilder builder(document, context.limits().text_bytes);
  BibtexCursor cursor(text);
  BibtexEntry entry;
  size_t counted = 0;
  int line = 1;
  const auto line_of = [&](size_t at) {
    line += static_cast<int>(
        std::count(text.begin() + static_cast<ptrdiff_t>(counted), text.begin() + static_cast<ptrdiff_t>(at), '\n'));
    counted = at;
    return line;
  };
  while (!builder.full() && cursor.next(entry)) {
    MNEME_RETURN_IF_ERROR(context.check(input.name));
    Reference reference = reference_of(entry);
    reference.line_begin = line_of(entry.begin);
    reference.line_end = line_of(entry.end);
    write_reference(reference, builder);
  }
  // Others are called so, too: a style of TeX's, notes.
  if (builder.empty()) return read_source(context, std::move(input));
  return context.emit(input.name, std::move(document));
}

}  // namespace mneme::readers
