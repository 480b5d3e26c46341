#include "rag/readers/pdf/pdf_attachments.h"

#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "rag/readers/format_list.h"
#include "rag/readers/office/utf16_text.h"
#include "rag/readers/text_decoding.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr std::string_view kSign = "/EmbeddedFile";
constexpr size_t kMostFiles = 1000;
constexpr size_t kLongestDictionary = 4096;
constexpr size_t kMostListBytes = size_t{16} << 20;  // of objects that are packed together
constexpr std::string_view kSpace = " \t\r\n\f";

// A stream of the file: its object's number, its dictionary, its bytes as they stand.
struct Stream {
  int number = 0;
  std::string_view dictionary;
  std::string_view bytes;
};

std::optional<int> number_at(std::string_view text, size_t at) {
  at = std::min(text.find_first_not_of(kSpace, at), text.size());
  int number = 0;
  const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
  return error == std::errc() && end != text.data() + at ? std::optional(number) : std::nullopt;
}

// Of "12 0 obj", whose last word is at `at`.
int number_before(std::string_view pdf, size_t at) {
  size_t end = pdf.find_last_of("0123456789", at);  // of the generation
  if (end == pdf.npos) return 0;
  const size_t space = pdf.find_last_not_of("0123456789", end);
  end = space == pdf.npos ? pdf.npos : pdf.find_last_of("0123456789", space);
  if (end == pdf.npos || at - end > 20) return 0;
  const size_t begin = pdf.find_last_not_of("0123456789", end);
  return number_at(pdf, begin == pdf.npos ? 0 : begin + 1).value_or(0);
}

// The stream whose dictionary holds the place.
std::optional<Stream> stream_around(std::string_view pdf, size_t place) {
  const size_t first = place - std::min(place, kLongestDictionary);
  size_t object = pdf.substr(first, place - first).rfind("obj");
  size_t stream = pdf.substr(place, kLongestDictionary).find("stream");
  if (object == pdf.npos || stream == pdf.npos) return std::nullopt;
  object += first;
  stream += place;
  Stream found{.number = number_before(pdf, object),
               .dictionary = pdf.substr(object + 3, stream - object - 3),
               .bytes = pdf.substr(stream + 6)};
  if (found.dictionary.find("endobj") != pdf.npos) return std::nullopt;
  if (found.bytes.starts_with('\r')) found.bytes.remove_prefix(1);
  if (found.bytes.starts_with('\n')) found.bytes.remove_prefix(1);
  const size_t length = found.dictionary.find("/Length");
  const auto told = length == pdf.npos ? std::nullopt : number_at(found.dictionary, length + 7);
  // The length may stand in another object.
  const bool is_told = told && *told >= 0 && static_cast<size_t>(*told) <= found.bytes.size() &&
                       found.bytes.substr(static_cast<size_t>(*told), 12).find("endstream") != pdf.npos;
  const size_t size = is_told ? static_cast<size_t>(*told) : found.bytes.find("endstream");
  found.bytes = found.bytes.substr(0, size);
  return found;
}

// As far as it can be unpacked, up to `most_bytes`.
std::string inflated(std::string_view packed, uint64_t most_bytes) {
  z_stream state{};
  if (inflateInit(&state) != Z_OK) return {};
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  state.avail_in = static_cast<uInt>(std::min<size_t>(packed.size(), 0xffffffffU));
  std::string whole;
  std::string piece(size_t{64} << 10, '\0');
  int result = Z_OK;
  while (result == Z_OK && whole.size() < most_bytes) {
    state.next_out = reinterpret_cast<Bytef*>(piece.data());
    state.avail_out = static_cast<uInt>(piece.size());
    result = inflate(&state, Z_NO_FLUSH);
    whole.append(piece, 0, piece.size() - state.avail_out);
  }
  inflateEnd(&state);
  return whole;
}

// "" where it is packed in another way.
std::string unpacked(const Stream& stream, uint64_t most_bytes) {
  const bool is_packed = stream.dictionary.find("/Filter") != stream.dictionary.npos;
  if (!is_packed) return std::string(stream.bytes.substr(0, most_bytes));
  const bool otherwise = stream.dictionary.find("/DecodeParms") != stream.dictionary.npos;
  const bool by_zlib = stream.dictionary.find("/FlateDecode") != stream.dictionary.npos;
  return by_zlib && !otherwise ? inflated(stream.bytes, most_bytes) : std::string();
}

