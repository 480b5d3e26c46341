// What the catalogue holds of a file that is read once more. Of a mailbox with new mail behind the old, or an archive
// with one file changed, most documents are what they were: those need neither be embedded nor stored again.
// Ownership: borrows catalogue and states. Threads: one thread each; several at the same time.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>

#include "storage/catalogue/records.h"

namespace mneme::storage {
class Catalogue;
}

namespace mneme::rag {

class EarlierDocuments {
 public:
  EarlierDocuments(storage::Catalogue& catalogue, std::span<const storage::DocumentState> known);

  // The document at the path of `document` where it has the same passages at the same places, text and record, so that
  // putting it would change nothing but what its file was. Nothing, too, where the catalogue cannot tell.
  std::optional<storage::DocumentId> find_unchanged(const storage::NewDocument& document) const;

 private:
  storage::Catalogue& catalogue_;
  std::unordered_map<std::string_view, storage::DocumentId> ids_;  // by path
};

}  // namespace mneme::rag
