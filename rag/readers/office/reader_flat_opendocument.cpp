// OpenDocument in one XML file (fodt, fods, fodp): its root holds what a package has in several parts, so that it is
// read as a package whose parts are all that file.
#include <zip.h>

#include <memory>
#include <string>
#include <utility>

#include "rag/readers/cut_spans.h"
#include "rag/readers/format_list.h"

namespace mneme::readers {
namespace {

// "": there is no memory for it.
std::string packed(const std::string& xml) {
  zip_error_t error;
  zip_error_init(&error);
  std::string bytes;
  zip_source_t* const target = zip_source_buffer_create(nullptr, 0, 0, &error);
  if (target == nullptr) return bytes;
  zip_t* const archive = zip_open_from_source(target, ZIP_CREATE | ZIP_TRUNCATE, &error);
  if (archive == nullptr) {
    zip_source_free(target);
    return bytes;
  }
  zip_source_keep(target);
  const std::unique_ptr<zip_source_t, void (*)(zip_source_t*)> kept(target, zip_source_free);
  for (const char* part : {"content.xml", "styles.xml", "meta.xml"}) {
    zip_source_t* const content = zip_source_buffer(archive, xml.data(), xml.size(), 0);
    const zip_int64_t index = content == nullptr ? -1 : zip_file_add(archive, part, content, ZIP_FL_ENC_UTF_8);
    if (index < 0 && content != nullptr) zip_source_free(content);
    if (index >= 0) zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0);
  }
  if (zip_close(archive) != 0) {
    zip_discard(archive);
    return bytes;
  }
  zip_stat_t info;
  zip_stat_init(&info);
  if (zip_source_stat(target, &info) != 0 || zip_source_open(target) != 0) return bytes;
  bytes.resize(static_cast<size_t>(info.size));
  const zip_int64_t got = zip_source_read(target, bytes.data(), bytes.size());
  bytes.resize(got < 0 ? 0 : static_cast<size_t>(got));
  zip_source_close(target);
  return bytes;
}

}  // namespace

Status read_flat_opendocument(ReadContext& context, Input input) {
  // Pictures and other objects stand in the text as base64.
  std::string package =
      packed(without_spans(std::exchange(input.bytes, {}), "<office:binary-data>", "</office:binary-data>"));
  if (package.empty()) return resource_error(printable(input.name) + " needs more memory than there is.");
  return read_opendocument(context, Input{.name = std::move(input.name), .bytes = std::move(package)});
}

}  // namespace mneme::readers
