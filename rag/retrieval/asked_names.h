// Names of people, places and things in a question, by their capitals: "Michael Jordan" is one name of two words.
// Threads: values and pure functions; of() reads the catalogue.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace mneme::storage {
class Catalogue;
}

namespace mneme::rag {

struct AskedName {
  std::string text;                // as the question writes it
  std::vector<std::string> terms;  // as the index has them, in order
  // Whether some passage has the words side by side. Where none has, the words together are no name that the documents
  // know: who is asked for is neither Michael nor Jordan.
  bool known = true;
};

// The question's capitalised words but the first, those that follow each other as one name; of questions that begin as
// English ones do: elsewhere not only names are capitalised. Names of documents are by CalledNames (document_names.h).
std::vector<AskedName> proper_names(std::string_view question);
// The same, with what the documents know of them.
Result<std::vector<AskedName>> names_known(storage::Catalogue& catalogue, std::string_view question);

}  // namespace mneme::rag
