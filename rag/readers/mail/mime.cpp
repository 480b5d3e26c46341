#include "rag/readers/mail/mime.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "rag/readers/mail/uuencoded.h"
#include "rag/readers/text_decoding.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr size_t kMostHeaders = 1000;
constexpr int kMostParts = 1000;
constexpr int kMostPieces = 100;  // of one parameter
constexpr std::string_view kPlain = "text/plain";

constexpr std::array<int8_t, 256> kBase64Values = [] {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::array<int8_t, 256> values{};
  values.fill(-1);
  for (size_t i = 0; i < kAlphabet.size(); ++i) {
    values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<int8_t>(i);
  }
  return values;
}();

// Value of a character of base64; -1 for others.
int base64_value(char c) {
  return kBase64Values[static_cast<unsigned char>(c)];
}

// Takes lines of base64 one after another.
class Base64Decoder {
 public:
  explicit Base64Decoder(size_t expected) { bytes_.reserve(expected); }

  void take(std::string_view line) {
    constexpr size_t kLongLine = 40;  // shorter ones are no second text behind the end of the first
    if (line.empty() || (ended_ && line.size() < kLongLine)) return;
    const Place before = place_;
    const size_t size = bytes_.size();
    const size_t foreign = decode(line);
    // A program wrote it below what is encoded ("This list is run by ..."), or between: words apart by spaces, or many
    // characters that base64 does not have.
    if (foreign > 0 && (foreign * 8 >= line.size() || line.find(' ') != std::string_view::npos)) {
      bytes_.resize(size);
      place_ = before;
      return;
    }
    ended_ = line.ends_with('=') || (longest_ >= kLongLine && line.size() < longest_);
    longest_ = std::max(longest_, line.size());
  }

  std::string finish() { return std::move(bytes_); }

 private:
  struct Place {
    uint32_t bits = 0;
    int count = 0;
  };

  // How many characters are none of base64's.
  size_t decode(std::string_view line) {
    if (place_.count == 0) line.remove_prefix(decode_fours(line));
    size_t foreign = 0;
    Place place = place_;
    for (const char c : line) {
      const int value = base64_value(c);
      if (value < 0) {
        if (c == '=') place.count = 0;
        foreign += c != '=';
        continue;
      }
      place.bits = (place.bits << 6) | static_cast<uint32_t>(value);
      place.count += 6;
      if (place.count < 8) continue;
      place.count -= 8;
      bytes_.push_back(static_cast<char>((place.bits >> place.count) & 0xff));
    }
    place_ = place;
    return foreign;
  }

  // Four characters at a time are three bytes, as long as nothing is amiss. How many it took.
  size_t decode_fours(std::string_view line) {
    size_t at = 0;
    for (; at + 4 <= line.size(); at += 4) {
      int bits = 0;
      for (size_t i = 0; i < 4; ++i) bits = bits < 0 ? bits : (bits * 64) | base64_value(line[at + i]);
      if (bits < 0) break;
      const char three[] = {static_cast<char>(bits >> 16), static_cast<char>(bits >> 8), static_cast<char>(bits)};
      bytes_.append(three, sizeof three);
    }
    return at;
  }

  std::string bytes_;
  Place place_;
  bool ended_ = false;  // by its padding, or a line that is shorter than those before it
  size_t longest_ = 0;
};

std::string decode_base64(std::string_view text) {
  Base64Decoder decoder(text.size() * 3 / 4);
  LineCursor lines(text);
  Line line;
  while (lines.next(line)) decoder.take(line.trimmed());
  return decoder.finish();
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// `escape` is '=' in bodies and headers, '%' in parameters. Underscores are spaces in headers.
std::string decode_quoted(std::string_view text, char escape, bool underscores) {
  std::string bytes;
  bytes.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c != escape) {
      bytes.push_back(underscores && c == '_' ? ' ' : c);
    } else if (i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0) {
      bytes.push_back(static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2])));
      i += 2;
    } else if (escape == '=' && text.substr(i + 1, 2) == "\r\n") {
      i += 2;  // a soft line break
    } else if (escape == '=' && text.substr(i + 1, 1) == "\n") {
      i += 1;
    } else {
      bytes.push_back(c);
    }
  }
  return bytes;
}

