#include "rag/readers/office/docx_notes.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "rag/readers/office/office_math.h"
#include "rag/readers/office/word_forms.h"
#include "rag/readers/office/word_text.h"
#include "rag/readers/office_common.h"

namespace mneme::readers {
namespace {

constexpr std::string_view kComment = "commentReference";
constexpr size_t kMostRunning = 64;  // headers and footers that are looked at

void collect_note(const pugi::xml_node& node, std::string& text, int depth) {
  if (depth <= 0) return;
  for (const pugi::xml_node child : node.children()) {
    const std::string_view name = local_name(child);
    if (const auto said = word_characters(child)) {
      text += *said;
    } else if (const Shift shift = word_shift(child); shift != Shift::kNone) {
      std::string shifted;
      collect_note(child, shifted, depth - 1);
      append_shifted(text, shifted, shift);
    } else if (name == "oMath") {
      text += math_text(child, depth - 1);
    } else if ((name == "sdt" && is_unfilled(child)) || (name == "r" && is_hidden_run(child))) {
      continue;
    } else if (!is_unseen_in_word(name)) {
      if (name == "p" && !text.empty()) text += ' ';
      collect_note(child, text, depth - 1);
    }
  }
}

// What a field shows that differs from page to page, or from day to day. instruction: " PAGE \\* MERGEFORMAT ".
bool counts(std::string_view instruction) {
  static constexpr std::array<std::string_view, 10> kCounting = {
      "page", "numpages", "section", "sectionpages", "date", "time", "savedate", "printdate", "createdate", "filename"};
  instruction = trim(instruction);
  const std::string name = lower_ascii(instruction.substr(0, instruction.find_first_of(" \\")));
  return std::find(kCounting.begin(), kCounting.end(), name) != kCounting.end();
}

// The paragraphs of a header or footer. Word writes a field as runs between marks, or as an element of its own.
class RunningWalker {
 public:
  explicit RunningWalker(RunningTexts& texts) : texts_(texts) {}

  void walk(const pugi::xml_node& node, int depth) {
    if (depth <= 0) return;
    for (const pugi::xml_node child : node.children()) {
      const std::string_view name = local_name(child);
      if (name == "p") {
        take_paragraph(child, depth - 1);
      } else if (!is_unseen_in_word(name)) {
        walk(child, depth - 1);
      }
    }
  }

 private:
  struct Field {
    std::string instruction;
    bool is_shown = false;  // from here on what it shows
  };
  struct Paragraph {
    std::string text;
    bool has_fields = false;    // that count
    std::vector<Field> within;  // one in the other
  };

  void take_paragraph(const pugi::xml_node& node, int depth) {
    Paragraph paragraph;
    collect(node, depth, paragraph);
    texts_.take(paragraph.text, paragraph.has_fields);
  }

  void collect(const pugi::xml_node& node, int depth, Paragraph& paragraph) {
    if (depth <= 0) return;
    for (const pugi::xml_node child : node.children()) {
      const std::string_view name = local_name(child);
      if (name == "fldChar") {
        take_mark(attribute_named(child, "fldCharType"), paragraph);
      } else if (name == "instrText" && !paragraph.within.empty()) {
        paragraph.within.back().instruction += child.child_value();
      } else if (name == "fldSimple" && counts(attribute_named(child, "instr"))) {
        paragraph.has_fields = true;
      } else if (const auto said = word_characters(child)) {
        if (is_told(paragraph)) paragraph.text += *said;
      } else if (name == "txbxContent") {
        walk(child, depth - 1);
      } else if (name == "textpath") {
        texts_.take(attribute_named(child, "string"), false);  // across the page: "DRAFT"
      } else if (!is_unseen_in_word(name)) {
        collect(child, depth - 1, paragraph);
      }
    }
  }

  static void take_mark(std::string_view type, Paragraph& paragraph) {
    std::vector<Field>& within = paragraph.within;
    constexpr size_t kDeepestField = 20;
    if (type == "begin" && within.size() < kDeepestField) within.emplace_back();
    if (within.empty()) return;
    if (type == "separate") within.back().is_shown = true;
    if (type != "end") return;
    paragraph.has_fields = paragraph.has_fields || counts(within.back().instruction);
    within.pop_back();
  }

  static bool is_told(const Paragraph& paragraph) {
    return std::all_of(paragraph.within.begin(), paragraph.within.end(),
                       [](const Field& field) { return field.is_shown && !counts(field.instruction); });
  }

  RunningTexts& texts_;
};

}  // namespace

Status DocxNotes::read(SideParts& parts, const PartLinks& links, const std::string& folder, int depth) {
  depth_ = depth;
  const auto part_of = [&](std::string_view kind) {
    const std::string named = links.target_by_kind(kind);
    return named.empty() ? folder + std::string(kind) + ".xml" : named;
  };
  MNEME_RETURN_IF_ERROR(read_notes(parts, part_of("footnotes"), "footnoteReference", "the footnotes"));
  MNEME_RETURN_IF_ERROR(read_notes(parts, part_of("endnotes"), "endnoteReference", "the endnotes"));
  MNEME_RETURN_IF_ERROR(read_notes(parts, part_of("comments"), kComment, "the comments"));
  return read_running(parts, links);
}

Status DocxNotes::read_notes(SideParts& parts, const std::string& part, std::string_view reference,
                             std::string_view what) {
  pugi::xml_document tree;
  MNEME_RETURN_IF_ERROR(parts.read_if_there(part, what, tree));
  for (const pugi::xml_node note : tree.document_element().children()) {
    std::string text;
    collect_note(note, text, depth_);
    std::string key = std::string(reference).append(attribute_named(note, "id"));
    if (reference == kComment) {
      text = comment_line(attribute_named(note, "author"), {}, text);
      comments_.push_back(key);
    }
    notes_[std::move(key)] = {std::move(text), reference == kComment, false};
  }
  return {};
}

Status DocxNotes::read_running(SideParts& parts, const PartLinks& links) {
  size_t n_read = 0;
  for (const PartLink& link : links) {
    if ((link.kind != "header" && link.kind != "footer") || n_read++ >= kMostRunning) continue;
    pugi::xml_document tree;
    MNEME_RETURN_IF_ERROR(parts.read(link.target, "a " + link.kind, tree));
    RunningWalker(running_).walk(tree.document_element(), depth_);
  }
  return {};
}

std::string DocxNotes::called(std::string_view reference, std::string_view id) {
  const auto found = notes_.find(std::string(reference).append(id));
  if (found == notes_.end()) return {};
  Note& note = found->second;
  if (note.is_comment && std::exchange(note.is_called, true)) return {};
  return note.text;
}

std::vector<std::string> DocxNotes::uncalled_comments() const {
  std::vector<std::string> texts;
  for (const std::string& key : comments_) {
    const Note& note = notes_.at(key);
    if (!note.is_called) texts.push_back(note.text);
  }
  return texts;
}

}  // namespace mneme::readers
