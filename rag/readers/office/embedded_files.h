// The files that an Office file holds: a workbook in a letter, a PDF behind an icon on a slide. Each is read as a file
// of its own, as attachments of mail are. Workbooks that only keep the numbers of a chart are left out: the chart tells
// them. Internal to rag/readers. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "rag/readers/office/zip_package.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {

// Errors: only those that must stop the whole file.
Status read_embedded_files(ReadContext& context, ZipPackage& zip);

// What an object that a program embedded (OLE) holds, as a file; an empty name where it is none that is read.
struct EmbeddedFile {
  std::string name;
  std::string bytes;
};
// number: of the object, for those that have no name.
EmbeddedFile file_in_object(std::string bytes, size_t number);

}  // namespace mneme::readers
