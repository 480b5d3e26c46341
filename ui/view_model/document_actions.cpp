#include "ui/view_model/document_actions.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/utf8.h"
#include "rag/answering/citations/cited_words.h"
#include "rag/readers/pdf/pdf_preview.h"
#include "storage/catalogue/catalogue.h"
#include "storage/env/file_env.h"
#include "ui/language/tr.h"
#include "ui/view_model/flowing_text.h"
#include "ui/view_model/text_search.h"

namespace mneme::ui {
namespace {

constexpr uint64_t kShownTextBytes = uint64_t{64} << 20;  // longest document text shown in the window
constexpr int kPageDpi = 130;                             // sharp at the panel's width, a few MB as a picture

constexpr size_t kMostPlaces = 10000;  // found in a document

std::optional<storage::DocumentRecord> indexed_document(storage::Catalogue& catalogue, const std::string& path) {
  const auto collections = catalogue.list_collections();
  if (!collections.ok()) return std::nullopt;
  for (const storage::CollectionRecord& collection : *collections) {
    auto document = catalogue.find_document(collection.id, path);
    if (document.ok() && document->has_value()) return *std::move(document);
  }
  return std::nullopt;
}

// Where the pages of a document begin, for formats that have any.
std::vector<DocumentPlaces::Passage> passages_with_pages(storage::Catalogue& catalogue, storage::DocumentId document) {
  std::vector<DocumentPlaces::Passage> passages;
  const auto chunks = catalogue.document_chunks(document);
  if (!chunks.ok()) return passages;
  for (const storage::ChunkRecord& chunk : *chunks) {
    if (chunk.page > 0) passages.push_back({chunk.byte_begin, chunk.page, chunk.page_marks});
  }
  return passages;
}

// The text that passages were cut from: kept in the catalogue where it is not the file itself.
std::optional<std::string> indexed_text(storage::Catalogue& catalogue, const std::string& path, std::string& format,
                                        DocumentPlaces& places) {
  const std::optional<storage::DocumentRecord> document = indexed_document(catalogue, path);
  if (!document) return std::nullopt;
  format = document->format;
  auto text = catalogue.document_text(document->id);
  if (!text.ok()) return std::nullopt;
  if (text->has_value()) places.passages = passages_with_pages(catalogue, document->id);
  return *std::move(text);
}

// Words of one line that touch become one box.
std::vector<PageImage::Box> boxes_of(const std::vector<readers::PageWord>& words, const std::vector<bool>& inside) {
  std::vector<PageImage::Box> boxes;
  bool joined = false;  // the word before belongs to the passage too
  for (size_t i = 0; i < words.size(); ++i) {
    if (!inside[i]) {
      joined = false;
      continue;
    }
    const readers::PageWord& word = words[i];
    const bool same_line = joined && word.x_min >= boxes.back().x_min && word.y_min < boxes.back().y_max &&
                           boxes.back().y_min < word.y_max && word.x_min - boxes.back().x_max < 0.05f;
    if (same_line) {
      boxes.back().x_max = word.x_max;
      boxes.back().y_min = std::min(boxes.back().y_min, word.y_min);
      boxes.back().y_max = std::max(boxes.back().y_max, word.y_max);
    } else {
      boxes.push_back({word.x_min, word.y_min, word.x_max, word.y_max});
    }
    joined = true;
  }
  return boxes;
}

// The words of a page as one text.
class PageText {
 public:
  explicit PageText(const std::vector<readers::PageWord>& words) {
    for (const readers::PageWord& word : words) {
      begins_.push_back(text_.size());
      text_ += word.text + ' ';
    }
  }

  const std::string& text() const { return text_; }
  // Marks the words that a place of the text has part of.
  template <typename Place>
  void mark(const Place& place, std::vector<bool>& inside) const {
    const auto first = std::upper_bound(begins_.begin(), begins_.end(), place.begin) - begins_.begin() - 1;
    const auto last = std::lower_bound(begins_.begin(), begins_.end(), place.end) - begins_.begin();
    std::fill(inside.begin() + first, inside.begin() + last, true);
  }

