// PDF through poppler's pdftotext as a child process with limits of its own: its crashes and its licence stay apart.
// Scans go through pdftoppm and tesseract when the caller asks for it and they are installed.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/file_descriptor.h"
#include "rag/readers/format_list.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/pdf/pdf_attachments.h"
#include "rag/readers/pdf/pdf_layout.h"
#include "rag/readers/pdf/pdf_ocr.h"
#include "rag/readers/pdf/pdf_output_intents.h"
#include "rag/readers/pdf/xml_entities.h"
#include "rag/readers/process/child_process.h"
#include "rag/readers/process/forking_program.h"

namespace mneme::readers {
namespace {

constexpr size_t kLargestPage = size_t{64} << 20;  // XML of one page

bool useful_title(std::string_view title) {
  const std::string lower = lower_ascii(title);
  if (lower.size() < 3 || lower == "untitled" || lower == "(anonymous)" || lower == "title") return false;
  for (const std::string_view end : {".doc", ".docx", ".dvi", ".tex", ".indd", ".qxd", ".pdf", ".ppt", ".pptx"}) {
    if (lower.ends_with(end)) return false;
  }
  return !lower.starts_with("microsoft word -") && !lower.starts_with("powerpoint");
}

// Cuts the stream of pdftotext into its head and pages.
class PageStream {
 public:
  PageStream(ReadContext& context, const std::string& name, rag::Document& document, PdfAssembler& pages,
             const DocumentBuilder& builder, PageRecogniser& recogniser)
      : context_(context),
        name_(name),
        document_(document),
        pages_(pages),
        builder_(builder),
        recogniser_(recogniser) {}

  Status take(std::string_view piece) {
    MNEME_RETURN_IF_ERROR(context_.charge_unpacked(name_, piece.size() / 16));  // mark-up outweighs text
    buffer_ += piece;
    size_t done = 0;
    while (true) {
      const size_t end = buffer_.find("</page>", std::max(done, searched_));
      if (end == std::string::npos) break;
      const size_t begin = buffer_.find("<page ", done);
      if (!seen_head_) take_head(std::string_view(buffer_).substr(0, begin));
      if (begin < end) MNEME_RETURN_IF_ERROR(take_page(std::string_view(buffer_).substr(begin, end + 7 - begin)));
      done = end + 7;
      searched_ = done;
    }
    buffer_.erase(0, done);
    searched_ = buffer_.size() > 7 ? buffer_.size() - 7 : 0;
    if (buffer_.size() > kLargestPage) return resource_error(printable(name_) + " has a page too large to read.");
    return context_.check(name_);
  }

  bool too_many() const { return too_many_; }

 private:
  Status take_page(std::string_view xml) {
    if (number_ >= context_.limits().pages || builder_.full()) {
      too_many_ = true;
      return cancelled();  // ends the child; the caller knows
    }
    PdfPage page = parse_pdf_page(xml, ++number_);
    if (page.lines.empty() && recogniser_.available()) {
      MNEME_RETURN_IF_ERROR(context_.check(name_));
      auto recognised = recogniser_.recognise(number_);
      if (recognised.ok()) page = std::move(*recognised);
    }
    pages_.add_page(std::move(page));
    return {};
  }

  void take_head(std::string_view head) {
    seen_head_ = true;
    const size_t title = head.find("<title>");
    const size_t title_end = head.find("</title>");
    if (title != head.npos && title_end != head.npos && title_end > title) {
      const std::string text = clean_text(decode_entities(head.substr(title + 7, title_end - title - 7)));
      if (useful_title(text)) document_.title = text;
    }
    for (size_t at = head.find("<meta name=\""); at != head.npos; at = head.find("<meta name=\"", at + 1)) {
      const size_t key = at + 12;
      const size_t key_end = head.find('"', key);
      const size_t value = head.find("content=\"", key);
      if (key_end == head.npos || value == head.npos) break;
      const size_t value_end = head.find('"', value + 9);
      if (value_end == head.npos) break;
      std::string_view name = head.substr(key, key_end - key);
      if (name == "CreationDate") name = "date";
      take_metadata(document_, name, clean_text(decode_entities(head.substr(value + 9, value_end - value - 9))));
    }
  }