// Bytes that say nothing of their encoding.
std::string raw_text(std::string_view bytes, std::string_view likely = {}) {
  if (utf8::valid(bytes)) return std::string(bytes);
  auto text = decode_text(std::string(bytes), likely);
  return text.ok() ? std::move(text->text) : utf8::sanitise(bytes);
}

std::string to_utf8(std::string_view bytes, std::string_view charset) {
  // "utf-8*en": with a language (RFC 2231).
  const std::string lower = lower_ascii(charset.substr(0, charset.find('*')));
  // Programs that know nothing but UTF-8 call it ASCII; what is neither is windows-1252 then.
  const bool is_utf8 =
      lower.empty() || lower == "utf-8" || lower == "utf8" || (lower == "us-ascii" && utf8::valid(bytes));
  if (is_utf8) return utf8::sanitise(bytes);
  auto text = convert_from(bytes, lower);
  return text.ok() ? std::move(*text) : raw_text(bytes);
}

// "text/plain; charset=x" to (charset, x): quotation marks removed, escapes within them resolved, names in lower case.
std::vector<std::pair<std::string, std::string>> parameters_of(std::string_view value) {
  std::vector<std::pair<std::string, std::string>> parameters;
  bool quoted = false;
  size_t i = std::min(value.find(';'), value.size());
  while (i < value.size()) {
    const size_t begin = ++i;  // behind the semicolon
    const size_t equals = std::min(value.find_first_of("=;", begin), value.size());
    std::string text;
    size_t kept = 0;  // up to the last quotation mark, spaces and all
    for (i = equals; i < value.size() && (quoted || value[i] != ';'); ++i) {
      const std::string_view next = value.substr(i + 1, 1);
      if (i == equals || (text.empty() && !quoted && is_space(value[i]))) continue;
      if (value[i] == '"') {
        quoted = !quoted;
        kept = text.size();
      } else {
        if (quoted && value[i] == '\\' && (next == "\"" || next == "\\")) ++i;
        text.push_back(value[i]);
      }
    }
    quoted = false;
    while (text.size() > kept && is_space(text.back())) text.pop_back();
    parameters.emplace_back(lower_ascii(trim(value.substr(begin, equals - begin))), std::move(text));
  }
  return parameters;
}

// Value of a parameter such as charset=... in a structured header, in pieces and percent signs (RFC 2231) or not.
std::string parameter(std::string_view header, std::string_view name) {
  const auto parameters = parameters_of(header);
  const auto find = [&](const std::string& key) -> const std::string* {
    for (const auto& [known, value] : parameters) {
      if (known == key) return &value;
    }
    return nullptr;
  };
  const std::string key(name);
  std::string bytes;
  std::string charset;
  bool in_pieces = false;
  // Of one piece, "name*", the first also says in what encoding all of them are.
  const auto take = [&](const std::string* encoded, const std::string* plain) {
    if (!encoded && !plain) return false;
    std::string_view value = encoded ? *encoded : *plain;
    if (encoded && !in_pieces) {
      const size_t first = value.find('\'');
      const size_t second = first == value.npos ? first : value.find('\'', first + 1);
      if (second != value.npos) {
        charset = value.substr(0, first);
        value.remove_prefix(second + 1);
      }
    }
    bytes += encoded ? decode_quoted(value, '%', false) : std::string(value);
    in_pieces = true;
    return true;
  };
  if (!take(find(key + "*"), nullptr)) {
    for (int i = 0; i < kMostPieces; ++i) {
      const std::string piece = key + "*" + std::to_string(i);
      if (!take(find(piece + "*"), find(piece))) break;
    }
  }
  if (in_pieces) return to_utf8(bytes, charset);
  const std::string* plain = find(key);
  return plain ? *plain : std::string();
}

// Of values that hold no space: what stands behind one is a comment, or a parameter whose semicolon was forgotten.
std::string parameter_word(std::string_view header, std::string_view name) {
  const std::string value = parameter(header, name);
  return value.substr(0, value.find_first_of(" \t"));
}

