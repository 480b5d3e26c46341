#include "rag/readers/format_list.h"

#include <array>
#include <string>

#include "rag/readers/apple/apple_readers.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/mail/tnef.h"
#include "rag/readers/notes/note_readers.h"
#include "rag/readers/office/compound_file.h"
#include "rag/readers/outlook/pst_file.h"
#include "rag/readers/picture/picture_facts.h"
#include "rag/readers/records/record_readers.h"
#include "rag/readers/spoken/spoken_readers.h"
#include "rag/readers/text_decoding.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr std::string_view kSourceExtensions =
    " c h cc cpp cxx hpp hxx hh inl cu cuh m mm cs java kt kts scala groovy go rs swift dart zig nim d py pyi pyx rb "
    "pl "
    "pm php js mjs cjs jsx ts tsx vue svelte lua r jl hs lhs ml mli fs fsx clj cljs ex exs erl hrl elm lisp el scm rkt "
    "sh bash zsh fish ps1 bat cmd sql proto thrift graphql cmake mk make gradle bazel bzl nix tf hcl toml ini cfg conf "
    "properties yaml yml css scss sass less asm s v sv vhd vhdl f f90 f95 for pas ada adb ads cob tcl awk sed vim diff "
    "patch dockerfile sty cls ";

constexpr std::array kFormats = {
    Format{"text", " txt text log asc nfo ", read_plain, read_plain_parts},
    Format{"markdown", " md markdown mdown mkd mdx qmd rmd ", read_markdown},
    Format{"rst", " rst rest ", read_rst},
    Format{"asciidoc", " adoc asciidoc ", read_asciidoc},
    Format{"org", " org ", read_org, read_plain_parts},
    Format{"latex", " tex ltx latex ", read_tex},
    Format{"man", " man mdoc roff troff ", read_man},
    Format{"subtitles", " srt vtt sbv ", read_subtitles, read_plain_parts},
    Format{"chat", "", read_chat, read_plain_parts},  // by its first lines alone
    Format{"exported chat", "", read_exported_chat, read_json_parts},
    Format{"chat page", "", read_chat_page},
    Format{"text messages", "", read_sms},
    Format{"keep", "", read_keep, read_json_parts},
    Format{"exported notes", "", read_exported_notes, read_json_parts},
    Format{"clippings", "", read_clippings, read_plain_parts},
    Format{"bookmarks", "", read_bookmarks},
    Format{"zim", "", read_zim, read_plain_parts},
    Format{"tomboy", "", read_tomboy},
    Format{"html", " html htm xhtml xht shtml ", read_html},
    Format{"pdf", " pdf ", read_pdf},
    Format{"picture", "", read_picture},  // by its first bytes alone, where OCR is asked for
    Format{"docx", " docx docm dotx ", read_docx},
    Format{"xlsx", " xlsx xlsm xltx ", read_xlsx},
    Format{"pptx", " pptx pptm ppsx ", read_pptx},
    Format{"vsdx", " vsdx vsdm vstx ", read_vsdx},
    Format{"iwork", "", read_iwork},  // zip archives alone: keys for locks are called .key, too
    Format{"abw", " abw ", read_abw},
    Format{"opendocument", " odt ott odp ods ", read_opendocument},
    Format{"flat opendocument", " fodt fods fodp ", read_flat_opendocument},
    Format{"epub", " epub ", read_epub},
    Format{"fb2", " fb2 ", read_fb2},
    Format{"mobi", " mobi azw azw3 prc ", read_mobi},
    Format{"rtf", " rtf ", read_rtf},
    Format{"doc", "", read_compound},  // and xls, ppt, msg: by their first bytes alone
    Format{"csv", " csv tsv tab ", read_csv, read_csv_parts},
    Format{"json", " json jsonl ndjson geojson webmanifest ", read_json, read_json_parts},
    Format{"ipynb", " ipynb ", read_notebook},
    Format{"xml", " xml rss atom xsd xsl xslt docbook dbk tei opml plist resx xliff tmx ", read_xml},
    Format{"webarchive", " webarchive ", read_webarchive},
    Format{"references", " bib bibtex ", read_bibtex},
    Format{"ris", " ris ", read_ris},
    Format{"ofx", "", read_ofx},  // statements, by their first lines alone
    Format{"qif", "", read_qif},
    Format{"mt940", "", read_mt940},
    Format{"camt", "", read_camt},
    Format{"eml", " eml emlx ", read_eml},
    Format{"tnef", " tnef ", read_tnef},  // and winmail.dat, by its first bytes
    Format{"olm", "", read_olm},          // one message of such an archive
    Format{"enex", " enex ", nullptr, read_enex},
    Format{"mbox", " mbox mbx ", nullptr, read_mbox},
    Format{"pst", "", nullptr, read_pst},  // and ost, by their first bytes alone
    Format{"ics", " ics ical icalendar ", read_calendar},
    Format{"vcf", " vcf vcard ", read_contacts},
    Format{"mhtml", " mht mhtml ", read_eml},
    Format{"zip", " zip ", nullptr, read_archive},
    Format{"tar", " tar tgz gz bz2 tbz2 xz txz zst 7z ", nullptr, read_archive},
    Format{rag::kSourceFormat, kSourceExtensions, read_source},
};

