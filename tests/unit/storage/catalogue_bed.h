// A catalogue in a folder of its own, for the tests of it.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/hash.h"
#include "storage/catalogue/catalogue.h"
#include "temporary_home.h"

namespace mneme::storage {

class CatalogueTest : public ::testing::Test {
 protected:
  static NewDocument make_document(CollectionId collection, const std::string& path,
                                   const std::vector<std::string>& texts) {
    NewDocument document;
    document.record.collection = collection;
    document.record.path = path;
    document.record.title = "Title of " + path;
    document.record.format = "text";
    document.record.file.size_bytes = 100;
    document.record.file.mtime_ns = 42;
    document.record.content_hash = xxh3_128(as_bytes(path));
    uint64_t offset = 0;
    for (const std::string& text : texts) {
      NewChunk chunk;
      chunk.byte_begin = offset;
      chunk.byte_end = offset += text.size();
      chunk.line_begin = 1;
      chunk.line_end = 2;
      chunk.n_tokens = 10;
      chunk.heading_path = "Guide > Install";
      chunk.text = text;
      document.chunks.push_back(chunk);
    }
    document.embeddings = {"hashed-1", 4, {}};
    for (size_t i = 0; i < texts.size() * 4; ++i) document.embeddings.values.push_back(0.25f * static_cast<float>(i));
    return document;
  }
  static std::string file_content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void SetUp() override { open(); }
  void open() {
    auto opened = Catalogue::open({.path = database_path()});
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    catalogue_ = std::move(opened).value();
    auto collection = catalogue_->ensure_collection("default");
    ASSERT_TRUE(collection.ok()) << collection.status().message();
    collection_ = *collection;
  }
  std::string database_path() const { return home_.path() + "/catalog.db"; }
  DocumentId put(const std::string& path, const std::vector<std::string>& texts) {
    auto id = catalogue_->put_document(make_document(collection_, path, texts));
    EXPECT_TRUE(id.ok()) << id.status().message();
    return id.ok() ? *id : DocumentId{};
  }
  std::vector<std::string> found(const std::string& query, int limit = 10) {
    auto hits = catalogue_->search_lexical(query, {}, limit);
    EXPECT_TRUE(hits.ok()) << hits.status().message();
    std::vector<std::string> texts;
    if (!hits.ok()) return texts;
    for (const LexicalHit& hit : *hits) texts.push_back(catalogue_->chunk(hit.chunk)->text);
    return texts;
  }
  void expect_clean() {
    auto check = catalogue_->check(false);
    ASSERT_TRUE(check.ok()) << check.status().message();
    for (const auto& problem : check->problems) ADD_FAILURE() << problem.path << ": " << problem.detail;
  }

  TemporaryHome home_;
  std::unique_ptr<Catalogue> catalogue_;
  CollectionId collection_{};
};

}  // namespace mneme::storage
