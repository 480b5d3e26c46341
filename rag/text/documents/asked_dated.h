// Questions for documents by their dates, or for all of a kind: "What is my latest invoice?", "documents from 2023",
// "Which files did I change last week?", "Combien de factures ai-je ?", 去年的合同, in the languages that
// rag/text/languages/documents has words for. Threads: pure functions.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "rag/text/quantities/named_period.h"

namespace mneme::rag {

struct AskedDated {
  enum class By {
    kItsDate,  // its own where it tells one
    kChanged,  // the last change of its file
    kTakenIn,  // when it was indexed
  };
  bool is_asked = false;
  By by = By::kItsDate;
  bool oldest_first = false;
  bool counts = false;    // "how many": how many there are is to be said
  bool only_one = false;  // "the latest invoice", not "the latest invoices"
  std::string called{};   // by which words of the question: "invoice", "letter the bank"; "": any documents
  NamedPeriod period{};   // open on both sides where none is named
};

AskedDated asked_dated(std::string_view question, std::chrono::sys_days today);

}  // namespace mneme::rag
