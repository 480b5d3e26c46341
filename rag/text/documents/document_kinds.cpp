#include "rag/text/documents/document_kinds.h"

#include <algorithm>
#include <iterator>

#include "rag/text/words/word_groups.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr std::string_view kAny[] = {
    "document", "documents", "file",       "files",     "paper",     "papers",     "article", "articles", "book",
    "books",    "text",      "texts",      "page",      "pages",     "chapter",    "note",    "notes",    "story",
    "essay",    "manual",    "pdf",        "pdfs",      "report",    "reports",    "letter",  "letters",  "mail",
    "mails",    "email",     "emails",     "dokument",  "datei",     "dokumente",  "dateien", "buch",     "brief",
    "briefe",   "artikel",   "bericht",    "berichte",  "texte",     "unterlagen", "fichier", "fichiers", "livre",
    "lettre",   "documento", "documentos", "documenti", "archivo",   "archivos",   "libro",   "carta",    "lettera",
    "arquivo",  "arquivos",  "livro",      "документ",  "документы", "файл",       "файлы",   "письмо",   "книга"};

// Each line: words for one kind.
constexpr std::string_view kKinds[] = {
    "invoice bill rechnung facture factura fattura fatura счет",
    "receipt quittung beleg recu recibo ricevuta чек квитанция",
    "contract agreement vertrag vereinbarung contrat contrato acuerdo contratto accordo acordo договор",
    "agreement accord соглашение",
    "lease tenancy mietvertrag bail",
    "license licence lizenz licencia licenza licenca лицензия",
    "letter brief schreiben lettre carta lettera письмо",
    "mail email message nachricht courriel correo mensaje messaggio mensagem сообщение",
    "report bericht rapport informe relazione relatorio отчет",
    "paper article essay artikel aufsatz articulo articolo artigo статья",
    "policy versicherungsschein poliza polizza apolice полис",
    "certificate bescheinigung zeugnis zertifikat certificat certificado certificato справка",
    "statement kontoauszug auszug releve extracto",
    "minutes protokoll acta verbale ata протокол",
    "manual handbook guide handbuch anleitung manuel manuale руководство",
    "offer quote quotation estimate angebot offerte devis oferta presupuesto offerta preventivo orcamento предложение",
    "note notes notiz notizen nota заметка",
    "recipe rezept recette receta ricetta receita рецепт",
    "form formular formulaire formulario modulo бланк",
    "presentation slides folien prasentation presentacion presentazione презентация",
    "spreadsheet table tabelle tableur",
    "cv resume lebenslauf curriculum",
    "chat conversation gesprach",
    "notice bescheid mitteilung avis aviso avviso",
    "payslip paystub lohnabrechnung gehaltsabrechnung verdienstabrechnung nomina lonespecifikation",
    "prescription befund",
    "plan timetable schedule agenda",
    "newsletter rundbrief",
    "transcript scan"};

struct Format {
  std::string_view kinds;
  std::string_view formats;
};
constexpr Format kFormats[] = {
    {"mail mails email emails message messages nachricht nachrichten courriel courriels correo",
     "eml mbox msg pst emlx"},
    {"pdf pdfs", "pdf"},
    {"presentation presentations slides folien", "pptx ppt odp"},
    {"spreadsheet spreadsheets table tables tabelle tabellen", "xlsx xls ods csv"},
    {"chat chats", "chat"},
};

bool has_word(std::string_view words, std::string_view word) {
  bool is_there = false;
  for_each_word(words, [&](std::string_view one) { is_there |= one == word; });
  return is_there;
}

bool is_inflected(std::string_view a, std::string_view b) {
  return a == b || stem_of(a) == stem_of(b) ||
         (b.size() > 3 && (a == std::string(b) + "en" || a == std::string(b) + "e"));
}

}  // namespace

bool is_any_document(std::string_view folded) {
  return std::find(std::begin(kAny), std::end(kAny), folded) != std::end(kAny);
}

std::vector<std::string_view> kinds_alike(std::string_view folded) {
  std::vector<std::string_view> alike;
  for (const std::string_view line : kKinds) {
    bool is_it = false;
    for_each_word(line, [&](std::string_view word) { is_it |= is_inflected(folded, word); });
    if (is_it) for_each_word(line, [&](std::string_view word) { alike.push_back(word); });
  }
  return alike;
}

bool is_document_kind(std::string_view folded) {
  return !kinds_alike(folded).empty();
}

bool is_of_format(std::string_view folded, std::string_view format) {
  return std::any_of(std::begin(kFormats), std::end(kFormats),
                     [&](const Format& one) { return has_word(one.kinds, folded) && has_word(one.formats, format); });
}

}  // namespace mneme::rag