class MimeParser {
 public:
  // default_type: of a part that does not say what it is.
  MimePart parse(std::string_view message, int first_line, int depth, std::string_view default_type = kPlain) {
    ++parts_;
    MimePart part;
    take_headers(message, first_line, part);
    const std::string_view type = part.header("content-type");
    part.type = type_in(type);
    if (part.type.empty()) part.type = default_type;
    part.charset = parameter_word(type, "charset");
    if (equals_ignoring_case(parameter_word(type, "format"), "flowed")) {
      const bool joins = equals_ignoring_case(parameter_word(type, "delsp"), "yes");
      part.flow = joins ? TextFlow::kJoined : TextFlow::kSpaced;
    }
    const std::string_view disposition = part.header("content-disposition");
    part.attachment = lower_ascii(disposition.substr(0, 10)) == "attachment";
    part.file_name = decode_header(parameter(disposition, "filename"));
    if (part.file_name.empty()) part.file_name = decode_header(parameter(type, "name"));
    if (part.type.starts_with("multipart/") && depth > 0) take_children(parameter(type, "boundary"), part, depth);
    return part;
  }

 private:
  // "text/plain"; what names no kind, or half of one, is plain text (RFC 2045, 5.2); "" for nothing.
  static std::string type_in(std::string_view header) {
    std::string type = lower_ascii(trim(header.substr(0, header.find(';'))));
    type.resize(std::min(type.size(), type.find_first_of(" \t")));
    const size_t slash = type.find('/');
    const bool whole = slash != std::string::npos && slash > 0 && slash + 1 < type.size();
    return whole || type.empty() ? type : std::string(kPlain);
  }

  // "Subject: ...", whatever the value.
  static bool begins_field(std::string_view line) {
    const std::string_view name = trim(line.substr(0, std::min(line.find(':'), line.size())));
    return name.size() < line.size() && !name.empty() && line[0] > ' ' && name.find_first_of(" \t") == name.npos;
  }

  // Whether the head ends before this line, which is no field: what comes next is none either. A line that somebody
  // broke without folding it costs that line, not the fields below.
  static bool ends_head(const LineCursor& lines, const MimePart& part) {
    Line next;
    if (part.headers.empty() || !lines.peek(next)) return true;
    return !next.text.empty() && !begins_field(next.text) && next.text[0] != ' ' && next.text[0] != '\t';
  }

  static void take_headers(std::string_view message, int first_line, MimePart& part) {
    LineCursor lines(message, 0, first_line);
    Line line;
    part.body_line = first_line;
    for (LineCursor behind = lines; behind.next(line); lines = behind) {
      const bool folded = !line.text.empty() && (line.text[0] == ' ' || line.text[0] == '\t');
      const bool border = line.text.starts_with("From ") || line.text.starts_with(">From ");
      const bool field = !folded && line.text.find(':') != std::string_view::npos && !border;
      const bool blank = line.trimmed().empty();
      // A line of spaces is the end of a field that goes on, or was meant to be empty.
      const bool empty = line.text.empty() || (blank && ends_head(behind, part));
      if (!empty && !blank && !field && !folded && !border && ends_head(behind, part)) break;  // the body's first line
      part.body_line = line.number + 1;
      if (empty) {
        lines = behind;
        break;
      }
      take_header(line, folded, field, part);
    }
    part.body = message.substr(lines.offset());
  }

  static void take_header(const Line& line, bool folded, bool field, MimePart& part) {
    if (folded && !part.headers.empty()) {
      part.headers.back().second.append(" ").append(line.trimmed());
    } else if (field && part.headers.size() < kMostHeaders) {
      const size_t colon = line.text.find(':');
      part.headers.emplace_back(lower_ascii(trim(line.text.substr(0, colon))), trim(line.text.substr(colon + 1)));
    }
  }

