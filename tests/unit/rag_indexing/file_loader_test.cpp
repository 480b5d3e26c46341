// What the loader makes of files that do not hold still, and of writing that is not plain Latin.
#include "rag/indexing/file_loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rag/embedding/hashed_embedder.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

LoadedFile load(const std::string& path, uint64_t size_bytes) {
  FoundFile file;
  file.path = path;
  file.size_bytes = size_bytes;
  return load_file(file, {}, HashedEmbedder(64), {});
}

TEST(FileLoader, AFileThatGrewOrShrankSinceItWasFoundIsReported) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.txt", "Ten bytes.");
  EXPECT_TRUE(load(path, 10).status.ok());
  for (const uint64_t wrong : {4u, 20u}) {
    const LoadedFile loaded = load(path, wrong);
    EXPECT_EQ(loaded.status.code(), StatusCode::kBusy);
    EXPECT_THAT(loaded.status.message(), HasSubstr("changed while it was being read"));
    EXPECT_THAT(loaded.documents, SizeIs(0));
  }
}

TEST(FileLoader, AnyWritingKeepsItsText) {
  const TemporaryFolder folder;
  const std::string text =
      "שלום עולם, مرحبا بالعالم.\n\nZalgo: h\u0301\u0320\u0353e\u0302l\u0324lo. Family: "
      "\U0001F469\u200D\U0001F469\u200D\U0001F467, flag \U0001F1E9\U0001F1EA.\n";
  const std::string path = folder.write("mixed.txt", text);
  const LoadedFile loaded = load(path, text.size());
  ASSERT_TRUE(loaded.status.ok()) << loaded.status.message();
  ASSERT_THAT(loaded.documents, SizeIs(1));
  std::string chunks;
  for (const storage::NewChunk& chunk : loaded.documents[0].chunks) chunks += chunk.text + "\n";
  for (const char* part : {"שלום עולם", "مرحبا بالعالم", "\U0001F469\u200D\U0001F469\u200D\U0001F467"}) {
    EXPECT_THAT(chunks, HasSubstr(part));
  }
}

}  // namespace
}  // namespace mneme::rag