  ReadContext& context_;
  const std::string& name_;
  rag::Document& document_;
  PdfAssembler& pages_;
  const DocumentBuilder& builder_;
  PageRecogniser& recogniser_;
  std::string buffer_;
  size_t searched_ = 0;
  int number_ = 0;
  bool seen_head_ = false;
  bool too_many_ = false;
};

Status failure_of(const std::string& name, const ChildResult& child) {
  const std::string file = printable(name);
  if (child.errors.find("Incorrect password") != std::string::npos) {
    return unsupported(file + " is encrypted and needs a password; save it without one to index it.");
  }
  if (child.exit_code == 3) {
    return unsupported(file + " forbids the extraction of its text.");
  }
  if (child.exit_code >= 128) {
    return resource_error(file + " made pdftotext run out of its limits of memory and time; it was left out.");
  }
  return corruption(file + " is damaged: it could not be opened as a PDF.");
}

// Fonts may name East Asian characters by numbers of their own, which poppler knows from a package beside it.
bool lacks_language_data(const ChildResult& child) {
  return child.errors.find("Missing language pack") != std::string::npos;
}

Status no_text_in(const std::string& name, const ChildResult& child) {
  if (lacks_language_data(child)) {
    return unsupported(printable(name) +
                       " has fonts of Chinese, Japanese or Korean whose characters pdftotext cannot tell; install the "
                       "package poppler-data.");
  }
  return unsupported(printable(name) + " is a scan, no text; index it with --ocr (needs tesseract-ocr).");
}

// The first line in large type serves a document without a title of its own.
void title_from_first_heading(rag::Document& document) {
  for (size_t i = 0; document.title.empty() && i < std::min<size_t>(document.blocks.size(), 4); ++i) {
    const rag::Block& block = document.blocks[i];
    if (block.kind != rag::BlockKind::kHeading || block.page > 1) continue;
    document.title = document.text.substr(block.byte_begin, block.byte_end - block.byte_begin);
  }
}

std::string page_list(const std::vector<int>& pages) {
  std::string list;
  for (size_t i = 0; i < pages.size() && i < 10; ++i) list.append(i ? ", " : "").append(std::to_string(pages[i]));
  if (pages.size() > 10) list += " and " + std::to_string(pages.size() - 10) + " more";
  return list;
}

}  // namespace

Status read_pdf(ReadContext& context, Input input) {
  const std::string program = find_program("pdftotext");
  if (program.empty()) {
    return unsupported(printable(input.name) + ": reading PDF needs pdftotext; install the package poppler-utils.");
  }
  MNEME_ASSIGN_OR_RETURN(std::vector<PdfAttachment> attachments, attachments_in(context, input.name, input.bytes));
  if (!context.limits().ocr) hide_output_intents(input.bytes);  // a page that is drawn has its colours
  const FileDescriptor file = memory_file(input.bytes);
  if (!file.is_open()) return resource_error("no memory to hand " + printable(input.name) + " to pdftotext.");
  input.bytes = std::string();
  rag::Document document;
  document.format = "pdf";
  DocumentBuilder builder(document, context.limits().text_bytes);
  PdfAssembler pages(builder);
  PageRecogniser recogniser(context, file.get());
  PageStream stream(context, input.name, document, pages, builder, recogniser);
  const ChildLimits limits{context.time_left(), context.limits().memory_bytes, context.limits().cancel};
  const auto child = run_forked_child({program, "-bbox-layout", "-enc", "UTF-8", "/dev/stdin", "-"}, file.get(), limits,
                                      [&](std::string_view piece) { return stream.take(piece); });
  if (!child.ok() && !stream.too_many()) return child.status();
  if (stream.too_many())
    document.notes.push_back("pages behind page " + std::to_string(pages.pages()) + " were left out");
  if (child.ok() && child->timed_out) {
    document.notes.push_back("reading stopped at the time limit behind page " + std::to_string(pages.pages()));
    if (pages.pages() == 0) return context.check(input.name);
  }
  pages.finish();
  if (builder.empty() && child.ok() && pages.pages() == 0) return failure_of(input.name, *child);
  if (const std::string note = recogniser.note(); !note.empty()) document.notes.push_back(note);
  if (builder.empty() && !attachments.empty()) return read_pdf_attachments(context, std::move(attachments));
  if (builder.empty()) return no_text_in(input.name, child.ok() ? *child : ChildResult());
  if (child.ok() && lacks_language_data(*child)) {
    document.notes.push_back(
        "text in fonts of Chinese, Japanese or Korean is missing; install the package poppler-data");
  }
  if (!pages.empty_pages().empty()) {
    document.notes.push_back("pages without text (scans or pictures): " + page_list(pages.empty_pages()));
  }
  title_from_first_heading(document);
  pages.running_texts().write(builder);
  MNEME_RETURN_IF_ERROR(context.emit(input.name, std::move(document)));
  return read_pdf_attachments(context, std::move(attachments));
}

}  // namespace mneme::readers
