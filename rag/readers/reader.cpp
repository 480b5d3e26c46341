#include "rag/readers/reader.h"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>

#include "rag/readers/file_source.h"
#include "rag/readers/format_list.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {
namespace {

constexpr size_t kBeginning = 4096;

Status too_large(std::string_view name, uint64_t size_bytes, uint64_t limit_bytes) {
  return resource_error(printable(name) + " is " + std::to_string(size_bytes >> 20) + " MiB, over the limit of " +
                        std::to_string(limit_bytes >> 20) + " MiB for one file of its kind; it was left out.");
}

bool is_wide(std::string_view beginning) {
  return beginning.find('\0') != std::string_view::npos;
}

// Of files that are read whole. Texts in the file's own bytes come to as many; UTF-16 and UTF-32, which have zeros, and
// escapes of JSON to a quarter at least. Calendars and contacts, with folds and pictures that are left out, are read up
// to four times the limit.
bool holds_too_much_text(std::string_view name, std::string_view beginning, uint64_t size, const ReadLimits& limits) {
  static constexpr std::array<std::string_view, 6> kOwnText = {"text",     "markdown", "rst",
                                                               "asciidoc", "csv",      rag::kSourceFormat};
  static constexpr std::array<std::string_view, 3> kShrinking = {"json", "ics", "vcf"};
  const Format* format = find_format(name, beginning);
  const auto is_one_of = [&](const auto& formats) {
    return format && std::find(formats.begin(), formats.end(), format->name) != formats.end();
  };
  const bool shrinks = is_one_of(kShrinking);
  if (!shrinks && !is_one_of(kOwnText)) return false;
  return size / (shrinks || is_wide(beginning) ? 4 : 1) > limits.text_bytes;
}

Status unknown(std::string_view name, std::string_view beginning) {
  if (beginning.starts_with("\xcf\xad\x12\xfe")) {
    return unsupported(printable(name) +
                       " is a mail store of Outlook Express, which is not read; save its messages as "
                       "files to index them.");
  }
  return unsupported(printable(name) + ": binary data of no known document format.");
}

// Whether a file of this format is read by pieces. Text in units of two or four bytes is not cut into parts: what says
// so stands at its beginning.
bool is_read_by_pieces(const Format& format, std::string_view beginning, uint64_t size_bytes,
                       const ReadLimits& limits) {
  if (format.is_container()) return true;
  return format.by_pieces != nullptr && size_bytes > limits.text_bytes && !is_wide(beginning);
}

Result<std::string> whole(ReadContext& context, const std::string& name, ByteSource& source, uint64_t most_bytes) {
  std::string bytes(static_cast<size_t>(std::min(source.size(), most_bytes)), '\0');
  MNEME_ASSIGN_OR_RETURN(const size_t got, context.fetch(name, source, 0, bytes));
  bytes.resize(got);
  return bytes;
}

// What look_at() says, but for texts: how much of one is left out shows as it is read.
Status look_at_kind(std::string_view name, std::string_view beginning, uint64_t size_bytes, const ReadLimits& limits) {
  if (size_bytes == 0) return unsupported(printable(name) + " is empty.");
  const uint64_t most = std::max(limits.file_bytes, limits.container_bytes);
  if (size_bytes > most) return too_large(name, size_bytes, most);
  const Format* format = find_format(name, beginning);
  if (format != nullptr && is_read_by_pieces(*format, beginning, size_bytes, limits)) {
    return size_bytes > limits.container_bytes ? too_large(name, size_bytes, limits.container_bytes) : Status();
  }
  if (format == nullptr) return unknown(name, beginning);
  return size_bytes > limits.file_bytes ? too_large(name, size_bytes, limits.file_bytes) : Status();
}

}  // namespace

Status look_at(std::string_view name, std::string_view beginning, uint64_t size_bytes, const ReadLimits& limits) {
  MNEME_RETURN_IF_ERROR(look_at_kind(name, beginning, size_bytes, limits));
  const Format* format = find_format(name, beginning);
  const bool in_pieces = format != nullptr && is_read_by_pieces(*format, beginning, size_bytes, limits);
  return !in_pieces && holds_too_much_text(name, beginning, size_bytes, limits) ? too_much_text(name, limits)
                                                                                : Status();
}

Status dispatch(ReadContext& context, Input input) {
  MNEME_RETURN_IF_ERROR(context.check(input.name));
  if (input.bytes.empty()) return unsupported(printable(input.name) + " is empty.");
  const Format* format = find_format(input.name, input.bytes);
  if (!format) return unknown(input.name, input.bytes);
  const std::string_view beginning = std::string_view(input.bytes).substr(0, kBeginning);
  if (!is_read_by_pieces(*format, beginning, input.bytes.size(), context.limits())) {
    return format->read(context, std::move(input));
  }
  MemorySource source(input.bytes);
  return format->by_pieces(context, input.name, source);
}

Status dispatch_source(ReadContext& context, const std::string& name, ByteSource& source) {
  MNEME_ASSIGN_OR_RETURN(const std::string beginning, whole(context, name, source, kBeginning));
  MNEME_RETURN_IF_ERROR(look_at_kind(name, beginning, source.size(), context.limits()));
  const Format* format = find_format(name, beginning);
  if (format != nullptr && is_read_by_pieces(*format, beginning, source.size(), context.limits())) {
    return format->by_pieces(context, name, source);
  }
  MNEME_ASSIGN_OR_RETURN(std::string bytes, whole(context, name, source, context.limits().file_bytes));
  return dispatch(context, Input{.name = name, .bytes = std::move(bytes)});
}

Status read_from(std::string_view name, ByteSource& source, const ReadLimits& limits, const DocumentSink& sink,
                 const MemberWalk* walk) {
  ReadContext context(limits, sink, walk);
  return dispatch_source(context, std::string(name), source);
}

Status read_file(const std::string& path, const ReadLimits& limits, const DocumentSink& sink) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<FileSource> source, FileSource::open(path, limits));
  MNEME_RETURN_IF_ERROR(look_at(path, source->beginning(), source->size(), limits));
  MNEME_RETURN_IF_ERROR(read_from(path, *source, limits, sink));
  return source->unchanged();
}

Status read_bytes(std::string_view name, ByteSpan bytes, const ReadLimits& limits, const DocumentSink& sink) {
  MemorySource source(as_text(bytes));
  return read_from(name, source, limits, sink);
}

Result<rag::Document> read_document(std::string_view name, ByteSpan bytes, const ReadLimits& limits) {
  rag::Document document;
  bool found = false;
  MNEME_RETURN_IF_ERROR(read_bytes(name, bytes, limits, [&](ReadItem item) -> Status {
    MNEME_RETURN_IF_ERROR(item.status);
    if (!item.member.empty() || found) {
      return unsupported(printable(name) + " holds several documents; read it as a container.");
    }
    found = true;
    document = std::move(item.document);
    return {};
  }));
  if (!found) return unsupported(printable(name) + " holds no document.");
  return document;
}

}  // namespace mneme::readers