 private:
  std::string text_;
  std::vector<size_t> begins_;
};

// Which words of a page the answer says.
std::vector<bool> words_said(const std::vector<readers::PageWord>& words, const std::string& said) {
  const PageText page(words);
  std::vector<bool> inside(words.size(), false);
  for (const rag::Stretch& stretch : rag::shared_stretches(page.text(), said)) page.mark(stretch, inside);
  return inside;
}

}  // namespace

void DocumentActions::load_text(const SourceView& source, DocumentTextView& view) {
  DocumentPlaces places;
  std::optional<std::string> text = indexed_text(workspace_.catalogue(), source.document, view.format, places);
  std::string reason = tr("the document is not plain text or has changed since");
  if (!text) {
    const auto bytes = storage::read_whole(workspace_.env(), source.document, kShownTextBytes);
    if (bytes.ok() && utf8::valid(as_text(*bytes))) {
      text = std::string(as_text(*bytes));
      places.line_begins = line_begins_of(*text);
    }
    if (!bytes.ok()) reason = bytes.status().message();
    // Its path stands above already.
    if (bytes.status().code() == StatusCode::kNotFound) reason = tr("the file is no longer where it was read");
  }
  if (!text || text->find(source.text) == std::string::npos) {
    // The passage itself was kept with the answer, so it can be shown even when the file is gone by now.
    while (reason.ends_with('.')) reason.pop_back();
    view.error = filled(
        source.text.empty() ? tr("Its text cannot be shown: {0}.") : tr("Only the passage is shown: {0}."), reason);
    text = source.text;
    places = {};
  }
  view.begin = text->find(source.text);
  view.end = view.begin + source.text.size();
  if (has_flowing_lines(view.format)) text = flowing(*std::move(text));
  view.text = std::make_shared<const std::string>(*std::move(text));
  view.places = std::make_shared<const DocumentPlaces>(std::move(places));
}

void DocumentActions::load_page(DocumentTextView& view, int page, int dpi) {
  Result<readers::PdfPreview> preview = readers::preview_pdf_page(view.source.document, page, dpi);
  if (!preview.ok()) {
    if (view.error.empty()) view.error = preview.status().message();
    return;
  }
  auto image = std::make_shared<PageImage>();
  image->width = preview->width;
  image->height = preview->height;
  image->dpi = dpi;
  image->rgb = std::move(preview->rgb);
  std::vector<bool> passage = readers::words_of_passage(preview->words, view.source.text);
  std::vector<bool> said = words_said(preview->words, view.said);
  if (preview->page != std::max(1, view.source.page)) {
    passage = readers::what_goes_on(std::move(passage));
    std::transform(said.begin(), said.end(), passage.begin(), said.begin(), std::logical_and<>());
  }
  image->passage = boxes_of(preview->words, passage);
  image->said = boxes_of(preview->words, said);
  if (!preview->words.empty()) {
    image->text_left = 1.0f;
    image->text_right = 0.0f;
  }
  for (const readers::PageWord& word : preview->words) {
    image->text_left = std::clamp(word.x_min, 0.0f, image->text_left);
    image->text_right = std::clamp(word.x_max, image->text_right, 1.0f);
    image->words.push_back({{word.x_min, word.y_min, word.x_max, word.y_max}, word.text});
  }
  page_words_ = std::move(preview->words);
  page_ = image;
  view.page_image = std::move(image);
  view.page = preview->page;
  view.pages = preview->pages;
  view.found_on_page = boxes_of_found(view);
}

// Where the catalogue does not say where pages begin within a passage, it is the one that the passage begins on: near
// enough to begin looking there.
FoundInDocument DocumentActions::places_in(const DocumentTextView& view, const std::string& sought) {
  FoundInDocument found;
  found.sought = sought;
  const std::vector<TextPlace> places = places_of(*view.text, sought, kMostPlaces + 1);
  found.more = places.size() > kMostPlaces;
  const size_t n_listed = std::min(places.size(), kMostPlaces);
  found.places.reserve(n_listed);
  for (size_t i = 0; i < n_listed; ++i) {
    const int page = view.page_image ? view.places->page_of(places[i].begin) : 0;
    found.places.push_back({places[i].begin, places[i].end, page > 0 ? page : view.source.page});
  }
  return found;
}

std::vector<std::vector<PageImage::Box>> DocumentActions::boxes_of_found(const DocumentTextView& view) const {
  std::vector<std::vector<PageImage::Box>> found;
  if (!view.found || !view.page_image || page_.lock() != view.page_image) return found;
  const PageText page(page_words_);
  for (const TextPlace& place : places_of(page.text(), view.found->sought, kMostPlaces)) {
    std::vector<bool> inside(page_words_.size(), false);
    page.mark(place, inside);
    found.push_back(boxes_of(page_words_, inside));
  }
  return found;
}

void DocumentActions::show(const SourceView& source, const std::string& said) {
  DocumentTextView view;
  view.source = source;
  view.said = said;
  load_text(source, view);
  const bool is_pdf = view.format == "pdf" || source.document.ends_with(".pdf");
  view.loading = is_pdf;
  publisher_.update([&](Snapshot& s) { s.document = view; });
  if (!is_pdf) return;
  load_page(view, std::max(1, source.page), kPageDpi);
  view.loading = false;
  publisher_.update([&](Snapshot& s) {
    if (s.document && s.document->text == view.text) s.document = std::move(view);
  });
}

void DocumentActions::show_page(int page, int dpi) {
  const std::shared_ptr<const Snapshot> now = publisher_.current();
  if (!now->document) return;
  DocumentTextView view = *now->document;
  const int drawn = view.page_image ? view.page_image->dpi : 0;
  if (view.page == page && drawn >= dpi) return;
  load_page(view, page, std::max(dpi, kPageDpi));
  publisher_.update([&](Snapshot& s) {
    if (s.document && s.document->text == view.text) s.document = std::move(view);
  });
}

void DocumentActions::find(const std::string& sought) {
  const std::shared_ptr<const Snapshot> now = publisher_.current();
  if (!now->document || !now->document->text) return;
  DocumentTextView view = *now->document;
  view.found = sought.empty() ? nullptr : std::make_shared<const FoundInDocument>(places_in(view, sought));
  view.found_on_page = boxes_of_found(view);
  publisher_.update([&](Snapshot& s) {
    if (s.document && s.document->text == view.text) s.document = std::move(view);
  });
}

}  // namespace mneme::ui
