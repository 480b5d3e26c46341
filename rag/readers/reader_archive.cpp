// Archives (zip, tar and 7z, packed or not): every file in them is read as one of its own. Nothing is written to disk,
// so that paths in an archive are only names; sizes, numbers and nesting are bounded.
#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <memory>
#include <string>

#include "base/utf8.h"
#include "rag/readers/format_list.h"

namespace mneme::readers {
namespace {

using Archive = std::unique_ptr<archive, int (*)(archive*)>;

Archive open_archive(const Input& input) {
  Archive reader(archive_read_new(), archive_read_free);
  if (!reader) return reader;
  archive* a = reader.get();
  archive_read_support_filter_gzip(a);
  archive_read_support_filter_bzip2(a);
  archive_read_support_filter_xz(a);
  archive_read_support_filter_lzma(a);
  archive_read_support_filter_zstd(a);
  archive_read_support_format_tar(a);
  archive_read_support_format_zip(a);
  archive_read_support_format_7zip(a);
  archive_read_support_format_raw(a);  // a single packed file; tried last
  if (archive_read_open_memory(a, input.bytes.data(), input.bytes.size()) != ARCHIVE_OK) reader.reset();
  return reader;
}

std::string member_name(archive_entry* entry, const Input& input, int number) {
  const char* path = archive_entry_pathname_utf8(entry);
  if (!path) path = archive_entry_pathname(entry);
  std::string label = safe_label(path ? path : "");
  // The raw format calls every file "data": name it after the archive, without ".gz".
  if (label == "data" || label.empty()) {
    label = stem_title(input.name);
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

// Content of the current member. What fails is the member; budgets are checked by the caller through `context`.
Result<std::string> unpack(ReadContext& context, archive* reader, const std::string& label) {
  std::string content;
  const void* block = nullptr;
  size_t size = 0;
  la_int64_t offset = 0;
  while (true) {
    const int result = archive_read_data_block(reader, &block, &size, &offset);
    if (result == ARCHIVE_EOF) return content;
    if (result != ARCHIVE_OK && result != ARCHIVE_WARN) {
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

}  // namespace

Status read_archive(ReadContext& context, Input input) {
  if (context.depth() >= context.limits().container_depth) {
    return resource_error(printable(input.name) + ": archives are nested more than " +
                          std::to_string(context.limits().container_depth) + " deep; it was left out.");
  }
  const Archive reader = open_archive(input);
  if (!reader) return corruption(printable(input.name) + " is damaged: it could not be opened as an archive.");
  int number = 0;
  while (true) {
    MNEME_RETURN_IF_ERROR(context.check(input.name));
    archive_entry* entry = nullptr;
    const int result = archive_read_next_header(reader.get(), &entry);
    if (result == ARCHIVE_EOF) return {};
    if (result != ARCHIVE_OK && result != ARCHIVE_WARN) {
      const Status damaged = corruption(printable(input.name) + " is damaged behind its first " +
                                        std::to_string(number) + " files; the rest was left out.");
      return number == 0 ? damaged : context.emit_failure("(the rest)", damaged);
    }
    ++number;
    MNEME_RETURN_IF_ERROR(context.charge_member(input.name));
    const std::string label = member_name(entry, input, number);
    if (!wanted(entry, label)) continue;
    if (archive_entry_is_data_encrypted(entry) == 1) {
      MNEME_RETURN_IF_ERROR(context.emit_failure(label, unsupported(label + " is encrypted; unpack it to index it.")));
      continue;
    }
    auto content = unpack(context, reader.get(), label);
    if (!content.ok() && context.unpacked_left() == 0) return content.status();
    if (content.status().code() == StatusCode::kCancelled) return content.status();
    MNEME_RETURN_IF_ERROR(content.ok() ? context.read_member(label, Input{.name = label, .bytes = std::move(*content)})
                                       : context.emit_failure(label, content.status()));
  }
}

}  // namespace mneme::readers