// Known not to be documents; see worth_opening().
constexpr std::string_view kNeverExtensions =
    " png jpg jpeg gif bmp ico webp tif tiff heic avif svg svgz psd xcf raw cr2 nef mp3 m4a aac flac ogg oga opus wav "
    "wma "
    "mid "
    "mp4 m4v mkv avi mov wmv webm mpg mpeg flv ttf otf woff woff2 eot exe dll so dylib a o obj lib pyc pyo class wasm "
    "iso img dmg vmdk qcow2 deb rpm apk msi cab jar war gguf safetensors onnx pt pth ckpt npy npz pkl pickle parquet "
    "arrow feather h5 hdf5 db sqlite sqlite3 mdb db-wal db-shm swp swo bak~ lock blend fbx stl glb pcap msf mab ";

const Format* by_name(std::string_view name) {
  for (const Format& format : kFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

// Lists begin and end with a space. No extension holds one: "a. " would be found at the list's ends, and beyond them.
bool listed(std::string_view list, std::string_view extension) {
  if (extension.find(' ') != std::string_view::npos) return false;
  for (size_t at = list.find(extension); at != std::string_view::npos; at = list.find(extension, at + 1)) {
    if (list[at - 1] == ' ' && list[at + extension.size()] == ' ') return true;
  }
  return false;
}

const Format* by_extension(std::string_view name) {
  const std::string ending = extension(name);
  if (ending.empty()) return nullptr;
  for (const Format& format : kFormats) {
    if (listed(format.extensions, ending)) return &format;
  }
  return nullptr;
}

bool looks_like_html(std::string_view beginning) {
  const std::string lower = lower_ascii(trim(beginning.substr(0, 1024)));
  return lower.starts_with("<!doctype html") || lower.starts_with("<html") ||
         (lower.starts_with("<?xml") && lower.find("<html") != std::string::npos);
}

bool holds_line(std::string_view text, std::string_view beginning) {
  return text.starts_with(beginning) || text.find("\n" + std::string(beginning)) != std::string_view::npos;
}

// Fields at the beginning of a message.
struct MailHead {
  bool first_is_trace = false;  // "Received:" and what else only servers and mail programs write
  int n_traces = 0;             // further such fields, "Message-ID:" among them
  int n_told = 0;               // "From:", "Subject:" and what else people write as well
};

MailHead mail_head(std::string_view text) {
  static constexpr std::array<std::string_view, 9> kTraces = {
      "received:", "return-path:", "delivered-to:",     "message-id:",    "mime-version:",
      "x-mailer:", "envelope-to:", "x-mozilla-status:", "dkim-signature:"};
  static constexpr std::array<std::string_view, 6> kTold = {
      "from:", "to:", "subject:", "date:", "content-type:", "reply-to:"};
  MailHead head;
  LineCursor lines(text);
  Line line;
  bool first = true;
  while (lines.next(line) && !line.text.empty()) {
    const std::string field = lower_ascii(line.text.substr(0, line.text.find(':') + 1));
    const bool folded = is_space(line.text[0]) || line.text[0] == '>';
    // No head of a message has such a line, unless a program broke one.
    const bool broken = field.empty() && !folded && lines.offset() < text.size();
    if (broken) return head.n_traces + head.n_told > 2 ? head : MailHead{};
    const bool traces = std::find(kTraces.begin(), kTraces.end(), field) != kTraces.end();
    head.n_traces += traces;
    head.n_told += std::find(kTold.begin(), kTold.end(), field) != kTold.end();
    if (first) head.first_is_trace = traces && field != "message-id:" && field != "mime-version:";
    first = false;
  }
  return head;
}

// A mailbox, or a message of one that keeps each in a file without an extension ("1718.M5P6.host:2,S"). Lines that
// people write, too, are none of what tells. as_text: it is called a text, as archives of lists and mails that somebody
// saved are; more has to tell then.
const Format* mail_format(std::string_view beginning, bool as_text) {
  std::string_view head = beginning.substr(0, 4096);
  const bool is_box = head.starts_with("From ");
  if (is_box) head.remove_prefix(std::min(head.find('\n'), head.size() - 1) + 1);
  const MailHead fields = mail_head(head);
  if (is_box) {
    const int told = fields.n_traces + fields.n_told;
    return told > (as_text ? 2 : 0) ? by_name("mbox") : nullptr;
  }
  if (as_text) return fields.n_traces > 0 && fields.n_told > 2 ? by_name("eml") : nullptr;
  const bool told = fields.n_traces > 0 && fields.n_told > 0;
  return fields.first_is_trace || told ? by_name("eml") : nullptr;
}

// A message may hold any bytes; its head is text. called: the format by its name.
const Format* mail_with_binary(const Format* called, std::string_view beginning) {
  const bool is_called_mail = called != nullptr && (called->name == "eml" || called->name == "mbox");
  const MailHead fields = mail_head(beginning.substr(0, 4096));
  return is_called_mail && fields.n_traces + fields.n_told > 0 ? called : mail_format(beginning, false);
}

// A manual page ("ls.1"): its first lines that are no comments have a title and a heading as one of the two macro
// packages writes them.
bool looks_like_man(std::string_view beginning) {
  beginning.remove_prefix(std::min(beginning.find_first_not_of(" \n"), beginning.size()));
  const bool begins = beginning.starts_with('.') || beginning.starts_with("'\\") || beginning.starts_with("\\\"");
  if (!begins) return false;
  return (holds_line(beginning, ".TH ") && holds_line(beginning, ".SH ")) ||
         (holds_line(beginning, ".Dd ") && holds_line(beginning, ".Sh "));
}

bool looks_like_abw(std::string_view beginning) {
  const std::string_view head = trim(beginning.substr(bom_length(beginning), 2048));
  return head.starts_with('<') && head.find("<abiword ") != std::string_view::npos;
}

bool looks_like_enex(std::string_view beginning) {
  const std::string_view head = trim(beginning.substr(bom_length(beginning), 1024));
  return head.starts_with('<') && head.find("<en-export") != std::string_view::npos &&
         (head.starts_with("<?xml") || head.starts_with("<!DOCTYPE en-export") || head.starts_with("<en-export"));
}

// tar, or a stream of gzip, bzip2, xz, zstd or 7z.
bool is_archive(std::string_view beginning) {
  using std::string_view_literals::operator""sv;
  return beginning.substr(0, 512).substr(std::min<size_t>(beginning.size(), 257)).starts_with("ustar") ||
         beginning.starts_with("\x1f\x8b") || beginning.starts_with("BZh") ||
         beginning.starts_with(
             "\xfd"
             "7zXZ\0"sv) ||
         beginning.starts_with("\x28\xb5\x2f\xfd") || beginning.starts_with("7z\xbc\xaf\x27\x1c");
}

// A database of Palm's that is a book or a text.
bool is_mobi(std::string_view beginning) {
  const std::string_view kind = beginning.substr(std::min<size_t>(beginning.size(), 60), 8);
  return kind == "BOOKMOBI" || kind == "TEXtREAd";
}

// Of Office's packages the one whose parts stand among the first members: documents are called otherwise than they are
// (a docx report.doc), or not at all.
const Format* office_package(std::string_view beginning) {
  const std::string_view head = beginning.substr(0, 4096);
  if (head.find("[Content_Types].xml") == head.npos) return nullptr;
  if (head.find("word/") != head.npos) return by_name("docx");
  if (head.find("xl/") != head.npos) return by_name("xlsx");
  if (head.find("visio/") != head.npos) return by_name("vsdx");
  return head.find("ppt/") != head.npos ? by_name("pptx") : nullptr;
}

// A document of Pages, Numbers or Keynote, or the index of one that is a folder.
bool is_iwork(std::string_view name, std::string_view beginning) {
  const std::string ending = extension(name);
  const bool called = ending == "pages" || ending == "numbers" || ending == "key";
  return called || looks_like_iwork(beginning);
}

// What a zip file holds: by its first members where these tell (OpenDocument, EPUB), by its name otherwise.
const Format* zip_format(std::string_view name, std::string_view beginning) {
  const std::string_view head = beginning.substr(0, 256);
  if (head.find("mimetypeapplication/epub+zip") != head.npos) return by_name("epub");
  if (head.find("mimetypeapplication/vnd.oasis.opendocument") != head.npos) return by_name("opendocument");
  if (is_iwork(name, beginning)) return by_name("iwork");
  const Format* const zip = by_name("zip");
  const Format* const format = by_extension(name);
  if (format == zip) return zip;
  const bool known = format && (format->name == "docx" || format->name == "xlsx" || format->name == "pptx" ||
                                format->name == "opendocument" || format->name == "epub" || format->name == "vsdx");
  if (known) return format;
  const Format* const package = office_package(beginning);
  return package == nullptr ? zip : package;
}

// What programs save of chats and notes, by what stands in it.
const Format* saved_format(bool may_be_text, std::string_view beginning) {
  struct Kind {
    std::string_view name;
    bool (*looks_like)(std::string_view beginning);
    bool is_text = false;  // may be taken for any other text
  };
  constexpr Kind kKinds[] = {{"zim", looks_like_zim, true},
                             {"clippings", looks_like_clippings, true},
                             {"chat", looks_like_chat, true},
                             {"text messages", looks_like_sms},
                             {"tomboy", looks_like_tomboy},
                             {"bookmarks", looks_like_bookmarks},
                             {"chat page", looks_like_chat_page},
                             {"exported chat", looks_like_exported_chat},
                             {"keep", looks_like_keep},
                             {"abw", looks_like_abw},
                             {"olm", looks_like_olm},
                             {"ofx", looks_like_ofx},
                             {"qif", looks_like_qif},
                             {"mt940", looks_like_mt940},
                             {"camt", looks_like_camt},
                             {"ris", looks_like_ris},
                             {"exported notes", looks_like_exported_notes}};
  for (const Kind& kind : kKinds)
    if ((may_be_text || !kind.is_text) && kind.looks_like(beginning)) return by_name(kind.name);
  return nullptr;
}

}  // namespace

const Format* find_format(std::string_view name, std::string_view beginning) {
  if (beginning.substr(0, 1024).find("%PDF-") != std::string_view::npos) return by_name("pdf");
  if (beginning.starts_with("{\\rtf")) return by_name("rtf");
  if (is_picture(beginning)) return by_name("picture");
  if (is_compound_file(beginning)) return by_name("doc");
  if (is_mobi(beginning)) return by_name("mobi");
  if (is_archive(beginning)) return by_name("tar");
  if (beginning.starts_with("PK\x03\x04")) return zip_format(name, beginning);
  if (is_tnef(beginning)) return by_name("tnef");
  if (is_pst(beginning)) return by_name("pst");
  if (beginning.empty()) return nullptr;
  if (beginning.starts_with("bplist00")) return extension(name) == "webarchive" ? by_name("webarchive") : nullptr;
  if (looks_binary(beginning.substr(0, 4096))) return mail_with_binary(by_extension(name), beginning);
  if (looks_like_man(beginning)) return by_name("man");
  if (looks_like_enex(beginning)) return by_name("enex");
  const Format* const called = by_extension(name);
  const bool may_be_text = called == nullptr || called->name == "text";
  if (const Format* saved = saved_format(may_be_text, beginning)) return saved;
  if (may_be_text) {
    if (const Format* mail = mail_format(beginning, called != nullptr)) return mail;
  }
  if (called != nullptr) return called;
  const std::string first = lower_ascii(trim(beginning.substr(bom_length(beginning), 64)));
  if (first.starts_with("begin:vcalendar")) return by_name("ics");
  if (first.starts_with("begin:vcard")) return by_name("vcf");
  if (looks_like_html(beginning)) return by_name("html");
  if (beginning.starts_with("#!")) return by_name(rag::kSourceFormat);
  return by_name("text");
}

std::string_view detect_format(std::string_view name, ByteSpan beginning) {
  const Format* format = find_format(name, as_text(beginning));
  return format ? format->name : std::string_view();
}

bool worth_opening(std::string_view name) {
  const std::string ending = extension(name);
  return ending.empty() || !listed(kNeverExtensions, ending);
}

namespace {

// Notes of a day are called by it: "2026-03-12.md", "2026_03_12.md"; others begin with theirs ("2026-03-12
// Meeting.md").
void date_by_name(rag::Document& document, std::string_view name) {
  const std::string stem = stem_title(name);
  const bool parted = stem.size() >= 10 && (stem[4] == '-' || stem[4] == '_') && stem[7] == stem[4];
  const std::string day = parted ? iso_date(stem.substr(0, 4) + "-" + stem.substr(5, 2) + "-" + stem.substr(8, 2)) : "";
  if (day.empty() || (stem.size() > 10 && is_digit(stem[10]))) return;
  if (document.date.empty()) document.date = day;
  // The first heading of such a note is that of a part.
  const bool untitled = document.blocks.empty() || document.blocks.front().heading_level > 1;
  if (stem.size() == 10 && untitled) document.title = stem;
}

Status read_text_format(ReadContext& context, Input input, std::string_view format, void (*parse)(rag::Document&)) {
  auto decoded = decode_text(std::move(input.bytes));
  if (!decoded.ok()) return decoded.status().with_context(printable(input.name) + ": ");
  rag::Document document;
  document.format = format;
  document.text = std::move(decoded->text);
  make_breaks_plain(document.text);
  if (!decoded->note.empty()) document.notes.push_back(std::move(decoded->note));
  parse(document);
  date_by_name(document, input.name);
  return context.emit(input.name, std::move(document));
}

}  // namespace

Status read_plain(ReadContext& context, Input input) {
  return read_text_format(context, std::move(input), "text", parse_plain);
}
Status read_markdown(ReadContext& context, Input input) {
  return read_text_format(context, std::move(input), "markdown", parse_markdown);
}
Status read_rst(ReadContext& context, Input input) {
  return read_text_format(context, std::move(input), "rst", parse_rst);
}
Status read_asciidoc(ReadContext& context, Input input) {
  return read_text_format(context, std::move(input), "asciidoc", parse_asciidoc);
}
Status read_csv(ReadContext& context, Input input) {
  return read_text_format(context, std::move(input), "csv", parse_csv);
}
Status read_json(ReadContext& context, Input input) {
  return read_text_format(context, std::move(input), "json", parse_json);
}
Status read_source(ReadContext& context, Input input) {
  return read_text_format(context, std::move(input), rag::kSourceFormat, parse_source);
}

}  // namespace mneme::readers
