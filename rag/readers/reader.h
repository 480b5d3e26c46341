// Documents in: turns a file of any supported format into text with structure (rag/document.h).
// The format is chosen by content first and by extension where content does not tell. Containers (zip, tar, mbox) give
// several documents, one after another, through a sink, so that only one is in memory at a time. They are read by
// pieces, as are long texts, tables and logs, which come in parts of whole lines: such files may be larger than memory.
// Everything a file claims is bounded by ReadLimits; a hostile file ends in a Status with one sentence, never in a
// crash or a huge allocation. Ownership: inputs are borrowed for the call. Threads: all functions are reentrant.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/status.h"
#include "rag/document.h"
#include "rag/readers/byte_source.h"

namespace mneme::readers {

struct ReadLimits {
  uint64_t file_bytes = uint64_t{256} << 20;       // a file read whole, and each member of a container
  uint64_t container_bytes = uint64_t{256} << 20;  // a file read by pieces: archive, mailbox, text in parts
  uint64_t text_bytes = uint64_t{128} << 20;       // text of one document; longer text, csv and json come in parts
  uint64_t unpacked_bytes = uint64_t{1} << 30;     // all that decompression of one file may give, nested ones included;
                                                   // more of a large container (container_limits.h)
  uint64_t memory_bytes = uint64_t{2} << 30;       // address space of a child process (pdftotext, tesseract)
  int members = 100'000;                           // files in an archive, messages in a mailbox; more of a large one
  int container_depth = 4;                         // archives in archives
  int structure_depth = 200;                       // nesting of HTML, XML and JSON
  int pages = 100'000;                             // of a PDF; further ones are left out with a note
  // For a file that is no container, and for each member of one; ten times that with OCR. A container as a whole gets
  // more by its size. What the sink and the disk take is not counted.
  std::chrono::milliseconds time{60'000};
  bool ocr = false;                     // recognise scans with Tesseract where it is installed
  const CancelToken* cancel = nullptr;  // polled between pages, members, and pieces of large files
};

// One document out of a file. For the file itself `member` is empty; inside containers it is the path in the archive
// ("notes/a.md", nested "inner.zip/b.md"), the message ("message 12") or the part of a text ("part 3"), as UTF-8.
struct ReadItem {
  std::string member;
  Status status;           // why this member could not be read; ok otherwise
  rag::Document document;  // meaningless unless status is ok
};

// Takes each document; a failure it returns stops the reading and is what read_file() gives.
using DocumentSink = std::function<Status(ReadItem item)>;

// For going on where the reading of a container ended: which of its outermost members are read, and who is told.
struct MemberWalk {
  uint64_t passed_over = 0;  // the first so many are not read
  // Before one is read: its number, from 1, and its label. A failure stops the reading.
  std::function<Status(uint64_t number, const std::string& label)> begins;
};

// Reads a file from disk. Only regular files are opened (never a pipe or device). `path` is bytes, any encoding.
// Errors: kNotFound, kIo; kUnsupported for binary and unknown formats, encrypted files and scans without text;
// kCorruption for damaged ones; kResource over a limit (size, time, nesting); kBusy when the file changed while being
// read; kCancelled. Members of a container fail on their own, through the sink.
Status read_file(const std::string& path, const ReadLimits& limits, const DocumentSink& sink);

// The same from any source of bytes, without opening anything. `name` is a file name or path: its extension helps, its
// stem is the title of last resort. walk: borrowed; null: everything is read.
Status read_from(std::string_view name, ByteSource& source, const ReadLimits& limits, const DocumentSink& sink,
                 const MemberWalk* walk = nullptr);

// What reading would refuse a file for by its size or beginning (the first 4 KiB, or all of it) alone: a large file
// need not be read for that.
Status look_at(std::string_view name, std::string_view beginning, uint64_t size_bytes, const ReadLimits& limits);

// The same from memory.
Status read_bytes(std::string_view name, ByteSpan bytes, const ReadLimits& limits, const DocumentSink& sink);

// For files that hold exactly one document (all but archives and mailboxes; those give kUnsupported).
Result<rag::Document> read_document(std::string_view name, ByteSpan bytes, const ReadLimits& limits = {});

// What a file would be read as: "markdown", "pdf", "zip"...; "" when it is binary, empty or unknown. Cheap: looks at
// the name and at `beginning`, the first bytes of the file (4 KiB are plenty).
std::string_view detect_format(std::string_view name, ByteSpan beginning);

// False for names that are known not to be documents (images, programs, fonts, archives nobody reads...), so that an
// indexer need not open them. True says nothing: content decides.
bool worth_opening(std::string_view name);

}  // namespace mneme::readers
