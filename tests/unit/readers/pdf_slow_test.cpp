// A PDF of 100,000 pages goes through in bounded memory.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <string>

#include "rag/readers/process/child_process.h"
#include "tests/support/make_files.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

TEST(PdfSlow, HundredThousandPages) {
  if (find_program("pdftotext").empty()) GTEST_SKIP() << "pdftotext (poppler-utils) is not installed";
  constexpr int kPages = 100'000;
  std::string pdf;
  {
    std::vector<std::vector<test::PdfText>> pages;
    pages.reserve(kPages);
    for (int p = 1; p <= kPages; ++p) {
      pages.push_back(test::pdf_lines(72, 400, {"These are the words of page " + std::to_string(p) + " of the file."}));
    }
    pdf = test::make_pdf(pages);
  }
  struct rusage before{};
  ::getrusage(RUSAGE_SELF, &before);
  ReadLimits limits;
  limits.time = std::chrono::minutes(5);
  limits.pages = kPages;
  const rag::Document document = test::read_text("a.pdf", pdf, limits);
  struct rusage after{};
  ::getrusage(RUSAGE_SELF, &after);
  ASSERT_EQ(document.blocks.size(), static_cast<size_t>(kPages));
  EXPECT_EQ(document.blocks.back().page, kPages);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 300 * 1024);  // KiB
}

}  // namespace
}  // namespace mneme::readers
