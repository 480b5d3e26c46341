#include "rag/readers/office/zip_package.h"

#include <zip.h>

#include <algorithm>
#include <vector>

#include "base/ascii.h"

namespace mneme::readers {
namespace {

std::string_view local(std::string_view name) {
  const size_t colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

std::string any_case(std::string_view member) {
  std::string name = lower_ascii(member);
  std::replace(name.begin(), name.end(), '\\', '/');
  return name;
}

}  // namespace

ZipPackage::ZipPackage(ReadContext& context, std::string name, std::string bytes)
    : context_(context), name_(std::move(name)), bytes_(std::move(bytes)) {}

ZipPackage::~ZipPackage() {
  if (archive_) zip_discard(archive_);
}

Result<std::unique_ptr<ZipPackage>> ZipPackage::open(ReadContext& context, Input input) {
  std::unique_ptr<ZipPackage> package(new ZipPackage(context, std::move(input.name), std::move(input.bytes)));
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(package->bytes_.data(), package->bytes_.size(), 0, &error);
  if (source) package->archive_ = zip_open_from_source(source, ZIP_RDONLY, &error);
  if (!package->archive_) {
    if (source) zip_source_free(source);
    const std::string why = zip_error_strerror(&error);
    zip_error_fini(&error);
    return corruption(printable(package->name_) + " is damaged: " + why + ".");
  }
  zip_error_fini(&error);
  if (zip_get_num_entries(package->archive_, 0) > context.limits().members) {
    return resource_error(printable(package->name_) + " has more parts than any document; it was left out.");
  }
  return package;
}

int64_t ZipPackage::index_of(const std::string& member) const {
  const zip_int64_t exact = zip_name_locate(archive_, member.c_str(), 0);
  if (exact >= 0) return exact;
  if (!by_any_case_) {
    by_any_case_.emplace();
    const std::vector<std::string> names = members();
    for (size_t i = 0; i < names.size(); ++i) by_any_case_->emplace(any_case(names[i]), static_cast<int64_t>(i));
  }
  const auto found = by_any_case_->find(any_case(member));
  return found == by_any_case_->end() ? -1 : found->second;
}

std::vector<std::string> ZipPackage::members() const {
  std::vector<std::string> names;
  const zip_int64_t count = zip_get_num_entries(archive_, 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const char* name = zip_get_name(archive_, static_cast<zip_uint64_t>(i), 0);
    names.emplace_back(name ? name : "");
  }
  return names;
}

Result<std::string> ZipPackage::read(const std::string& member) {
  std::string content;
  MNEME_RETURN_IF_ERROR(read_as_far_as_it_goes(member, content));
  return content;
}

Status ZipPackage::read_as_far_as_it_goes(const std::string& member, std::string& content) {
  content.clear();
  return unpack(member, [&](std::string_view bytes) -> Status {
    if (content.size() + bytes.size() > context_.limits().file_bytes) {
      return resource_error(printable(name_) + " holds a part over the limit of " +
                            std::to_string(context_.limits().file_bytes >> 20) + " MiB; it was left out.");
    }
    content += bytes;
    return {};
  });
}

Status ZipPackage::unpack(const std::string& member, const std::function<Status(std::string_view)>& take) {
  MNEME_RETURN_IF_ERROR(context_.check(name_));
  const int64_t index = index_of(member);
  if (index < 0) return corruption(printable(name_) + " is damaged: it has no part " + printable(member) + ".");
  zip_stat_t info;
  zip_stat_init(&info);
  const auto entry = static_cast<zip_uint64_t>(index);
  if (zip_stat_index(archive_, entry, 0, &info) != 0) return corruption(printable(name_) + " is damaged.");
  if ((info.valid & ZIP_STAT_ENCRYPTION_METHOD) && info.encryption_method != ZIP_EM_NONE) {
    return unsupported(printable(name_) + " is encrypted; save it without a password to index it.");
  }
  zip_file_t* file = zip_fopen_index(archive_, entry, 0);
  if (!file) return corruption(printable(name_) + " is damaged: " + printable(member) + " cannot be unpacked.");
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> closer(file, zip_fclose);
  // The size that the directory claims does not count: what really comes out does.
  std::vector<char> buffer(256 * 1024);
  while (true) {
    const zip_int64_t got = zip_fread(file, buffer.data(), buffer.size());
    if (got < 0) return corruption(printable(name_) + " is damaged: " + printable(member) + " cannot be unpacked.");
    if (got == 0) break;
    MNEME_RETURN_IF_ERROR(context_.charge_unpacked(name_, static_cast<uint64_t>(got)));
    MNEME_RETURN_IF_ERROR(take(std::string_view(buffer.data(), static_cast<size_t>(got))));
    MNEME_RETURN_IF_ERROR(context_.check(name_));
  }
  return {};
}

uint64_t ZipPackage::claimed_size(const std::string& member) const {
  const int64_t index = index_of(member);
  zip_stat_t info;
  zip_stat_init(&info);
  if (index < 0 || zip_stat_index(archive_, static_cast<zip_uint64_t>(index), 0, &info) != 0) return 0;
  return (info.valid & ZIP_STAT_SIZE) != 0 ? info.size : 0;
}

Status ZipPackage::read_xml(const std::string& member, pugi::xml_document& tree) {
  std::string content;
  const Status unpacked = read_as_far_as_it_goes(member, content);
  const Status parsed = parse_xml(member, content, tree);
  return unpacked.ok() ? parsed : unpacked;
}

Status ZipPackage::read_xml_items(const std::string& member, XmlList names, const XmlItems::Take& take,
                                  pugi::xml_document& around) {
  XmlItems items(names, take);
  Status unpacked = unpack(member, [&](std::string_view bytes) {
    Status held = items.add(bytes);
    return held.ok() ? held : Status(held.code(), printable(name_) + " holds a part of " + held.message() + ".");
  });
  const Status parsed = items.finish(around);
  if (!unpacked.ok() || parsed.ok()) return unpacked;
  return corruption(printable(name_) + " is damaged: " + printable(member) + " is " + parsed.message() + ".");
}

Status ZipPackage::parse_xml(const std::string& member, const std::string& content, pugi::xml_document& tree) const {
  tree.reset();
  if (content.size() > kLargestXml) {
    return resource_error(printable(name_) + " holds a part of " + std::to_string(content.size() >> 20) +
                          " MiB of XML, too large to read; it was left out.");
  }
  const auto parsed = tree.load_buffer(content.data(), content.size(), pugi::parse_default | pugi::parse_ws_pcdata);
  if (parsed) return {};
  return corruption(printable(name_) + " is damaged: " + printable(member) + " is not XML (" + parsed.description() +
                    " at byte " + std::to_string(parsed.offset) + ").");
}

std::string resolve_member(std::string_view folder, std::string_view target) {
  std::string path;
  if (target.starts_with('/') || target.starts_with('\\')) {
    target.remove_prefix(1);
  } else {
    path = folder;
  }
  while (!target.empty()) {
    const size_t slash = target.find_first_of("/\\");
    const std::string_view part = target.substr(0, slash);
    target = slash == std::string_view::npos ? std::string_view() : target.substr(slash + 1);
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (path.empty()) return {};
      path = member_folder(std::string_view(path).substr(0, path.size() - 1));
      continue;
    }
    path += part;
    if (slash != std::string_view::npos) path += '/';
  }
  return path;
}

std::string member_folder(std::string_view member) {
  const size_t slash = member.rfind('/');
  return slash == std::string_view::npos ? std::string() : std::string(member.substr(0, slash + 1));
}

std::string_view local_name(const pugi::xml_node& node) {
  return local(node.name());
}

pugi::xml_node child_named(const pugi::xml_node& node, std::string_view name) {
  for (const pugi::xml_node child : node.children()) {
    if (local_name(child) == name) return child;
  }
  return {};
}

std::string_view attribute_named(const pugi::xml_node& node, std::string_view name) {
  for (const pugi::xml_attribute attribute : node.attributes()) {
    if (local(attribute.name()) == name) return attribute.value();
  }
  return {};
}

std::string_view link_id(const pugi::xml_node& node) {
  for (const pugi::xml_attribute attribute : node.attributes()) {
    if (std::string_view(attribute.name()).ends_with(":id")) return attribute.value();
  }
  return {};
}

}  // namespace mneme::readers
