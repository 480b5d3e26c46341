#include "rag/indexing/better_readers.h"

#include <charconv>
#include <limits>
#include <string>
#include <vector>

#include "storage/catalogue/catalogue.h"

namespace mneme::rag {

namespace {

constexpr std::string_view kVersion = "indexing.readers_version";  // of what all documents were read by
constexpr BetterReader kBetter[] = {
    {1, "pdf"},  // columns, tables, headings with their numbers
    // Tables that lay out text, forms, numbers in other scripts, what is embedded; cells without references, seconds.
    {2, "docx"},
    {2, "doc"},
    {2, "odt"},
    {2, "xlsx"},
    {2, "xls"},
    {2, "ods"},
    {2, "pptx"},
    {2, "odp"},
    {3, "html"},  // articles without what stands around them, lists of links, formulas, titles and dates
    {3, "epub"},  // formulas, chapters that only the contents name, readings of characters
    {3, "mobi"},
    {3, "mhtml"},
    {3, "rtf"},  // old code pages, boxes, hidden text
    {4, "eml"},  // names of attachments, what is signed, old dates and programs
    {4, "msg"},
    {4, "text"},  // mail that was saved as text, and mailboxes of lists and Apple's
    {4, "ics"},   // who has accepted, what is cancelled
    // Chats of all countries and of more programs, notes by the programs that export them, days of notes.
    {5, "chat"},
    {5, "text"},
    {5, "markdown"},
    {5, "json"},
    {5, "xml"},
    {5, "html"},
    {5, "enex"},
    {5, "csv"},
    {5, "rst"},
    // Appointments, tasks, contacts and notes; what Office files embed; pages that begin with a byte order mark.
    {6, "msg"},
    {6, "docx"},
    {6, "xlsx"},
    {6, "pptx"},
    {6, "odt"},
    {6, "ods"},
    {6, "odp"},
    {6, "pdf"},  // what is attached
    {6, "html"},
    {6, "source"},  // BibTeX
    {6, "text"},    // statements, references and documents of AbiWord, which were taken for texts
    {6, "xml"},
};

Result<int> version_of(storage::Catalogue& catalogue) {
  MNEME_ASSIGN_OR_RETURN(const std::optional<std::string> stored, catalogue.setting(kVersion));
  int version = 0;  // before there was one
  if (stored) std::from_chars(stored->data(), stored->data() + stored->size(), version);
  return version;
}

Status mark(storage::Catalogue& catalogue, const storage::DocumentRecord& document) {
  storage::FileState unlike = document.file;
  unlike.mtime_ns = -1;
  const Status set = catalogue.set_file_state(document.id, unlike, {});
  return set.code() == StatusCode::kNotFound ? Status() : set;  // another program took it out
}

}  // namespace

std::span<const BetterReader> better_readers() {
  return kBetter;
}

Status mark_for_better_readers(storage::Catalogue& catalogue, std::span<const BetterReader> better) {
  MNEME_ASSIGN_OR_RETURN(const int version, version_of(catalogue));
  if (better.empty() || version >= better.back().version) return {};
  std::vector<std::string_view> formats;
  for (const BetterReader& one : better) {
    if (one.version > version) formats.push_back(one.format);
  }
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::CollectionRecord> collections, catalogue.list_collections());
  for (const storage::CollectionRecord& collection : collections) {
    MNEME_ASSIGN_OR_RETURN(const std::vector<storage::DocumentRecord> documents,
                           catalogue.documents_of_formats(collection.id, formats, std::numeric_limits<int>::max()));
    for (const storage::DocumentRecord& document : documents) MNEME_RETURN_IF_ERROR(mark(catalogue, document));
  }
  return catalogue.put_setting(kVersion, std::to_string(better.back().version));
}

}  // namespace mneme::rag
