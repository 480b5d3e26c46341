#include "ui/view_model/document_actions.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "rag/answering/cited_words.h"
#include "rag/readers/pdf_preview.h"
#include "storage/catalogue/catalogue.h"
#include "storage/env/file_env.h"
#include "ui/view_model/flowing_text.h"

namespace mneme::ui {
namespace {

constexpr uint64_t kShownTextBytes = uint64_t{64} << 20;  // longest document text shown in the window
constexpr int kPageDpi = 130;                             // sharp at the panel's width, a few MB as a picture

// The text that passages were cut from: kept in the catalogue where it is not the file itself.
std::optional<std::string> indexed_text(storage::Catalogue& catalogue, const std::string& path, std::string& format) {
  const auto collections = catalogue.list_collections();
  if (!collections.ok()) return std::nullopt;
  for (const storage::CollectionRecord& collection : *collections) {
    const auto document = catalogue.find_document(collection.id, path);
    if (!document.ok() || !document->has_value()) continue;
    format = (*document)->format;
    if (auto text = catalogue.document_text((*document)->id); text.ok() && text->has_value()) return *text;
    return std::nullopt;
  }
  return std::nullopt;
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

// Which words of a page the answer says.
std::vector<bool> words_said(const std::vector<readers::PageWord>& words, const std::string& said) {
  std::string text;
  std::vector<size_t> begins;
  for (const readers::PageWord& word : words) {
    begins.push_back(text.size());
    text += word.text + ' ';
  }
  std::vector<bool> inside(words.size(), false);
  for (const rag::Stretch& stretch : rag::shared_stretches(text, said)) {
    const auto first = std::upper_bound(begins.begin(), begins.end(), stretch.begin) - begins.begin() - 1;
    const auto last = std::lower_bound(begins.begin(), begins.end(), stretch.end) - begins.begin();
    std::fill(inside.begin() + first, inside.begin() + last, true);
  }
  return inside;
}

}  // namespace

void DocumentActions::load_text(const SourceView& source, DocumentTextView& view) {
  std::optional<std::string> text = indexed_text(workspace_.catalogue(), source.document, view.format);
  std::string reason = "the document is not plain text or has changed since";
  if (!text) {
    const auto bytes = storage::read_whole(workspace_.env(), source.document, kShownTextBytes);
    if (bytes.ok() && utf8::valid(as_text(*bytes))) text = std::string(as_text(*bytes));
    if (!bytes.ok()) reason = bytes.status().message();
    // Its path stands above already.
    if (bytes.status().code() == StatusCode::kNotFound) reason = "the file is no longer where it was read";
  }
  if (!text || text->find(source.text) == std::string::npos) {
    // The passage itself was kept with the answer, so it can be shown even when the file is gone by now.
    while (reason.ends_with('.')) reason.pop_back();
    view.error = "Only the passage is shown: " + reason + ".";
    text = source.text;
  }
  view.begin = text->find(source.text);
  view.end = view.begin + source.text.size();
  if (has_flowing_lines(view.format)) text = flowing(*std::move(text));
  view.text = std::make_shared<const std::string>(*std::move(text));
}

void DocumentActions::load_page(DocumentTextView& view, int page) {
  Result<readers::PdfPreview> preview = readers::preview_pdf_page(view.source.document, page, kPageDpi);
  if (!preview.ok()) {
    if (view.error.empty()) view.error = preview.status().message();
    return;
  }
  auto image = std::make_shared<PageImage>();
  image->width = preview->width;
  image->height = preview->height;
  image->rgb = std::move(preview->rgb);
  image->passage = boxes_of(preview->words, readers::words_of_passage(preview->words, view.source.text));
  image->said = boxes_of(preview->words, words_said(preview->words, view.said));
  view.page_image = std::move(image);
  view.page = preview->page;
  view.pages = preview->pages;
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
  load_page(view, std::max(1, source.page));
  view.loading = false;
  publisher_.update([&](Snapshot& s) {
    if (s.document && s.document->text == view.text) s.document = std::move(view);
  });
}

void DocumentActions::show_page(int page) {
  const std::shared_ptr<const Snapshot> now = publisher_.current();
  if (!now->document || now->document->page == page) return;
  DocumentTextView view = *now->document;
  load_page(view, page);
  publisher_.update([&](Snapshot& s) {
    if (s.document && s.document->text == view.text) s.document = std::move(view);
  });
}

}  // namespace mneme::ui