// --- names

// The dictionary that `at` is in: from its "<<" to its ">>".
std::string_view dictionary_around(std::string_view text, size_t at) {
  size_t begin = at;
  const size_t first = at - std::min(at, kLongestDictionary);
  for (int depth = 0; begin > first; --begin) {
    const std::string_view two = text.substr(begin - 1, 2);
    if (two == ">>") ++depth;
    if (two == "<<" && depth-- == 0) break;
    if (two == ">>" || two == "<<") --begin;
    if (begin == first) break;
  }
  size_t end = at;
  const size_t last = std::min(text.size(), at + kLongestDictionary);
  for (int depth = 0; end + 1 < last; ++end) {
    const std::string_view two = text.substr(end, 2);
    if (two == "<<") ++depth;
    if (two == ">>" && depth-- == 0) break;
    if (two == ">>" || two == "<<") ++end;
  }
  return text.substr(begin, end > begin ? end - begin : 0);
}

std::string unescaped(std::string_view written) {
  std::string text;
  int depth = 0;
  for (size_t i = 0; i < written.size(); ++i) {
    char c = written[i];
    if (c == '(') ++depth;
    if (c == ')' && depth-- == 0) break;
    if (c == '\\' && i + 1 < written.size()) {
      c = written[++i];
      if (c >= '0' && c <= '7') {
        int code = 0;
        size_t n = 0;
        for (; n < 3 && i < written.size() && written[i] >= '0' && written[i] <= '7'; ++n) {
          code = code * 8 + (written[i++] - '0');
        }
        --i;
        c = static_cast<char>(code);
      }
    }
    text += c;
  }
  return text;
}

std::string from_hex(std::string_view written) {
  std::string bytes;
  int high = -1;
  for (const char c : written.substr(0, written.find('>'))) {
    const int digit = is_digit(c)            ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) continue;
    if (high >= 0) bytes += static_cast<char>(high * 16 + digit);
    high = high < 0 ? digit : -1;
  }
  return bytes;
}

std::string text_of_string(std::string_view written) {
  const std::string bytes = written.starts_with('(') ? unescaped(written.substr(1)) : from_hex(written.substr(1));
  if (!bytes.starts_with("\xfe\xff")) {
    auto text = decode_text(bytes);
    return text.ok() ? std::move(text->text) : std::string();
  }
  std::string swapped = bytes.substr(2);
  for (size_t i = 0; i + 1 < swapped.size(); i += 2) std::swap(swapped[i], swapped[i + 1]);
  return text_in_utf16(swapped);
}

std::string name_in(std::string_view dictionary) {
  for (const std::string_view key : {"/UF", "/F"}) {
    for (size_t at = dictionary.find(key); at != dictionary.npos; at = dictionary.find(key, at + 1)) {
      const size_t value = dictionary.find_first_not_of(kSpace, at + key.size());
      if (value == dictionary.npos) continue;
      const bool is_string =
          dictionary[value] == '(' || (dictionary[value] == '<' && dictionary.substr(value, 2) != "<<");
      if (is_string) return text_of_string(dictionary.substr(value));
    }
  }
  return {};
}

// What the file calls the streams, by their numbers: "/EF << /F 12 0 R >>" within what has a name.
void take_names(std::string_view text, std::map<int, std::string>& names) {
  for (size_t at = text.find("/EF"); at != text.npos && names.size() < kMostFiles; at = text.find("/EF", at + 3)) {
    const size_t open = text.find_first_not_of(kSpace, at + 3);
    if (open == text.npos || text.substr(open, 2) != "<<") continue;
    constexpr size_t kLongest = 256;
    const std::string_view files = text.substr(open, std::min(text.substr(open, kLongest).find(">>"), kLongest));
    const size_t key = files.find("/F");
    const auto number = key == files.npos ? std::nullopt : number_at(files, key + 2);
    const std::string name = name_in(dictionary_around(text, at));
    if (number && !name.empty()) names.emplace(*number, name);
  }
}

