// A Word file of 1997 to 2003 (MS-DOC): its text, which stands in pieces all over the file, and the parts it is of.
// Internal to rag/readers. Threads: immutable.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "rag/readers/office/compound_file.h"
#include "rag/readers/office/doc_numbering.h"
#include "rag/readers/office/doc_properties.h"

namespace mneme::readers {

// Characters from `begin` on, `end` excluded: UTF-16 units, counted over all parts.
struct DocRange {
  uint32_t begin = 0;
  uint32_t end = 0;
};

// What stands beside the body and is called by a place in it.
struct DocNote {
  uint32_t called_at = 0;
  DocRange text;
  bool is_comment = false;
  std::string author{};
};

class DocFile {
 public:
  // kUnsupported: encrypted, or older; kCorruption: no text can be found. The messages lack the file's name.
  static Result<DocFile> open(const CompoundFile& file);

  DocRange body() const { return {0, part_ends_[0]}; }
  DocRange boxes() const { return part(5); }
  const std::vector<DocNote>& notes() const { return notes_; }       // by where they are called
  const std::vector<DocRange>& running() const { return running_; }  // headers and footers
  // Some of the text was not found.
  bool is_cut() const { return is_cut_; }

  struct Character {
    char16_t unit = 0;
    DocCharacters properties;
  };
  Character at(uint32_t position) const;
  // Of the paragraph that the character at `position` ends.
  DocParagraph paragraph_at(uint32_t position) const { return paragraphs_.at(place_of(position)); }
  // Which list numbers a paragraph, by itself or by its style.
  DocListed listed_by(const DocParagraph& paragraph) const;
  // The lists as they stand before the first paragraph is counted.
  const DocNumbering& numbering() const { return numbering_; }
  // 1 to 9 for a paragraph that is a heading; 0: it is none.
  int heading_level(const DocParagraph& paragraph) const;

 private:
  struct Piece {
    uint32_t begin;  // position of its first character
    uint32_t place;  // in the stream
    bool is_wide;    // two bytes a character
  };
  DocFile(std::string word, std::string table);

  std::string_view listed(
      size_t at) const;  // bytes of the table that the header names there: their place, their number
  DocRange part(size_t number) const { return {part_ends_[number - 1], part_ends_[number]}; }
  void read_pieces();
  void read_styles();
  void read_style(std::string_view style, size_t base_size);
  void read_notes(size_t calls, size_t texts, size_t part_number, bool are_comments);
  void read_running();
  const Piece& piece_of(uint32_t position) const;
  uint32_t place_of(uint32_t position) const;

  std::string word_;   // the stream WordDocument
  std::string table_;  // 0Table or 1Table
  DocRuns<DocCharacters> characters_;
  DocRuns<DocParagraph> paragraphs_;
  std::vector<Piece> pieces_;
  std::vector<uint32_t> part_ends_;  // body, footnotes, headers, comments, endnotes, text boxes
  struct Style {
    int number = 0xfff;  // what kind of style it is
    size_t base = 0xfff;
    DocParagraph paragraph;
    int heading_level = 0;
  };
  std::vector<Style> styles_;
  DocNumbering numbering_;
  std::vector<DocNote> notes_;
  std::vector<DocRange> running_;
  bool is_cut_ = false;
};

}  // namespace mneme::readers
