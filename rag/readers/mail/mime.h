// Mail messages (RFC 5322, MIME): headers, parts, transfer encodings. Ownership: parts borrow the message's bytes.
// Internal to rag/readers. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rag/readers/mail/ended_lines.h"

namespace mneme::readers {

struct MimePart {
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case, unfolded raw values
  std::string type;                                          // "text/plain"; lower case
  std::string charset;                                       // "" when not given
  std::string file_name;                                     // decoded; "" for parts that are no attachment
  bool attachment = false;                                   // by Content-Disposition
  TextFlow flow = TextFlow::kNone;                           // of its lines
  std::string_view body;                                     // still in its transfer encoding
  int body_line = 1;  // line of the message where the body begins; 0: it is not written in lines
  std::vector<MimePart> children;

  // Raw value of a header; "" when absent.
  std::string_view header(std::string_view name) const;
  // Body without its transfer encoding.
  std::string decoded_body() const;
  // True when body lines are lines of the message, and its bytes those of the text.
  bool body_is_plain() const;
};

// Parts nested deeper than `depth` are not opened; at most 1000 parts are. first_line: of the message in its file.
MimePart parse_mime(std::string_view message, int depth, int first_line = 1);

// Encoded words (RFC 2047) and stray bytes to UTF-8. likely: the encoding that these may be in; "" if none is known.
std::string decode_header(std::string_view raw, std::string_view likely = {});

}  // namespace mneme::readers
