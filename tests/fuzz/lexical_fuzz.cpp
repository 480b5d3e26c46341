// Terms and queries from any bytes: never a crash, terms bounded and well-formed, in order of their places.
#include <cstdlib>

#include "base/utf8.h"
#include "storage/catalogue/lexical_query.h"
#include "storage/catalogue/lexical_terms.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  size_t last = 0;
  mneme::storage::for_each_term(text, mneme::storage::TermPurpose::kDocument,
                                [&](const mneme::storage::LexicalTerm& term) {
                                  if (term.term.empty() || term.term.size() > 64) std::abort();
                                  if (!mneme::utf8::valid(term.term)) std::abort();
                                  if (term.byte_begin < last || term.byte_end > size) std::abort();
                                  last = term.byte_begin;
                                  return true;
                                });
  (void)mneme::storage::parse_lexical_query(text);
  return 0;
}
