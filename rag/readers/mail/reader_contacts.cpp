// Contacts (vCard 2.1 to 4.0, RFC 6350): each card becomes a section headed by the name, a line for each way to reach
// the person or company, with the lines of the file that it stands in. Pictures, sounds and keys are passed over.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ascii.h"
#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/mail/calendar_words.h"
#include "rag/readers/mail/content_lines.h"
#include "rag/readers/mail/entry_documents.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

struct Card {
  std::vector<ContentLine> lines;
  int line_begin = 0;
};

// The pieces that say something, joined.
std::string joined(const std::vector<std::string>& pieces, std::string_view between) {
  std::string text;
  for (const std::string& piece : pieces) {
    const std::string clean = clean_text(piece);
    if (!clean.empty()) text.append(text.empty() ? "" : between).append(clean);
  }
  return text;
}

std::string as_text(const ContentLine& line) {
  return unescape_content(line.value);
}

std::string without_scheme(const ContentLine& line) {
  std::string_view value = trim(line.value);
  for (const std::string_view scheme : {"tel:", "mailto:"}) {
    if (equals_ignoring_case(value.substr(0, scheme.size()), scheme)) value.remove_prefix(scheme.size());
  }
  return unescape_content(value);
}

std::string structured(const ContentLine& line) {
  return joined(split_content(line.value, ';'), ", ");
}

std::string listed(const ContentLine& line) {
  return joined(split_content(line.value, ','), ", ");
}

// "20260303", "2026-03-03" and "--0303", the day of a year that is not told; all else as it stands.
std::string date(const ContentLine& line) {
  std::string digits;
  for (const char c : std::string_view(line.value).substr(0, std::min(line.value.find('T'), size_t{20}))) {
    if (is_digit(c)) digits.push_back(c);
  }
  const bool of_any_year = line.value.starts_with("--") && digits.size() == 4;
  // Of a leap year, which has all days.
  const auto time = parse_calendar_time(of_any_year ? "2000" + digits : digits, "");
  if (!time) return as_text(line);
  const std::string words = day_in_words(*time);
  // Who asks for a birthday does not ask for the day of the week.
  const std::string day = words.substr(words.find(", ") + 2);
  return of_any_year ? day.substr(0, day.rfind(' ')) : day;
}

using Words = std::string (*)(const ContentLine& line);

struct Property {
  std::string_view name;
  std::string_view label;
  Words words;
};

// In the order in which a card is read.
constexpr std::array kProperties = {
    Property{"NICKNAME", "Nickname", listed},
    Property{"ORG", "Organisation", structured},
    Property{"TITLE", "Position", as_text},
    Property{"ROLE", "Role", as_text},
    Property{"TEL", "Telephone", without_scheme},
    Property{"EMAIL", "Mail", without_scheme},
    Property{"IMPP", "Messages", as_text},
    Property{"ADR", "Address", structured},
    Property{"BDAY", "Birthday", date},
    Property{"ANNIVERSARY", "Anniversary", date},
    Property{"X-ANNIVERSARY", "Anniversary", date},
    Property{"RELATED", "Related", as_text},
    Property{"CATEGORIES", "Categories", listed},
    Property{"URL", "Link", as_text},
    Property{"NOTE", "Note", as_text},
};

class CardWriter {
 public:
  CardWriter(const Card& card, DocumentBuilder& builder) : card_(card), builder_(builder) {}

  void write() {
    heading();
    for (const Property& property : kProperties) {
      for (const ContentLine& line : card_.lines) {
        if (line.name == property.name) add(property, line);
      }
    }
  }

  // What the card is called by; "" when it says nothing.
  static std::string name(const Card& card, const ContentLine** place) {
    for (const std::string_view property : {"FN", "N", "ORG", "NICKNAME", "EMAIL", "TEL"}) {
      for (const ContentLine& line : card.lines) {
        if (line.name != property) continue;
        std::string text = property == "N" ? name_in_order(line) : property == "ORG" ? structured(line) : as_text(line);
        text = clean_text(text);
        *place = &line;
        if (!text.empty()) return text;
      }
    }
    return {};
  }

 private:
  // Family; given; further; before; behind.
  static std::string name_in_order(const ContentLine& line) {
    std::vector<std::string> parts = split_content(line.value, ';');
    parts.resize(5);
    return joined({parts[3], parts[1], parts[2], parts[0], parts[4]}, " ");
  }

  void heading() {
    const ContentLine* place = nullptr;
    const std::string text = name(card_, &place);
    builder_.set_lines(place ? place->line_begin : card_.line_begin, place ? place->line_end : card_.line_begin);
    builder_.heading(2, text.empty() ? "Untitled card" : text);
  }