  void take_children(const std::string& boundary, MimePart& part, int depth) {
    if (boundary.empty()) return;
    const std::string delimiter = "--" + boundary;
    const std::string_view inner = part.type == "multipart/digest" ? "message/rfc822" : kPlain;
    LineCursor lines(part.body, 0, part.body_line);
    Line line;
    size_t begin = std::string_view::npos;
    int begin_line = 0;
    bool closed = false;
    while (!closed && parts_ < kMostParts && lines.next(line)) {
      if (!line.text.starts_with(delimiter)) continue;
      if (begin != std::string_view::npos) {
        size_t end = line.begin;
        while (end > begin && (part.body[end - 1] == '\n' || part.body[end - 1] == '\r') && line.begin - end < 2) --end;
        part.children.push_back(parse(part.body.substr(begin, end - begin), begin_line, depth - 1, inner));
      }
      closed = line.text.substr(delimiter.size()).starts_with("--");
      begin = lines.offset();
      begin_line = line.number + 1;
    }
    // A message cut short: what is there of the last part.
    if (!closed && begin != std::string_view::npos && begin < part.body.size() && parts_ < kMostParts) {
      part.children.push_back(parse(part.body.substr(begin), begin_line, depth - 1, inner));
    }
  }

  int parts_ = 0;
};

}  // namespace

std::string_view MimePart::header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (key == name) return value;
  }
  return {};
}

namespace {

// "base64"; what stands behind it ("base64 (comment)", "quoted-printable;") is none of it.
std::string transfer_encoding(const MimePart& part) {
  const std::string encoding = lower_ascii(trim(part.header("content-transfer-encoding")));
  return encoding.substr(0, encoding.find_first_of("; \t("));
}

bool is_uuencode(std::string_view encoding) {
  return encoding == "x-uuencode" || encoding == "uuencode" || encoding == "x-uue";
}

}  // namespace

bool MimePart::body_is_plain() const {
  const std::string encoding = transfer_encoding(*this);
  return body_line > 0 && encoding != "base64" && encoding != "quoted-printable" && !is_uuencode(encoding);
}

std::string MimePart::decoded_body() const {
  const std::string encoding = transfer_encoding(*this);
  if (encoding == "base64") return decode_base64(body);
  if (encoding == "quoted-printable") return decode_quoted(body, '=', false);
  if (is_uuencode(encoding)) {
    std::vector<UuencodedFile> files = uuencoded_files(body);
    if (!files.empty()) return std::move(files.front().bytes);
  }
  return std::string(body);
}

MimePart parse_mime(std::string_view message, int depth, int first_line) {
  return MimeParser().parse(message, first_line, depth);
}

namespace {

// "=?utf-8?q?caf=C3=A9?=" at a place of a header.
struct EncodedWord {
  std::string_view charset;
  std::string bytes;
  size_t end = 0;  // behind it; 0: there is none
};

EncodedWord encoded_word_at(std::string_view raw, size_t at) {
  const size_t charset_end = raw.find('?', at + 2);
  if (charset_end == raw.npos || charset_end + 2 >= raw.size() || raw[charset_end + 2] != '?') return {};
  const char kind = static_cast<char>(raw[charset_end + 1] | 0x20);
  const size_t begin = charset_end + 3;
  const size_t end = raw.find("?=", begin);
  if (end == raw.npos || (kind != 'b' && kind != 'q')) return {};
  std::string word(raw.substr(begin, end - begin));
  if (kind == 'b') std::erase(word, ' ');  // of a fold in the middle
  return {.charset = raw.substr(at + 2, charset_end - at - 2),
          .bytes = kind == 'b' ? decode_base64(word) : decode_quoted(word, '=', true),
          .end = end + 2};
}

}  // namespace

std::string decode_header(std::string_view raw, std::string_view likely) {
  std::string text;
  std::string
      bytes;  // of words that follow each other in one encoding: a character may begin in one and end in the next
  std::string_view charset;
  size_t done = 0;
  const auto flush = [&] {
    text += to_utf8(bytes, charset);
    bytes.clear();
  };
  bool behind_word = false;
  for (size_t at = raw.find("=?"); at != std::string_view::npos;) {
    EncodedWord word = encoded_word_at(raw, at);
    if (word.end == 0) {
      at = raw.find("=?", at + 1);
      continue;
    }
    const std::string_view between = raw.substr(done, at - done);
    // White space between two encoded words is not part of the text.
    const bool apart = !behind_word || !trim(between).empty();
    if (apart || !equals_ignoring_case(word.charset, charset)) flush();
    if (apart) text += raw_text(between, likely);
    charset = word.charset;
    bytes += word.bytes;
    behind_word = true;
    done = word.end;
    at = raw.find("=?", done);
  }
  flush();
  return text + raw_text(raw.substr(done), likely);
}

}  // namespace mneme::readers
