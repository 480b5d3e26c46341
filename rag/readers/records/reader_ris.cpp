// RIS, what EndNote, Zotero, Mendeley and databases of literature export: two letters and a dash at the beginning of
// each line, "ER" ends a reference.
#include <string>
#include <utility>

#include "base/ascii.h"
#include "rag/readers/records/record_readers.h"
#include "rag/readers/records/reference_section.h"
#include "rag/readers/text_decoding.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

// "TY  - JOUR"; some programs leave the space behind the dash out where nothing follows.
bool is_field(std::string_view line) {
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  return line.size() >= 5 && is_upper(line[0]) && (is_upper(line[1]) || is_digit(line[1])) &&
         line.substr(2, 3) == "  -";
}

std::string kind_of(std::string_view type) {
  struct Kind {
    std::string_view type;
    std::string_view word;
  };
  static constexpr Kind kKinds[] = {{"JOUR", "article"}, {"BOOK", "book"},     {"CHAP", "chapter"},
                                    {"CONF", "paper"},   {"CPAPER", "paper"},  {"THES", "thesis"},
                                    {"RPRT", "report"},  {"ELEC", "web page"}, {"NEWS", "newspaper article"},
                                    {"PAT", "patent"},   {"COMP", "software"}};
  for (const Kind& kind : kKinds) {
    if (type == kind.type) return std::string(kind.word);
  }
  return {};
}

class RisReader {
 public:
  explicit RisReader(DocumentBuilder& builder) : builder_(builder) {}

  Status read(ReadContext& context, const std::string& name, std::string_view text) {
    LineCursor lines(text);
    Line line;
    while (lines.next(line) && !builder_.full()) {
      if (line.number % 4096 == 0) MNEME_RETURN_IF_ERROR(context.check(name));
      if (!is_field(line.text)) {
        if (last_ != nullptr && !line.blank()) last_->append(" ").append(trim(line.text));
        continue;
      }
      take(line.text.substr(0, 2), std::string(trim(line.text.substr(5))), line.number);
    }
    finish();
    return {};
  }

 private:
  void take(std::string_view tag, std::string value, int line) {
    last_ = nullptr;
    if (tag == "TY") finish();
    if (reference_.line_begin == 0) reference_.line_begin = line;
    reference_.line_end = line;
    if (tag == "ER") return finish();
    if (tag == "TY") reference_.kind = kind_of(value);
    if (tag == "AU" || tag == "A1")
      reference_.authors.push_back(std::move(value));
    else if (tag == "ED" || tag == "A2")
      reference_.editors.push_back(std::move(value));
    else if (tag == "KW")
      reference_.keywords.push_back(std::move(value));
    else if (tag == "SP")
      reference_.pages = value;
    else if (tag == "EP")
      reference_.pages.append(value.empty() ? "" : "-").append(value);
    else if (tag == "PY" || tag == "Y1" || tag == "DA")
      take_year(value);
    else if (std::string* place = place_of(tag)) {
      if (place->empty()) *place = std::move(value);
      last_ = place;
    }
  }

  std::string* place_of(std::string_view tag) {
    if (tag == "TI" || tag == "T1") return &reference_.title;
    if (tag == "T2" || tag == "JO" || tag == "JF" || tag == "BT") return &reference_.in;
    if (tag == "AB" || tag == "N2") return &reference_.abstract;
    if (tag == "N1") return &reference_.note;
    if (tag == "VL") return &reference_.volume;
    if (tag == "IS") return &reference_.number;
    if (tag == "PB") return &reference_.publisher;
    if (tag == "DO") return &reference_.doi;
    if (tag == "UR") return &reference_.link;
    if (tag == "SN") return &reference_.isbn;
    if (tag == "ID") return &reference_.key;
    return nullptr;
  }

  // "2019/03/12/spring"
  void take_year(const std::string& value) {
    if (reference_.year.empty()) reference_.year = value.substr(0, value.find('/'));
  }

  void finish() {
    last_ = nullptr;
    write_reference(reference_, builder_);
    reference_ = {};
  }

  DocumentBuilder& builder_;
  Reference reference_;
  std::string* last_ = nullptr;  // what a line without a field goes on with
};

}  // namespace

bool looks_like_ris(std::string_view beginning) {
  std::string_view head = beginning.substr(bom_length(beginning));
  head.remove_prefix(std::min(head.find_first_not_of(" \r\n"), head.size()));
  return head.starts_with("TY  - ");
}

Status read_ris(ReadContext& context, Input input) {
  auto decoded = decode_text(std::move(input.bytes));
  if (!decoded.ok()) return decoded.status().with_context(printable(input.name) + ": ");
  rag::Document document;
  document.format = "references";
  DocumentBuilder builder(document, context.limits().text_bytes);
  MNEME_RETURN_IF_ERROR(RisReader(builder).read(context, input.name, decoded->text));
  if (builder.empty()) return unsupported(printable(input.name) + " holds no reference with a title or an author.");
  return context.emit(input.name, std::move(document));
}

}  // namespace mneme::readers
