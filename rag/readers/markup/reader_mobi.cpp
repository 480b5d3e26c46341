// Books for Kindle (mobi, azw, azw3, prc) by libmobi: their markup is HTML, one page of it (Mobipocket) or one a
// chapter (KF8). A file that holds the book both ways is read as KF8. Texts of Palm's reader (pdb) have words only.
#include <mobi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/markup/html_text.h"
#include "rag/readers/text_decoding.h"

namespace mneme::readers {
namespace {

template <auto kFree>
struct Freed {
  template <class T>
  void operator()(T* pointer) const {
    kFree(pointer);
  }
};

using Book = std::unique_ptr<MOBIData, Freed<mobi_free>>;
using Markup = std::unique_ptr<MOBIRawml, Freed<mobi_free_rawml>>;
using File = std::unique_ptr<FILE, Freed<std::fclose>>;
using Words = std::unique_ptr<char, Freed<std::free>>;

Status refused(const std::string& name, MOBI_RET why) {
  const std::string book = printable(name);
  if (why == MOBI_FILE_ENCRYPTED) return unsupported(book + " is protected by digital rights management.");
  if (why == MOBI_MALLOC_FAILED) return resource_error(book + " needs more memory than a reader may take.");
  if (why == MOBI_FILE_UNSUPPORTED) return unsupported(book + " is no book for Kindle of a known kind.");
  return corruption(book + " is damaged: its records do not fit together.");
}

// The book has copies of its records: the bytes end here.
Result<Book> open_book(const std::string& name, std::string bytes) {
  Book book(mobi_init());
  // libmobi reads files alone.
  const File file(fmemopen(bytes.data(), bytes.size(), "rb"));
  if (!book || !file) return refused(name, MOBI_MALLOC_FAILED);
  if (const MOBI_RET result = mobi_load_file(book.get(), file.get()); result != MOBI_SUCCESS)
    return refused(name, result);
  if (mobi_is_encrypted(book.get())) return refused(name, MOBI_FILE_ENCRYPTED);
  if (mobi_is_replica(book.get()))
    return unsupported(printable(name) + " holds a PDF behind Kindle's wrapping (Print Replica): index the PDF.");
  return book;
}

void take_book_metadata(const MOBIData* book, rag::Document& document) {
  const auto take = [&](const char* key, char* (*get)(const MOBIData*)) {
    if (const Words words(get(book)); words) take_metadata(document, key, words.get());
  };
  take("title", mobi_meta_get_title);
  take("author", mobi_meta_get_author);
  take("date", mobi_meta_get_publishdate);
}

// The encoding of all text in the book; "" where it names none.
std::string_view encoding_of(const MOBIData* book) {
  if (book->mh == nullptr || book->mh->text_encoding == nullptr) return {};
  return *book->mh->text_encoding == MOBI_CP1252 ? "windows-1252" : "utf-8";
}

// What libmobi may come to unpack; a record says of itself how long its text is.
Status charge_text(ReadContext& context, const std::string& name, const MOBIData* book) {
  const uint64_t longest = mobi_get_text_maxsize(book);
  if (longest == MOBI_NOTSET) return refused(name, MOBI_DATA_CORRUPT);
  return context.charge_unpacked(name, longest);
}

Status read_palm_text(ReadContext& context, const std::string& name, const MOBIData* book) {
  size_t length = mobi_get_text_maxsize(book);
  std::string text(length, '\0');
  if (const MOBI_RET result = mobi_get_rawml(book, text.data(), &length); result != MOBI_SUCCESS)
    return refused(name, result);
  text.resize(std::min(length, text.size()));
  return read_plain(context, Input{name, std::move(text)});
}

Status add_markup(ReadContext& context, const std::string& name, const MOBIData* book, DocumentBuilder& builder) {
  const Markup markup(mobi_init_rawml(book));
  if (!markup) return refused(name, MOBI_MALLOC_FAILED);
  // Neither tables of contents nor dictionaries' indexes, and no links rewritten: words are wanted.
  const MOBI_RET result = mobi_parse_rawml_opt(markup.get(), book, false, false, false);
  if (result != MOBI_SUCCESS) return refused(name, result);
  const HtmlOptions options{.keep_lines = false, .only_main_text = false, .take_metadata = false};
  for (const MOBIPart* part = markup->markup; part != nullptr; part = part->next) {
    if (part->type != T_HTML || part->size == 0) continue;
    MNEME_RETURN_IF_ERROR(context.check(name));
    std::string html(reinterpret_cast<const char*>(part->data), part->size);
    const auto text = decode_text(std::move(html), encoding_of(book));
    if (!text.ok()) return text.status().with_context(printable(name) + ": ");
    MNEME_RETURN_IF_ERROR(add_html(context, name, text->text, options, builder));
  }
  return {};
}

}  // namespace

Status read_mobi(ReadContext& context, Input input) {
  const auto book = open_book(input.name, std::move(input.bytes));
  if (!book.ok()) return book.status();
  MNEME_RETURN_IF_ERROR(charge_text(context, input.name, book->get()));
  if (!mobi_is_mobipocket(book->get())) return read_palm_text(context, input.name, book->get());
  rag::Document document;
  document.format = "mobi";
  take_book_metadata(book->get(), document);
  DocumentBuilder builder(document, context.limits().text_bytes);
  MNEME_RETURN_IF_ERROR(add_markup(context, input.name, book->get(), builder));
  if (builder.empty()) return unsupported(printable(input.name) + " holds no text.");
  return context.emit(input.name, std::move(document));
}

}  // namespace mneme::readers
