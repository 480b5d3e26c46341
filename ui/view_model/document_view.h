// A document that is looked at: its text, its page as a picture, and what is sought in it. Threads: values.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ui/view_model/answer_view.h"
#include "ui/view_model/document_places.h"

namespace mneme::ui {

// A page of a document as a picture.
struct PageImage {
  int width = 0;
  int height = 0;
  int dpi = 0;               // that it was drawn with
  std::vector<uint8_t> rgb;  // width * height * 3
  struct Box {               // of a passage, as shares of width and height
    float x_min, y_min, x_max, y_max;
  };
  struct Word {
    Box box;
    std::string text;
  };
  std::vector<Word> words;  // in reading order
  float text_left = 0.0f;   // where its words begin and end, as shares of the width
  float text_right = 1.0f;
  std::vector<Box> passage;
  std::vector<Box> said;  // the words of it that the answer says
};

// Where the document being looked at says what is sought in it.
struct FoundInDocument {
  struct Place {
    uint64_t begin = 0;  // bytes of the text
    uint64_t end = 0;
    int page = 0;  // 0: it has none
  };
  std::string sought;
  std::vector<Place> places;  // in order
  bool more = false;          // than are listed
};

// The document being looked at, with the passage to show: its text, and for a PDF the page too.
struct DocumentTextView {
  SourceView source;
  std::string format;  // "pdf", "markdown", ...
  std::shared_ptr<const std::string> text;
  std::shared_ptr<const DocumentPlaces> places;  // of its bytes; null: not known
  uint64_t begin = 0;                            // byte span of the passage
  uint64_t end = 0;
  std::string said;   // the answer's words that cite it; marked in the passage
  std::string error;  // what is missing, one sentence
  std::shared_ptr<const PageImage> page_image;
  int page = 0;
  int pages = 0;
  std::shared_ptr<const FoundInDocument> found;            // null: nothing is sought
  std::vector<std::vector<PageImage::Box>> found_on_page;  // on the page of `page_image`: for each place its words
  bool loading = false;
};

}  // namespace mneme::ui
