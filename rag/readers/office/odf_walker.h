// The body of an OpenDocument file: paragraphs, lists, tables; notes, comments, text boxes, charts and other embedded
// documents below what holds them. Internal to rag/readers. Ownership: borrows context, parts and builder. Threads: one
// thread each.
#pragma once

#include <memory>
#include <pugixml.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "rag/readers/document_builder.h"
#include "rag/readers/office/odf_numbering.h"
#include "rag/readers/office/odf_shifted_styles.h"
#include "rag/readers/office/office_drawing.h"
#include "rag/readers/office/side_parts.h"

namespace mneme::readers {

// A footnote, or a comment, which has an author.
struct OdfNote {
  bool is_comment = false;
  std::string author;
  std::string text;
};

class OdfWalker {
 public:
  // How the file that is walked numbers and shifts text.
  struct Styles {
    OdfNumbering numbering;
    OdfShiftedStyles shifted;
  };
  // numbers: whether charts tell theirs.
  OdfWalker(ReadContext& context, SideParts& parts, DocumentBuilder& builder, Styles styles, ChartNumbers numbers)
      : context_(context),
        parts_(parts),
        builder_(builder),
        numbering_(std::move(styles.numbering)),
        shifted_(std::move(styles.shifted)),
        numbers_(numbers) {}

  // breaking: names of the styles that begin a page.
  void count_pages(std::set<std::string, std::less<>> breaking);

  void walk(const pugi::xml_node& node, int depth = 0, int list_depth = 0);
  // A slide of a presentation, which is a page.
  void take_slide(const pugi::xml_node& slide, int number);

  void begin_table() { hanging_.clear(); }
  // One for each column, those at the end that are empty left out. What a cell over several rows says it says in each.
  std::vector<std::string> cells_of(const pugi::xml_node& row);

  // Notes and comments met since they were last taken or written.
  std::vector<OdfNote> take_notes();
  // Writes text boxes and embedded documents met since.
  void add_boxes(int depth);
  bool has_boxes() const { return !boxes_.empty(); }

  // What ended the walk early.
  const Status& status() const { return status_; }

 private:
  using Objects = std::vector<std::unique_ptr<pugi::xml_document>>;

  void take_block(const pugi::xml_node& node, std::string_view name, int depth, int list_depth);
  void take_heading(const pugi::xml_node& node, int depth);
  void take_list(const pugi::xml_node& node, int depth, int list_depth);
  void take_paragraph(const pugi::xml_node& node, int depth, int list_depth);
  void take_speaker_notes(const pugi::xml_node& node, int depth);
  // depth: of the walk; group_depth: of rows in groups.
  void take_table(const pugi::xml_node& table, int depth, int group_depth = 0);
  void walk_cells(const pugi::xml_node& row, int depth);
  bool take_object(const pugi::xml_node& node, std::string& text);
  void add_object(const pugi::xml_node& document, int depth);
  void add_chart(const pugi::xml_node& chart);
  void add_what_hangs_on(int depth);

  std::string text_of(const pugi::xml_node& node);
  void collect(const pugi::xml_node& node, std::string& text, int depth);
  void collect_list(const pugi::xml_node& list, std::string& text, int depth);
  bool collect_beside(const pugi::xml_node& node, std::string_view name, int depth);
  OdfNote comment_of(const pugi::xml_node& annotation, int depth);

  // A cell that reaches into the rows below it.
  struct Hanging {
    int rows = 0;
    std::string text;
  };
  void hang(size_t column, int rows, const std::string& text);
  std::string taken_from_above(size_t column);
  void next_page();

  ReadContext& context_;
  SideParts& parts_;
  DocumentBuilder& builder_;
  OdfNumbering numbering_;
  OdfShiftedStyles shifted_;
  const ChartNumbers numbers_;
  Status status_;
  int page_ = 0;
  std::set<std::string, std::less<>> breaking_;
  std::vector<OdfNote> notes_;         // met in what is being read
  std::vector<pugi::xml_node> boxes_;  // likewise
  Objects objects_;                    // likewise
  std::vector<Hanging> hanging_;       // by column of the table that is being read
};

}  // namespace mneme::readers
