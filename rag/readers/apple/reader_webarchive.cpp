// Pages that Safari saved (webarchive): the page is data of a list of properties.
#include <string>
#include <utility>

#include "rag/readers/apple/apple_readers.h"
#include "rag/readers/apple/property_list.h"
#include "rag/readers/format_list.h"
#include "rag/readers/text_decoding.h"

namespace mneme::readers {

Status read_webarchive(ReadContext& context, Input input) {
  const PropertyList list(input.bytes);
  const auto top = list.top();
  const auto page = top ? list.find(*top, "WebMainResource") : std::nullopt;
  const auto data = page ? list.find(*page, "WebResourceData") : std::nullopt;
  if (!data || list.data(*data).empty()) {
    return corruption(printable(input.name) + " is damaged: it holds no page; save it anew to index it.");
  }
  std::string bytes(list.data(*data));
  const auto encoding = list.find(*page, "WebResourceTextEncodingName");
  const std::string named = encoding ? list.text(*encoding) : std::string();
  // What the page says of its encoding is what the server sent, not what Safari saved.
  if (!named.empty()) {
    if (auto text = convert_from(bytes, named); text.ok()) bytes = "\xef\xbb\xbf" + *text;
  }
  const auto type = list.find(*page, "WebResourceMIMEType");
  const std::string kind = type ? list.text(*type) : std::string();
  Input within{.name = std::move(input.name), .bytes = std::move(bytes)};
  return kind == "text/plain" ? read_plain(context, std::move(within)) : read_html(context, std::move(within));
}

}  // namespace mneme::readers
