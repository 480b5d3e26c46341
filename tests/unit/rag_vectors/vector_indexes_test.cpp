// The files in which the vectors of collections are kept.
#include "rag/vectors/vector_indexes.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "rag/embedding/embedder.h"
#include "rag/indexing/indexer.h"
#include "rag/vectors/vector_index.h"
#include "storage/catalogue/catalogue.h"
#include "tests/unit/rag_indexing/plain_workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

namespace fs = std::filesystem;

class VectorIndexesTest : public ::testing::Test {
 protected:
  void SetUp() override { open(); }
  void open() {
    workspace_.reset();
    workspace_ = open_plain_workspace(home_.path());
    ASSERT_NE(workspace_, nullptr);
  }
  void index(const std::string& collection) {
    IndexOptions options;
    options.paths = {docs_.path()};
    options.collection = collection;
    options.kv = KvPolicy::kOff;
    ASSERT_TRUE(Indexer(*workspace_).run(options, {}).ok());
  }
  VectorIndexCheck check(bool repair) {
    const auto checks = workspace_->vectors().check(repair);
    EXPECT_TRUE(checks.ok()) << checks.status().message();
    return checks.ok() && checks->size() == 1 ? checks->front() : VectorIndexCheck();
  }
  size_t n_found(const std::string& collection) {
    const auto index = workspace_->vectors().get(*workspace_->catalogue().find_collection(collection));
    EXPECT_TRUE(index.ok()) << index.status().message();
    return index.ok() ? (*index)->size() : 0;
  }
  std::set<std::string> files() {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(home_ / "index")) names.insert(entry.path().filename());
    return names;
  }

  TemporaryFolder home_;
  TemporaryFolder docs_;
  std::unique_ptr<Workspace> workspace_;
};

void flip(const std::string& path, uint64_t at) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(static_cast<std::streamoff>(at));
  const auto byte = static_cast<char>(file.get() ^ 1);
  file.seekp(static_cast<std::streamoff>(at));
  file.put(byte);
}

TEST_F(VectorIndexesTest, AByteThatChangedIsFoundAndTheFileMadeAnew) {
  docs_.write("a.md", "The kettle is red.\n");
  docs_.write("b.md", "Ferries leave at noon.\n");
  index("default");
  const std::string path = check(false).path;
  ASSERT_EQ(path, home_ / "index/default.hnsw");
  EXPECT_EQ(check(false).problem, "");
  EXPECT_EQ(check(false).entries, 2);
  const uint64_t n_bytes = fs::file_size(path);
  // Magic, version, dimensions, revision, collection, embedder, the body's ends and both ends of the checksum.
  for (const uint64_t at : {uint64_t{0}, uint64_t{8}, uint64_t{12}, uint64_t{16}, uint64_t{24}, uint64_t{32},
                            uint64_t{40}, n_bytes - 17, n_bytes - 16, n_bytes - 1}) {
    open();
    flip(path, at);
    EXPECT_NE(check(false).problem, "") << "byte " << at;
    EXPECT_EQ(n_found("default"), 2u) << "searched all the same, byte " << at;
    const VectorIndexCheck repaired = check(true);
    EXPECT_TRUE(repaired.repaired) << "byte " << at;
    EXPECT_EQ(repaired.entries, 2);
    open();
    EXPECT_EQ(check(false).problem, "") << "byte " << at;
  }
  fs::resize_file(path, n_bytes - 1);
  EXPECT_NE(check(false).problem, "");
  fs::resize_file(path, 10);
  EXPECT_NE(check(false).problem, "");
}

TEST_F(VectorIndexesTest, WhateverACollectionIsCalledItHasAFileOfItsOwn) {
  docs_.write("a.md", "The kettle is red.\n");
  const std::string long_name(110, 'x');
  const std::string unsaid(60, ' ');  // three bytes each in the name of a file
  const std::vector<std::string> names = {"plain-Name_09", "a b",     "..",         "\xC3\xBC",
                                          "%C3%BC",        long_name, unsaid + "5", unsaid + "6"};
  for (const std::string& name : names) index(name);
  EXPECT_EQ(files().size(), names.size());
  EXPECT_TRUE(files().contains("plain-Name_09.hnsw"));
  EXPECT_TRUE(files().contains("a%20b.hnsw"));
  for (const std::string& file : files()) EXPECT_LE(file.size(), 160u) << "file systems take 255 bytes";
  open();
  for (const std::string& name : names) EXPECT_EQ(n_found(name), 1u) << name;
}

TEST_F(VectorIndexesTest, FilesOfNoCollectionAreErasedAndOthersStay) {
  docs_.write("a.md", "The kettle is red.\n");
  index("default");
  std::ofstream(home_ / "index/gone.hnsw") << "vectors of a collection that is no more";
  std::ofstream(home_ / "index/note.txt") << "of somebody else";
  ASSERT_TRUE(workspace_->vectors().discard_orphans().ok());
  EXPECT_EQ(files(), (std::set<std::string>{"default.hnsw", "note.txt"}));
  ASSERT_TRUE(workspace_->vectors().discard_all().ok());
  EXPECT_EQ(files(), std::set<std::string>{"note.txt"});
  EXPECT_EQ(n_found("default"), 1u) << "made anew from the catalogue";
}

}  // namespace
}  // namespace mneme::rag
