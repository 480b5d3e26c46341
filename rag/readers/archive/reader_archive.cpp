// Archives (zip, tar and 7z, packed or not): every file in them is read as one of its own, with one of them in memory
// at a time. Nothing is written to disk, so that paths in an archive are only names; sizes, numbers and nesting are
// bounded.
#include <archive.h>
#include <archive_entry.h>

#include <string>
#include <utility>

#include "rag/readers/archive/archive_stream.h"
#include "rag/readers/archive/member_name.h"
#include "rag/readers/format_list.h"

namespace mneme::readers {
namespace {

std::string member_name(archive_entry* entry, const std::string& name, uint64_t number) {
  std::string label = safe_label(member_path(entry));
  // The raw format calls every file "data": name it after the archive, without ".gz".
  if (label == "data" || label.empty()) {
    label = stem_title(name);
    if (label.empty()) label = "member " + std::to_string(number);
  }
  return label;
}

bool wanted(archive_entry* entry, std::string_view label) {
  if (archive_entry_filetype(entry) != AE_IFREG) return false;
  if (!worth_opening(label)) return false;
  const size_t slash = label.rfind('/');
  const std::string_view file = slash == std::string_view::npos ? label : label.substr(slash + 1);
  return !file.starts_with('.') && !label.starts_with('.') && !label.starts_with("__MACOSX/") &&
         label.find("/.") == std::string_view::npos;
}

// Content of the current member. What fails is the member; what must stop the whole archive says so by the context.
Result<std::string> unpack(ReadContext& context, const ArchiveStream& stream, const std::string& label) {
  std::string content;
  const void* block = nullptr;
  size_t size = 0;
  la_int64_t offset = 0;
  while (true) {
    const int result = archive_read_data_block(stream.handle(), &block, &size, &offset);
    if (result == ARCHIVE_EOF) return content;
    if (result != ARCHIVE_OK && result != ARCHIVE_WARN) {
      MNEME_RETURN_IF_ERROR(stream.status());
      return corruption(label + " is damaged and could not be unpacked.");
    }
    MNEME_RETURN_IF_ERROR(context.charge_unpacked(label, size));
    MNEME_RETURN_IF_ERROR(context.check(label));
    if (content.size() + size > context.limits().file_bytes) {
      return resource_error(label + " is over the limit of " + std::to_string(context.limits().file_bytes >> 20) +
                            " MiB for one file; it was left out.");
    }
    content.append(static_cast<const char*>(block), size);
  }
}

// Passes over what is left of the current member. Where it must be unpacked for that, it counts: a bomb may be called
// a picture. What is damaged shows at the next header.
Status pass_over(ReadContext& context, const ArchiveStream& stream, const std::string& label) {
  archive* const reader = stream.handle();
  const bool packed = archive_filter_count(reader) > 1 || archive_format(reader) == ARCHIVE_FORMAT_7ZIP;
  if (!packed) return {};
  const void* block = nullptr;
  size_t size = 0;
  la_int64_t offset = 0;
  while (true) {
    const int result = archive_read_data_block(reader, &block, &size, &offset);
    if (result != ARCHIVE_OK && result != ARCHIVE_WARN) return stream.status();
    MNEME_RETURN_IF_ERROR(context.charge_unpacked(label, size));
    MNEME_RETURN_IF_ERROR(context.check(label));
  }
}

Status read_entry(ReadContext& context, const ArchiveStream& stream, archive_entry* entry, const std::string& label) {
  if (!wanted(entry, label)) return pass_over(context, stream, label);
  if (archive_entry_is_data_encrypted(entry) == 1) {
    return context.emit_failure(label, unsupported(label + " is encrypted; unpack it to index it."));
  }
  auto content = unpack(context, stream, label);
  if (content.ok()) return context.read_member(label, Input{.name = label, .bytes = std::move(*content)});
  if (context.must_stop()) return content.status();
  MNEME_RETURN_IF_ERROR(context.check(label));  // cancelled, or out of time
  MNEME_RETURN_IF_ERROR(context.emit_failure(label, content.status()));
  return pass_over(context, stream, label);
}

}  // namespace

Status read_archive(ReadContext& context, const std::string& name, ByteSource& source) {
  if (context.depth() >= context.limits().container_depth) {
    return resource_error(printable(name) + ": archives are nested more than " +
                          std::to_string(context.limits().container_depth) + " deep; it was left out.");
  }
  context.begin_container(source.size());
  const Utf8NamesScope names;
  ArchiveStream stream(context, name, source);
  if (!stream.open()) {
    MNEME_RETURN_IF_ERROR(stream.status());
    return corruption(printable(name) + " is damaged: it could not be opened as an archive.");
  }
  uint64_t number = 0;
  while (true) {
    MNEME_RETURN_IF_ERROR(context.check(name));
    archive_entry* entry = nullptr;
    const int result = archive_read_next_header(stream.handle(), &entry);
    if (result == ARCHIVE_EOF) return {};
    if (result != ARCHIVE_OK && result != ARCHIVE_WARN) {
      MNEME_RETURN_IF_ERROR(stream.status());
      const Status damaged = corruption(printable(name) + " is damaged behind its first " + std::to_string(number) +
                                        " files; the rest was left out.");
      return number == 0 ? damaged : context.emit_failure("(the rest)", damaged);
    }
    ++number;
    MNEME_RETURN_IF_ERROR(context.charge_member(name));
    MNEME_RETURN_IF_ERROR(read_entry(context, stream, entry, member_name(entry, name, number)));
  }
}

}  // namespace mneme::readers
