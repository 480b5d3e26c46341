// PowerPoint files of 1997 to 2003 (ppt): a slide is a page, its title a heading, as in those since 2007
// (reader_pptx.cpp); text, tables, speaker notes and comments.
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rag/readers/document_builder.h"
#include "rag/readers/office/compound_readers.h"
#include "rag/readers/office/little_endian.h"
#include "rag/readers/office/ole_properties.h"
#include "rag/readers/office/ppt_file.h"
#include "rag/readers/office/ppt_records.h"
#include "rag/readers/office/ppt_shapes.h"
#include "rag/readers/office/ppt_text.h"
#include "rag/readers/office/utf16_text.h"
#include "rag/readers/office_common.h"

namespace mneme::readers {
namespace {

// Types of records.
constexpr uint16_t kString = 0xfba;
constexpr uint16_t kTags = 0x1388;
constexpr uint16_t kTag = 0x138a;
constexpr uint16_t kTagData = 0x138b;
constexpr uint16_t kComment = 0x2ee0;

bool is_title(const PptShape& shape) {
  return !shape.is_furniture && !shape.texts.empty() && shape.texts.front().kind() == PptText::Kind::kTitle;
}

class SlidesReader {
 public:
  SlidesReader(ReadContext& context, const std::string& name, const PptFile& file, DocumentBuilder& builder)
      : context_(context), name_(name), file_(file), builder_(builder) {}

  Status read() {
    int number = 0;
    for (const PptFile::Slide& slide : file_.slides()) {
      builder_.set_page(++number);
      if (slide.body.empty()) {
        lost_.push_back(number);
        for (const PptText& text : slide.outline) write(text);
      } else {
        add_slide(slide);
      }
      add_notes(slide.notes);
      add_comments(slide.body, kDeepestTag);
      MNEME_RETURN_IF_ERROR(context_.check(name_));
    }
    write_notes();
    return {};
  }

 private:
  static constexpr int kDeepestTag = 4;

  // The title comes first: shapes lie in the order in which they are drawn, whatever they are.
  void add_slide(const PptFile::Slide& slide) {
    const std::vector<PptShape> shapes = ppt_shapes(slide.body, slide.outline, context_.limits().structure_depth);
    const auto title = std::find_if(shapes.begin(), shapes.end(), is_title);
    if (title != shapes.end()) write(*title);
    for (auto shape = shapes.begin(); shape != shapes.end(); ++shape) {
      if (shape != title && !shape->is_furniture) write(*shape);
    }
    bool has_own = false;
    std::string footer = clean_text(ppt_footer(slide.body, 0, has_own));
    if (!has_own) footer = clean_text(file_.footer());
    if (footers_.insert(footer).second) builder_.paragraph(footer);
  }

  void write(const PptShape& shape) {
    for (const PptText& text : shape.texts) write(text);
    for (const std::vector<std::string>& row : shape.rows) builder_.table_row(row);
  }

  void write(const PptText& text) {
    std::string title;
    for (const PptParagraph& paragraph : text.paragraphs()) {
      switch (text.kind()) {
        case PptText::Kind::kTitle: title.append(title.empty() ? "" : " ").append(paragraph.text); break;
        case PptText::Kind::kBody: builder_.list_item(paragraph.text, paragraph.level); break;
        case PptText::Kind::kOther: builder_.paragraph(paragraph.text); break;
      }
    }
    if (text.kind() == PptText::Kind::kTitle) builder_.heading(1, title);
  }

  // The page of notes repeats the slide's number, date and picture.
  void add_notes(std::string_view notes) {
    constexpr std::string_view kLabel = "Speaker notes: ";
    for (const PptShape& shape : ppt_shapes(notes, {}, context_.limits().structure_depth)) {
      if (shape.is_furniture) continue;
      bool first = true;
      for (const PptText& part : shape.texts) {
        for (const PptParagraph& paragraph : part.paragraphs()) {
          const std::string text = clean_text(paragraph.text);
          if (text.empty()) continue;
          builder_.paragraph(std::exchange(first, false) ? std::string(kLabel).append(text) : text);
        }
      }
    }
  }

  // They came with PowerPoint 2000, in places where older programs do not look.
  void add_comments(std::string_view body, int depth_left) {
    if (depth_left <= 0) return;
    PptRecords records(body);
    for (PptRecord record; records.next(record);) {
      if (record.type == kComment) {
        add_comment(record.body);
      } else if (record.type == kTags || record.type == kTag || record.type == kTagData) {
        add_comments(record.body, depth_left - 1);
      }
    }
  }

  void add_comment(std::string_view comment) {
    std::string author;
    std::string text;
    PptRecords records(comment);
    for (PptRecord record; records.next(record);) {
      if (record.type != kString) continue;
      if (record.instance == 0) author = text_in_utf16(record.body);
      if (record.instance == 1) text = text_in_utf16(record.body);
    }
    builder_.paragraph(comment_line(author, {}, text));
  }

  void write_notes() {
    constexpr size_t kMostNotes = 20;
    std::vector<std::string>& notes = builder_.document().notes;
    for (size_t i = 0; i < std::min(lost_.size(), kMostNotes); ++i) {
      notes.push_back("slide " + std::to_string(lost_[i]) + " could not be read");
    }
    if (lost_.size() > kMostNotes) {
      notes.push_back(std::to_string(lost_.size() - kMostNotes) + " more slides could not be read");
    }
    if (file_.is_guessed()) notes.emplace_back("the list of slides could not be read: they may stand in another order");
  }

  ReadContext& context_;
  const std::string& name_;
  const PptFile& file_;
  DocumentBuilder& builder_;
  std::set<std::string, std::less<>> footers_;  // those that are told already
  std::vector<int> lost_;
};

}  // namespace

Status read_slides(ReadContext& context, const std::string& name, const CompoundFile& compound) {
  const Result<PptFile> file = PptFile::open(compound);
  if (!file.ok()) return file.status().with_context(printable(name) + ": ");
  rag::Document document;
  document.format = "ppt";
  take_ole_properties(compound.stream(kSummaryStream), document);
  DocumentBuilder builder(document, context.limits().text_bytes);
  MNEME_RETURN_IF_ERROR(SlidesReader(context, name, *file, builder).read());
  if (builder.empty()) return unsupported(printable(name) + " holds no text.");
  title_from_heading(document);
  return context.emit(name, std::move(document));
}

}  // namespace mneme::readers