  // "work, mobile": of the types those that people use.
  std::string kind(const ContentLine& line) const {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kKinds = {{{"work", "work"},
                                                                                             {"home", "home"},
                                                                                             {"cell", "mobile"},
                                                                                             {"fax", "fax"},
                                                                                             {"pager", "pager"},
                                                                                             {"main", "main"},
                                                                                             {"dom", "domestic"},
                                                                                             {"other", "other"}}};
    std::vector<std::string> kinds;
    const std::string types = "," + lower_ascii(line.parameter("TYPE")) + ",";
    for (const auto& [type, word] : kKinds) {
      if (types.find("," + std::string(type) + ",") != types.npos) kinds.emplace_back(word);
    }
    for (const ContentLine& other : card_.lines) {
      if (!line.group.empty() && other.group == line.group && other.name == "X-ABLABEL") {
        kinds.push_back(own_label(other.value));
      }
    }
    return joined(kinds, ", ");
  }

  // "_$!<Home>!$_", as Apple writes its own words.
  static std::string own_label(std::string_view value) {
    const size_t begin = value.find('<');
    const size_t end = value.rfind('>');
    const bool wrapped = value.starts_with("_$!<") && end != value.npos && begin < end;
    return wrapped ? lower_ascii(value.substr(begin + 1, end - begin - 1)) : unescape_content(value);
  }

  void add(const Property& property, const ContentLine& line) {
    const std::string words = clean_text(property.words(line));
    if (words.empty() || equals_ignoring_case(words.substr(0, 5), "data:")) return;
    const std::string sort = kind(line);
    builder_.set_lines(line.line_begin, line.line_end);
    builder_.list_item(std::string(property.label) + (sort.empty() ? "" : " (" + sort + ")") + ": " + words);
  }

  const Card& card_;
  DocumentBuilder& builder_;
};

bool wanted(const ContentLine& line) {
  if (line.name == "FN" || line.name == "N" || line.name == "X-ABLABEL") return true;
  return std::any_of(kProperties.begin(), kProperties.end(),
                     [&](const Property& property) { return property.name == line.name; });
}

class ContactsReader {
 public:
  ContactsReader(ReadContext& context, const std::string& name, DocumentBuilder& builder)
      : context_(context), name_(name), builder_(builder) {}

  Status read(ContentLineCursor& lines) {
    ContentLine line;
    for (uint64_t count = 0; !builder_.full() && lines.next(line); ++count) {
      if (count % 1024 == 0) MNEME_RETURN_IF_ERROR(context_.check(name_));
      take(line);
    }
    if (card_) {
      builder_.document().notes.push_back("the file ends in the middle of a card");
      finish();
    }
    if (cards_ == 1) builder_.document().title = first_name_;
    return {};
  }

  bool is_contacts() const { return is_contacts_; }

 private:
  static constexpr size_t kMostLines = 1'000;  // of one card

  void take(ContentLine& line) {
    if (line.is("BEGIN", "VCARD")) {
      is_contacts_ = true;
      if (card_) finish();
      card_.emplace();
      card_->line_begin = line.line_begin;
    } else if (card_ && line.is("END", "VCARD")) {
      finish();
    } else if (card_ && wanted(line) && card_->lines.size() < kMostLines) {
      card_->lines.push_back(std::move(line));
    }
  }

  void finish() {
    if (!card_->lines.empty()) {
      const ContentLine* place = nullptr;
      if (cards_++ == 0) first_name_ = CardWriter::name(*card_, &place);
      CardWriter(*card_, builder_).write();
    }
    card_.reset();
  }

  ReadContext& context_;
  const std::string& name_;
  DocumentBuilder& builder_;
  std::optional<Card> card_;
  uint64_t cards_ = 0;
  std::string first_name_;
  bool is_contacts_ = false;
};

}  // namespace

Result<rag::Document> contacts_document(ReadContext& context, Input input) {
  auto lines = ContentLineCursor::open(std::move(input.bytes));
  if (!lines.ok()) return lines.status().with_context(printable(input.name) + ": ");
  rag::Document document;
  document.format = "vcf";
  if (!lines->note().empty()) document.notes.push_back(lines->note());
  DocumentBuilder builder(document, context.limits().text_bytes);
  ContactsReader reader(context, input.name, builder);
  MNEME_RETURN_IF_ERROR(reader.read(*lines));
  if (!reader.is_contacts()) return corruption(printable(input.name) + " is damaged: no card begins in it.");
  if (builder.empty()) return unsupported(printable(input.name) + " holds no card with a name or an address.");
  return document;
}

Status read_contacts(ReadContext& context, Input input) {
  const std::string name = input.name;
  MNEME_ASSIGN_OR_RETURN(rag::Document document, contacts_document(context, std::move(input)));
  return context.emit(name, std::move(document));
}

}  // namespace mneme::readers
