// A passage taken apart for quoting: its sentences, items and rows with their words and what they stand under, and how
// each of them, or a whole list, reads when it is quoted. Ownership: parts borrow the passage. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rag/quoting/outline/sentences.h"

namespace mneme::rag {

struct OutlinePart {
  Sentence span;
  std::string_view raw;
  std::vector<std::string> stems;  // of its words (rag/text/words/words.h)
  int heading = -1;                // the part that is the heading it stands under
  // Who says it, and when, where its paragraph tells that (said_marks.h): "[18:07] Ben Huber: ". Borrows the passage.
  std::string_view said_mark;
};

// Parts that belong together, of a list its items: [begin, end).
struct OutlineList {
  size_t begin = 0;
  size_t end = 0;
  bool ordered = false;
};

class PassageOutline {
 public:
  // context: names of folder and file, title, headings above the passage, one a line; the lowest last. of_records:
  // its reader read it as a table (records.h). file: the name of its document's file, without its ending.
  PassageOutline(std::string_view text, std::string_view context, std::string_view title = {},
                 TextForm form = TextForm::kProse, bool of_records = false, std::string_view file = {});

  const std::vector<OutlinePart>& parts() const { return parts_; }
  const std::vector<OutlineList>& lists() const { return lists_; }
  // Running text under one heading: parts [begin, end), some of it. What a runbook says to do need not be a list.
  const std::vector<OutlineList>& sections() const { return sections_; }
  const std::vector<std::string>& context_stems() const { return context_stems_; }
  // Stems of what its document is called by: title and file.
  const std::vector<std::string>& name_stems() const { return name_stems_; }
  std::string_view text() const { return text_; }
  std::string_view context() const { return context_; }
  std::string_view title() const { return title_; }
  // Who wrote its document, and of when it is, by the properties of the file; empty where these do not tell.
  std::string_view author() const { return author_; }
  std::string_view date() const { return date_; }
  void set_properties(std::string_view author, std::string_view date) {
    author_ = author;
    date_ = date;
  }
  // The highest heading above the passage that is not its document's title: a story of a collection. The title where
  // there is none.
  std::string_view part_name() const;

  // The row that names the columns of a row's table; empty when there is none.
  std::string_view head_of(const OutlinePart& row) const;
  // The heading above a part that is the name of an entry (entry_marks.h), which what it says needs; empty elsewhere.
  std::string entry_of(const OutlinePart& part) const;
  // The text of the heading a part stands under, as far as it is in the passage; else the last of the context.
  std::string heading_text(const OutlinePart& part) const;

  TextForm form() const { return form_; }

  // What stands in the columns of a row, or names them.
  std::vector<std::string> cells_of(const OutlinePart& row) const;
  std::vector<std::string> column_names_of(const OutlinePart& row) const;  // none where nothing names them
  // One part as one line of running text; a row with the names of its columns; code as plain_code() has it.
  std::string text_of(size_t part) const;
  // All items, one a line, with their numbers or bullets, as many as fit into max_bytes; "..." stands for the others.
  std::string text_of(const OutlineList& list, size_t max_bytes) const;

 private:
  void find_further_rows();
  void find_lists();
  void find_sections();
  void find_said_marks();

  std::string_view text_;
  std::vector<OutlinePart> parts_;
  std::vector<OutlineList> lists_;
  std::vector<OutlineList> sections_;
  std::vector<std::string> context_stems_;
  std::vector<std::string> name_stems_;
  std::string_view context_;
  std::string_view title_;
  std::string_view author_;
  std::string_view date_;
  TextForm form_;
  char separator_;  // of a table's records; 0: the passage is no such
};

// Stems of all words of a text, in order.
std::vector<std::string> stems_of(std::string_view text);

}  // namespace mneme::rag
