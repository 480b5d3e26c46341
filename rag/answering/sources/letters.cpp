#include "rag/answering/sources/letters.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "rag/text/documents/letter_shape.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {
namespace {

constexpr size_t kMostDocuments = 20'000;
constexpr uint64_t kMostBytes = 24'000;  // of a letter of ten pages
constexpr std::array<std::string_view, 8> kFormats = {"text", "markdown", "pdf", "docx", "odt", "doc", "rtf", "html"};

bool may_be_letter(const storage::DocumentRecord& document) {
  return document.text_bytes <= kMostBytes &&
         std::find(kFormats.begin(), kFormats.end(), document.format) != kFormats.end();
}

}  // namespace

Result<std::vector<Letter>> letters_among(Workspace& workspace, const Asked& asked,
                                          std::span<const storage::DocumentRecord> documents) {
  std::vector<Letter> letters;
  if (documents.size() > kMostDocuments) return letters;
  for (const storage::DocumentRecord& document : documents) {
    if (asked.cancel.cancelled()) return cancelled();
    if (!may_be_letter(document)) continue;
    MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ChunkRecord> chunks,
                           workspace.catalogue().document_chunks(document.id));
    std::string text;
    for (const storage::ChunkRecord& chunk : chunks) text += (text.empty() ? "" : "\n") + chunk.text;
    LetterShape shape = letter_shape(text);
    if (shape.is_letter) letters.push_back({document.id, std::move(shape.sender)});
  }
  return letters;
}

}  // namespace mneme::rag
