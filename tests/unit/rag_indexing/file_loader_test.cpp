// What the loader makes of files that do not hold still, and of writing that is not plain Latin.
#include "rag/indexing/file_loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "rag/embedding/hashed_embedder.h"
#include "tests/support/make_files.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

// All batches of a file; at least one.
std::vector<LoadedBatch> load(const FoundFile& file, const readers::ReadLimits& limits = {},
                              const chunking::ChunkerOptions& sizes = {}) {
  const HashedEmbedder embedder(64);
  std::vector<LoadedBatch> batches;
  load_file({.file = file, .limits = limits, .embedder = embedder, .sizes = sizes}, [&](LoadedBatch batch) {
    batches.push_back(std::move(batch));
    return Status();
  });
  EXPECT_FALSE(batches.empty());
  if (batches.empty()) batches.emplace_back();
  return batches;
}

FoundFile found(const std::string& path, uint64_t size_bytes) {
  FoundFile file;
  file.path = path;
  file.state.size_bytes = size_bytes;
  return file;
}

TEST(FileLoader, AFileThatGrewOrShrankSinceItWasFoundIsReported) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.txt", "Ten bytes.");
  EXPECT_TRUE(load(found(path, 10)).back().status.ok());
  for (const uint64_t wrong : {4u, 20u}) {
    const LoadedBatch loaded = std::move(load(found(path, wrong)).back());
    EXPECT_EQ(loaded.status.code(), StatusCode::kBusy);
    EXPECT_THAT(loaded.status.message(), HasSubstr("changed while it was being read"));
    EXPECT_THAT(loaded.documents, SizeIs(0));
  }
}

// Within one tick of the clock a file can change once more and keep its size and time.
TEST(FileLoader, AFileWrittenJustNowIsLookedAtOnceMore) {
  const TemporaryFolder folder;
  FoundFile file;
  file.path = folder.write("a.txt", "Ten bytes.");
  file.state.size_bytes = 10;
  const auto kept = [&](std::chrono::nanoseconds ago) {
    file.state.mtime_ns =
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch() - ago)
            .count();
    return load(file).back().kept.mtime_ns;
  };
  for (const auto ago : {std::chrono::hours(1), std::chrono::hours(-1)}) EXPECT_EQ(kept(ago), file.state.mtime_ns);
  bool looked_at = false;  // "now" may be long ago when this thread is let run again
  for (int i = 0; i < 1000 && !looked_at; ++i) looked_at = kept({}) != file.state.mtime_ns;
  EXPECT_TRUE(looked_at);
}

// Its time was set back behind the writing; the system's own was not.
TEST(FileLoader, AFileChangedJustNowIsLookedAtOnceMoreWhateverItsTime) {
  const TemporaryFolder folder;
  FoundFile file;
  file.path = folder.write("a.txt", "Ten bytes.");
  file.state = {.size_bytes = 10, .mtime_ns = 1'000'000'000, .changed_ns = 2'000'000'000};
  EXPECT_EQ(load(file).back().kept, file.state);
  bool looked_at = false;
  for (int i = 0; i < 1000 && !looked_at; ++i) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    file.state.changed_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    looked_at = load(file).back().kept != file.state;
  }
  EXPECT_TRUE(looked_at);
}

// FAT counts in twos of seconds, other old file systems in seconds: so long a file may change and keep its time.
TEST(FileLoader, AFileWhoseTimesAreWholeSecondsIsLookedAtOnceMoreForLonger) {
  const TemporaryFolder folder;
  FoundFile file;
  file.path = folder.write("a.txt", "Ten bytes.");
  file.state.size_bytes = 10;
  const auto kept = [&](std::chrono::seconds ago, std::chrono::nanoseconds more) {
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch());
    file.state.mtime_ns = file.state.changed_ns = (std::chrono::nanoseconds(now - ago) + more).count();
    return load(file).back().kept;
  };
  bool looked_at = false;  // "a second ago" may be long ago when this thread is let run again
  for (int i = 0; i < 1000 && !looked_at; ++i) {
    const storage::FileState state = kept(std::chrono::seconds(1), {});
    looked_at = state.mtime_ns != file.state.mtime_ns && state.changed_ns != file.state.changed_ns;
  }
  EXPECT_TRUE(looked_at);
  EXPECT_EQ(kept(std::chrono::seconds(4), {}), file.state);
  EXPECT_EQ(kept(std::chrono::seconds(2), std::chrono::milliseconds(1)), file.state) << "times finer than seconds";
}

