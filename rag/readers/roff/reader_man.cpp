// Manual pages: roff with the macros of man(7) or mdoc(7), read as a terminal shows them.
#include "rag/readers/format_list.h"
#include "rag/readers/roff/man_macros.h"
#include "rag/readers/roff/manual_page.h"
#include "rag/readers/roff/mdoc_macros.h"
#include "rag/readers/roff/roff_lines.h"
#include "rag/readers/roff/tbl_rows.h"
#include "rag/readers/text_decoding.h"

namespace mneme::readers {
namespace {

constexpr int kLinesBetweenChecks = 256;

// The first macro tells which package: "Dd" and "Dt" are mdoc's.
bool is_mdoc(std::string_view text) {
  RoffLines lines(text);
  RoffLine line;
  while (lines.next(line)) {
    if (line.request == "Dd" || line.request == "Dt" || line.request == "Sh") return true;
    if (line.request == "TH" || line.request == "SH") return false;
  }
  return false;
}

template <typename Macros>
Status read_page(ReadContext& context, std::string_view name, std::string_view text, DocumentBuilder& builder) {
  RoffLines lines(text);
  ManualPage page(builder);
  Macros macros(lines, page, builder.document());
  RoffLine line;
  for (int n = 0; lines.next(line) && !builder.full(); ++n) {
    if (n % kLinesBetweenChecks == 0) MNEME_RETURN_IF_ERROR(context.check(name));
    page.set_line(line.number);
    if (line.request == "TS") {
      page.end_code();
      take_tbl(lines, [&](int number, const std::vector<std::string>& cells) {
        page.set_line(number);
        page.table_row(cells);
      });
    } else {
      macros.take(line);
    }
  }
  page.finish();
  return {};
}

}  // namespace

Status read_man(ReadContext& context, Input input) {
  auto decoded = decode_text(std::move(input.bytes));
  if (!decoded.ok()) return decoded.status().with_context(printable(input.name) + ": ");
  make_breaks_plain(decoded->text);
  rag::Document document;
  document.format = "man";
  if (!decoded->note.empty()) document.notes.push_back(std::move(decoded->note));
  DocumentBuilder builder(document, context.limits().text_bytes);
  const auto read = is_mdoc(decoded->text) ? read_page<MdocMacros> : read_page<ManMacros>;
  MNEME_RETURN_IF_ERROR(read(context, input.name, decoded->text, builder));
  return context.emit(input.name, std::move(document));
}

}  // namespace mneme::readers