Result<std::map<int, std::string>> names_in(ReadContext& context, const std::string& name, std::string_view pdf) {
  std::map<int, std::string> names;
  take_names(pdf, names);
  size_t left = kMostListBytes;
  for (size_t at = pdf.find("/ObjStm"); at != pdf.npos && left > 0; at = pdf.find("/ObjStm", at + 7)) {
    MNEME_RETURN_IF_ERROR(context.check(name));
    const auto stream = stream_around(pdf, at);
    if (!stream) continue;
    const std::string objects = unpacked(*stream, left);
    left -= std::min(left, objects.size());
    take_names(objects, names);
  }
  return names;
}

bool is_wanted(const std::string& name) {
  const std::string lower = lower_ascii(name);
  for (const std::string_view invoice : {"factur-x.xml", "zugferd-invoice.xml", "xrechnung.xml", "order-x.xml"}) {
    if (lower == invoice) return false;
  }
  return worth_opening(name);
}

// Places within the dictionaries of files, in order: streams say that they are files, but need not where a name refers
// to them. Of an object that was written again the last holds.
std::set<size_t> places_of_files(std::string_view pdf, const std::map<int, std::string>& names) {
  std::set<size_t> places;
  std::set<int> told;
  for (size_t at = pdf.find(kSign); at != pdf.npos; at = pdf.find(kSign, at + kSign.size())) {
    const bool is_list = pdf.substr(at + kSign.size(), 1) == "s";  // of all of them
    const auto stream = is_list ? std::nullopt : stream_around(pdf, at);
    if (!stream) continue;
    places.insert(at);
    told.insert(stream->number);
  }
  constexpr std::string_view kObject = " obj";
  constexpr size_t kLongestNumber = 24;  // with its generation
  std::map<int, size_t> others;
  for (size_t at = pdf.find(kObject); at != pdf.npos; at = pdf.find(kObject, at + kObject.size())) {
    const size_t first = at - std::min(at, kLongestNumber);
    const int number = number_before(pdf.substr(first, at - first + 1), at - first);
    if (names.contains(number) && !told.contains(number)) others[number] = at + kObject.size();
  }
  for (const auto& [number, place] : others) places.insert(place);
  return places;
}

}  // namespace

Result<std::vector<PdfAttachment>> attachments_in(ReadContext& context, const std::string& name, std::string_view pdf) {
  std::vector<PdfAttachment> attachments;
  if (context.depth() >= context.limits().container_depth || pdf.find(kSign) == pdf.npos) return attachments;
  if (pdf.find("/Encrypt") != pdf.npos) return attachments;
  MNEME_ASSIGN_OR_RETURN(const auto names, names_in(context, name, pdf));
  for (const size_t place : places_of_files(pdf, names)) {
    MNEME_RETURN_IF_ERROR(context.check(name));
    const auto stream = attachments.size() >= kMostFiles ? std::nullopt : stream_around(pdf, place);
    if (!stream) continue;
    const auto known = names.find(stream->number);
    std::string file = safe_label(known == names.end() ? "attachment" : known->second);
    if (file.empty() || !is_wanted(file)) continue;
    const uint64_t most = std::min(context.unpacked_left(), context.limits().file_bytes);
    std::string bytes = unpacked(*stream, most);
    MNEME_RETURN_IF_ERROR(context.charge_unpacked(name, bytes.size()));
    if (!bytes.empty()) attachments.push_back({.name = std::move(file), .bytes = std::move(bytes)});
  }
  return attachments;
}

Status read_pdf_attachments(ReadContext& context, std::vector<PdfAttachment> attachments) {
  for (PdfAttachment& attachment : attachments) {
    if (find_format(attachment.name, attachment.bytes) == nullptr) continue;
    MNEME_RETURN_IF_ERROR(context.charge_member(attachment.name));
    const std::string member = attachment.name;
    MNEME_RETURN_IF_ERROR(
        context.read_member(member, Input{.name = std::move(attachment.name), .bytes = std::move(attachment.bytes)}));
  }
  return {};
}

}  // namespace mneme::readers
