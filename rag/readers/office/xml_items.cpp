#include "rag/readers/office/xml_items.h"

#include <algorithm>
#include <utility>

namespace mneme::readers {
namespace {

constexpr size_t kPieceBytes = size_t{1} << 20;
constexpr std::string_view kEndsName = " \t\r\n/>";

Status parse(const std::string& xml, pugi::xml_document& tree) {
  tree.reset();
  const auto parsed = tree.load_buffer(xml.data(), xml.size(), pugi::parse_default | pugi::parse_ws_pcdata);
  if (parsed) return {};
  return corruption(std::string("not XML (") + parsed.description() + ")");
}

}  // namespace

// Whether the list's tag is whole; all before it, and the tag, is put around then.
bool XmlItems::find_list() {
  for (size_t at = buffer_.find('<', looked_at_); at != std::string::npos; at = buffer_.find('<', at + 1)) {
    const size_t name_end = buffer_.find_first_of(kEndsName, at + 1);
    const size_t tag_end = buffer_.find('>', at);
    looked_at_ = at;  // to be looked at again where the tag goes on in what comes
    if (name_end == std::string::npos || tag_end == std::string::npos) return false;
    const std::string name = buffer_.substr(at + 1, name_end - at - 1);
    const size_t colon = name.find(':');
    const std::string_view local = std::string_view(name).substr(colon == std::string::npos ? 0 : colon + 1);
    if (local != names_.list || buffer_[tag_end - 1] == '/') continue;
    open_ = buffer_.substr(at, tag_end + 1 - at);
    close_ = "</" + name;
    item_close_ = "</" + name.substr(0, name.size() - local.size()) + std::string(names_.item);
    around_ = buffer_.substr(0, tag_end + 1);
    buffer_.erase(0, tag_end + 1);
    looked_at_ = 0;
    return true;
  }
  looked_at_ = buffer_.size();
  return false;
}

// The first `size` bytes of the buffer.
void XmlItems::take_items(size_t size) {
  if (damage_.ok() && size > 0) {
    pugi::xml_document tree;
    damage_ = parse(open_ + buffer_.substr(0, size) + close_ + ">", tree);
    take_(tree.document_element());
  }
  buffer_.erase(0, size);
  looked_at_ -= std::min(looked_at_, size);
  items_end_ = 0;
}

// Only what was not looked at yet: a part may be large and have no items.
void XmlItems::find_item_end() {
  const std::string_view fresh = std::string_view(buffer_).substr(looked_at_);
  for (size_t at = fresh.rfind(item_close_); at != std::string_view::npos;
       at = at == 0 ? std::string_view::npos : fresh.rfind(item_close_, at - 1)) {
    const size_t behind = at + item_close_.size();
    const size_t tag_end = fresh.find('>', behind);
    if (tag_end == std::string_view::npos || kEndsName.find(fresh[behind]) == std::string_view::npos) continue;
    items_end_ = looked_at_ + tag_end + 1;
    return;
  }
}

Status XmlItems::add(std::string_view bytes) {
  (place_ == Place::kBehind ? around_ : buffer_) += bytes;
  if (place_ == Place::kBefore && find_list()) place_ = Place::kWithin;
  if (place_ == Place::kWithin) {
    const size_t end = buffer_.find(close_, looked_at_);
    if (end != std::string::npos) {
      take_items(end);
      around_ += std::exchange(buffer_, {});
      place_ = Place::kBehind;
    } else {
      find_item_end();
      // A tag may go on in what comes.
      looked_at_ = buffer_.size() - std::min(buffer_.size(), std::max(close_.size(), item_close_.size()) + 64);
      if (buffer_.size() >= kPieceBytes && items_end_ > 0) take_items(items_end_);
    }
  }
  const size_t held = buffer_.size() + around_.size();
  return held <= kLargestXml ? Status() : resource_error(std::to_string(held >> 20) + " MiB of XML, too large to read");
}

Status XmlItems::finish(pugi::xml_document& around) {
  if (place_ == Place::kBefore) around_ = std::exchange(buffer_, {});
  if (place_ == Place::kWithin) take_items(buffer_.size());
  const Status parsed = parse(around_, around);
  return damage_.ok() ? parsed : damage_;
}

}  // namespace mneme::readers
