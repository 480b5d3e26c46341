#include "rag/readers/office/odf_sheet_pieces.h"

#include <utility>

#include "rag/readers/office/xml_items.h"

namespace mneme::readers {
namespace {

constexpr size_t kPieceBytes = size_t{1} << 20;
constexpr std::string_view kEndsName = " \t\r\n/>";

std::string_view name_in(std::string_view tag) {  // "<table:table-row ..." without its first sign
  const std::string_view name = tag.substr(0, tag.find_first_of(kEndsName));
  const size_t colon = name.find(':');
  return name.substr(colon == std::string_view::npos ? 0 : colon + 1);
}

bool is_group(std::string_view name) {
  return name == "table-row-group" || name == "table-header-rows" || name == "table-rows";
}

// Behind the tag that begins at `at`, whose attributes may hold any sign; npos: it goes on in what comes.
size_t tag_end(std::string_view text, size_t at) {
  for (const auto& [begin, end] :
       {std::pair<std::string_view, std::string_view>{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}}) {
    if (!text.substr(at).starts_with(begin)) continue;
    const size_t found = text.find(end, at + begin.size());
    return found == std::string_view::npos ? found : found + end.size();
  }
  while (true) {
    at = text.find_first_of("\"'>", at);
    if (at == std::string_view::npos || text[at] == '>') break;
    at = text.find(text[at], at + 1);
    if (at == std::string_view::npos) break;
    ++at;
  }
  return at == std::string_view::npos ? at : at + 1;
}

std::string end_of(const std::string& tag) {
  return "</" + tag.substr(1, tag.find_first_of(kEndsName, 1) - 1) + ">";
}

}  // namespace

bool OdfSheetPieces::next_tag(Tag& tag) {
  constexpr size_t kLongestBeginning = 9;  // of what is no element
  tag.begin = buffer_.find('<', looked_at_);
  if (tag.begin == std::string::npos) {
    looked_at_ = buffer_.size();
    return false;
  }
  looked_at_ = tag.begin;
  if (buffer_.size() - tag.begin < kLongestBeginning) return false;
  tag.end = tag_end(buffer_, tag.begin);
  if (tag.end == std::string::npos) return false;
  const std::string_view text = std::string_view(buffer_).substr(tag.begin, tag.end - tag.begin);
  tag.closes = text[1] == '/';
  tag.opens = !tag.closes && text[text.size() - 2] != '/' && text[1] != '!' && text[1] != '?';
  tag.name = name_in(text.substr(tag.closes ? 2 : 1));
  looked_at_ = tag.end;
  return true;
}

// Of what was found so far nothing is kept before the table that begins.
Status OdfSheetPieces::take_tag(const Tag& tag) {
  if (depth_ > 0) return take_tag_of_table(tag);
  if (tag.name != "table" || tag.closes) return {};
  if (!met_table_ && (head_ + buffer_.substr(0, tag.begin)).find("spreadsheet") == std::string::npos) {
    return corruption("no spreadsheet, but large");
  }
  if (!std::exchange(met_table_, true)) head_ += buffer_.substr(0, tag.begin);
  table_ = buffer_.substr(tag.begin, tag.end - tag.begin);
  groups_.clear();
  drop(tag.end);
  if (!tag.opens) {  // an empty one
    table_.erase(table_.size() - 2, 1);
    return give(0, {}, true);
  }
  depth_ = 1;
  return {};
}

Status OdfSheetPieces::take_tag_of_table(const Tag& tag) {
  if (tag.name == "table") {
    depth_ += tag.opens ? 1 : (tag.closes ? -1 : 0);
    return depth_ == 0 ? give(tag.begin, {}, true) : Status();
  }
  if (depth_ > 1) return {};
  if (is_group(tag.name)) {
    if (tag.opens) groups_.push_back(buffer_.substr(tag.begin, tag.end - tag.begin));
    if (tag.closes && !groups_.empty()) groups_.pop_back();
  }
  if (tag.name != "table-row" || tag.opens) return {};
  cut_ = tag.end;
  groups_at_cut_ = groups_;
  return cut_ >= kPieceBytes ? give(cut_, groups_at_cut_, false) : Status();
}

// The first `size` bytes of the buffer, with the table's tag before them; groups: those that are open behind them.
Status OdfSheetPieces::give(size_t size, const std::vector<std::string>& groups, bool is_last) {
  std::string xml = table_;
  for (const std::string& group : groups_at_begin_) xml += group;
  xml += std::string_view(buffer_).substr(0, size);
  for (size_t i = groups.size(); i-- > 0;) xml += end_of(groups[i]);
  xml += end_of(table_);
  auto tree = std::make_unique<pugi::xml_document>();
  const auto parsed = tree->load_buffer(xml.data(), xml.size(), pugi::parse_default | pugi::parse_ws_pcdata);
  if (!parsed) return corruption(std::string("not XML (") + parsed.description() + ")");
  groups_at_begin_ = groups;
  drop(size);
  return take_(std::move(tree), is_last);
}

void OdfSheetPieces::drop(size_t size) {
  buffer_.erase(0, size);
  looked_at_ -= size < looked_at_ ? size : looked_at_;
  cut_ = 0;
  if (depth_ == 0 || buffer_.empty()) groups_at_cut_.clear();
}

Status OdfSheetPieces::add(std::string_view bytes) {
  buffer_ += bytes;
  Tag tag;
  while (next_tag(tag)) MNEME_RETURN_IF_ERROR(take_tag(tag));
  if (depth_ == 0 && met_table_) drop(looked_at_);
  if (buffer_.size() <= kLargestXml) return {};
  return resource_error(std::to_string(buffer_.size() >> 20) + " MiB of XML, too large to read");
}

Status OdfSheetPieces::finish() const {
  return depth_ == 0 ? Status() : corruption("not XML (it breaks off)");
}

}  // namespace mneme::readers