// Of plain text the file is the text; what a reader made of another kind is kept.
TEST(FileLoader, PassagesLieWhereTheyAreSaidToLie) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 40; ++i) text += "Paragraph " + std::to_string(i) + " tells of harbours and of ferries.\n\n";
  const chunking::ChunkerOptions sizes{.target_tokens = 64};
  const std::string path = folder.write("a.txt", text);
  const LoadedBatch plain = std::move(load(found(path, text.size()), {}, sizes).back());
  ASSERT_THAT(plain.documents, SizeIs(1));
  const storage::NewDocument& document = plain.documents[0].document;
  EXPECT_EQ(document.record.format, "text");
  EXPECT_FALSE(document.text.has_value());
  ASSERT_GT(document.chunks.size(), 3u);
  int line = 1;
  for (const storage::NewChunk& chunk : document.chunks) {
    EXPECT_EQ(text.substr(chunk.byte_begin, chunk.byte_end - chunk.byte_begin), chunk.text);
    EXPECT_GE(chunk.line_begin, line);
    EXPECT_GT(chunk.line_end, chunk.line_begin);
    line = chunk.line_end;
  }

  std::vector<std::vector<readers::test::PdfText>> pages;
  for (const char* page : {"The first page.", "The second page.", "The third page."})
    pages.push_back(readers::test::pdf_lines(72, 700, {page}));
  const std::string pdf = readers::test::make_pdf(pages);
  const LoadedBatch paged = std::move(load(found(folder.write("b.pdf", pdf), pdf.size())).back());
  ASSERT_THAT(paged.documents, SizeIs(1)) << paged.status.message();
  const storage::NewDocument& pdf_document = paged.documents[0].document;
  EXPECT_EQ(pdf_document.record.format, "pdf");
  ASSERT_TRUE(pdf_document.text.has_value());
  ASSERT_THAT(pdf_document.chunks, SizeIs(1));
  const storage::NewChunk& all = pdf_document.chunks[0];
  EXPECT_EQ(pdf_document.text->substr(all.byte_begin, all.byte_end - all.byte_begin), all.text);
  EXPECT_EQ(all.page, 1);
  EXPECT_FALSE(all.page_marks.empty()) << "where the others begin";
}

TEST(FileLoader, AnyWritingKeepsItsText) {
  const TemporaryFolder folder;
  const std::string text =
      "שלום עולם, مرحبا بالعالم.\n\nZalgo: h\u0301\u0320\u0353e\u0302l\u0324lo. Family: "
      "\U0001F469\u200D\U0001F469\u200D\U0001F467, flag \U0001F1E9\U0001F1EA.\n";
  const std::string path = folder.write("mixed.txt", text);
  const LoadedBatch loaded = std::move(load(found(path, text.size())).back());
  ASSERT_TRUE(loaded.status.ok()) << loaded.status.message();
  ASSERT_THAT(loaded.documents, SizeIs(1));
  std::string chunks;
  for (const storage::NewChunk& chunk : loaded.documents[0].document.chunks) chunks += chunk.text + "\n";
  for (const char* part : {"שלום עולם", "مرحبا بالعالم", "\U0001F469\u200D\U0001F469\u200D\U0001F467"}) {
    EXPECT_THAT(chunks, HasSubstr(part));
  }
}

}  // namespace
}  // namespace mneme::rag
