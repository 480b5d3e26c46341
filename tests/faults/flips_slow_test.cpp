// Single flipped bits in every kind of file a home has: each is found out or changes nothing that anybody sees; none is
// used in silence. MNEME_FLIPS of them (CI 500, scripts/soak 10,000), others with another MNEME_SEED. config.toml is
// not among them: it is the user's own text, in which every change is a meaning.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "base/cancel.h"
#include "base/random.h"
#include "engine/language_model.h"
#include "rag/kv_reuse/clustering_times.h"
#include "rag/retrieval/retriever.h"
#include "rag/vectors/vector_indexes.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"
#include "storage/chunks/chunk_store.h"
#include "storage/encryption/encrypted_env.h"
#include "storage/env/memory_env.h"
#include "storage/env/sealed_file.h"
#include "storage/home.h"
#include "storage/salvage/catalogue_repair.h"
#include "tests/faults/child.h"
#include "tests/faults/memory_files.h"
#include "tests/faults/scene.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::faults {
namespace {

namespace fs = std::filesystem;
using storage::Catalogue;
using storage::MemoryEnv;

constexpr const char* kHome = "/home";
constexpr const char* kCatalogue = "/home/catalog.db";
constexpr const char* kLog = "/home/catalog.db-wal";
constexpr int64_t kFlips = 500;

enum class Found { kDetected, kHarmless, kSilent };

// Everything a catalogue says, as text; or why it says nothing.
Result<std::string> say_all(Catalogue& catalogue) {
  std::string all;
  const auto say = [&](const auto&... parts) {
    ((all += parts, all += '|'), ...);
    all += '\n';
  };
  MNEME_ASSIGN_OR_RETURN(const auto check, catalogue.check(false));
  for (const auto& problem : check.problems) return corruption(problem.detail);
  MNEME_ASSIGN_OR_RETURN(const auto collections, catalogue.list_collections());
  for (const auto& collection : collections) {
    say(collection.name, std::to_string(collection.revision));
    MNEME_ASSIGN_OR_RETURN(const auto documents, catalogue.list_documents(collection.id));
    for (const auto& d : documents) {
      say(d.path, d.title, d.author, d.date, d.format, d.notes, std::to_string(d.file.size_bytes),
          std::to_string(d.file.mtime_ns), d.content_hash.hex(), std::to_string(d.n_tokens),
          std::to_string(d.text_bytes));
      MNEME_ASSIGN_OR_RETURN(const auto text, catalogue.document_text(d.id));
      say(text.value_or("-"));
      MNEME_ASSIGN_OR_RETURN(const auto chunks, catalogue.document_chunks(d.id));
      for (const auto& c : chunks) {
        say(c.text, c.heading_path, c.uid, std::to_string(c.byte_begin), std::to_string(c.byte_end),
            std::to_string(c.line_begin), std::to_string(c.line_end), std::to_string(c.page));
      }
    }
    MNEME_ASSIGN_OR_RETURN(const auto roots, catalogue.roots(collection.id));
    for (const auto& root : roots) say(root);
  }
  for (const char* query : {"ferry winter", "marsh owl", "apple tree north wall", "quincunx"}) {
    MNEME_ASSIGN_OR_RETURN(const auto hits, catalogue.search_lexical(query, {}, 10));
    for (const auto& hit : hits) say(std::to_string(static_cast<int64_t>(hit.chunk)), std::to_string(hit.score));
  }
  MNEME_ASSIGN_OR_RETURN(const auto settings, catalogue.settings());
  for (const auto& [key, json] : settings) say(key, json);
  MNEME_ASSIGN_OR_RETURN(const auto models, catalogue.list_models());
  for (const auto& model : models) say(model.name, model.path, model.kind);
  MNEME_ASSIGN_OR_RETURN(const auto chats, catalogue.list_chats());
  for (const auto& chat : chats) {
    say(chat.title, chat.settings_json);
    MNEME_ASSIGN_OR_RETURN(const auto messages, catalogue.messages(chat.id));
    for (const auto& message : messages) say(message.role, message.text, message.details_json);
  }
  return all;
}

Result<std::string> say_all(const Files& files) {
  MemoryEnv env;
  lay(env, files);
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<Catalogue> catalogue,
                         Catalogue::open({.path = kCatalogue, .env = &env, .busy_timeout_ms = 0}));
  return say_all(*catalogue);
}

class FlipTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = scratch_folder("flips");
    build_home();
  }
  static void TearDownTestSuite() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  static void build_home() {
    MemoryEnv env;
    Scene scene(folder_, kHome, &env);
    scene.write_first_documents();
    const Status filled = scene.fill();
    ASSERT_TRUE(filled.ok()) << filled.message();
    collect(env, kHome, files_);
  }
  // The files of a kind, by the end of their names.
  static std::vector<std::string> paths(const std::string& suffix) {
    std::vector<std::string> found;
    for (const auto& [path, bytes] : files_) {
      if (path.ends_with(suffix)) found.push_back(path);
    }
    return found;
  }
  static void flip(Bytes& bytes, Random& random) {
    const size_t bit = random.below(bytes.size() * 8);
    bytes[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
  }
  // One of `share` flips goes to this kind; `look` says what became of one.
  template <typename Look>
  void run(const char* kind, int64_t share, Look look) {
    const int64_t flips = std::max<int64_t>(amount("MNEME_FLIPS", kFlips) / share, 1);
    const auto seed = static_cast<uint64_t>(amount("MNEME_SEED", 0));
    Random random(seed * 1'000'003 + static_cast<uint64_t>(share) * 31 + static_cast<uint64_t>(kind[0]));
    int64_t detected = 0;
    int64_t harmless = 0;
    for (int64_t i = 0; i < flips; ++i) {
      const Found found = look(random);
      detected += found == Found::kDetected ? 1 : 0;
      harmless += found == Found::kHarmless ? 1 : 0;
      ASSERT_NE(found, Found::kSilent) << kind << ", flip " << i;
    }
    std::printf("%s: %lld flips, %lld detected, %lld harmless, 0 used in silence\n", kind,
                static_cast<long long>(flips), static_cast<long long>(detected), static_cast<long long>(harmless));
    EXPECT_GT(detected, 0);
  }
  static inline std::string folder_;
  static inline Files files_;
};

TEST_F(FlipTest, Catalogue) {
  const Files clean = {{kCatalogue, files_[kCatalogue]}};
  const auto said = say_all(clean);
  ASSERT_TRUE(said.ok()) << said.status().message();
  run("catalogue", 3, [&](Random& random) {
    Files files = clean;
    flip(files[kCatalogue], random);
    const auto now = say_all(files);
    if (!now.ok()) {
      EXPECT_FALSE(now.status().message().empty());
      return Found::kDetected;
    }
    return *now == *said ? Found::kHarmless : Found::kSilent;
  });
}

// Whatever is damaged, a repair leaves a sound catalogue with all chats that it does not tell to have lost.
TEST_F(FlipTest, ARepairedCatalogueIsSound) {
  const storage::Home home{kHome};
  const auto flips = std::max<int64_t>(amount("MNEME_FLIPS", kFlips) / 8, 1);
  Random random(static_cast<uint64_t>(amount("MNEME_SEED", 0)) * 1'000'003 + 77);
  for (int64_t i = 0; i < flips; ++i) {
    MemoryEnv env;
    Files files = {{kCatalogue, files_[kCatalogue]}};
    for (uint64_t n = random.below(8) + 1; n > 0; --n) flip(files[kCatalogue], random);
    lay(env, files);
    const auto repaired = storage::repair_catalogue(env, home, 0, never_cancelled());
    if (!repaired.ok()) {
      // The version of a newer program's catalogue is one bit away.
      ASSERT_EQ(repaired.status().code(), StatusCode::kUnsupported) << i << ": " << repaired.status().message();
      continue;
    }
    const auto catalogue = Catalogue::open({.path = kCatalogue, .env = &env, .busy_timeout_ms = 0});
    ASSERT_TRUE(catalogue.ok()) << i << ": " << catalogue.status().message();
    const auto said = say_all(**catalogue);
    ASSERT_TRUE(said.ok()) << i << ": " << said.status().message();
    const auto collections = (*catalogue)->stats();
    int64_t documents = 0;
    for (const auto& stats : *collections) documents += stats.documents;
    EXPECT_EQ(documents, repaired->documents) << i;
  }
}

// A log left by a killed process: a flip in it costs what was written after, as a crash a moment earlier would have.
TEST_F(FlipTest, Log) {
  Files torn;
  {
    storage::FaultPlan plan;
    MemoryEnv env(&plan);
    lay(env, {{kCatalogue, files_[kCatalogue]}});
    {
      auto catalogue = Catalogue::open({.path = kCatalogue, .env = &env});
      ASSERT_TRUE(catalogue.ok());
      for (int i = 0; i < 8; ++i) {
        ASSERT_TRUE((*catalogue)->put_setting("key" + std::to_string(i), "\"" + std::string(2000, 'v') + "\"").ok());
        ASSERT_TRUE((*catalogue)->create_chat("chat " + std::to_string(i)).ok());
      }
      collect(env, kHome, torn);
    }
  }
  ASSERT_TRUE(torn.contains(kLog));
  ASSERT_GT(torn[kLog].size(), 100'000u);
  // What a crash after each frame would have left.
  std::set<std::string> moments;
  constexpr size_t kFrame = 24 + 8192;
  for (size_t size = 32; size <= torn[kLog].size(); size += kFrame) {
    Files cut = torn;
    cut[kLog].resize(size);
    moments.insert(*say_all(cut));
  }
  ASSERT_GT(moments.size(), 10u);
  run("log", 8, [&](Random& random) {
    Files files = torn;
    flip(files[kLog], random);
    const auto now = say_all(files);
    if (!now.ok()) return Found::kDetected;
    if (*now == *moments.rbegin()) return Found::kHarmless;
    return moments.contains(*now) ? Found::kDetected : Found::kSilent;
  });
}

// What a store makes of one file in which a bit is not as it was.
Found look_at_kv(storage::FileEnv& env, const Bytes& clean) {
  uint64_t more = 0;
  const auto header = storage::parse_chunk_header(clean, clean.size(), more);
  const auto store = storage::ChunkStore::open({.roots = {"/home/kv"}, .quota_bytes = 1 << 30, .env = &env});
  const bool told = !(*store)->verify(false)->problems.empty();
  const auto chunk = (*store)->find(header->info.key, header->info.token_ids);
  // Only what tells of another version stays, for its own program.
  if (!chunk.ok()) return chunk.status().code() == StatusCode::kNotFound ? Found::kDetected : Found::kSilent;
  for (int layer = 0; layer < (*chunk)->n_layers(); ++layer) {
    Bytes payload;
    if (!(*chunk)->read_layer(layer, payload).ok()) return told ? Found::kDetected : Found::kSilent;
    const auto& segment = header->layers[static_cast<size_t>(layer)];
    const ByteSpan words = ByteSpan(clean).subspan(segment.offset, segment.size_bytes);
    if (!std::equal(payload.begin(), payload.end(), words.begin(), words.end())) return Found::kSilent;
  }
  return Found::kHarmless;
}

TEST_F(FlipTest, KvFiles) {
  const std::vector<std::string> kv = paths(".kv");
  ASSERT_FALSE(kv.empty());
  run("kv", 4, [&](Random& random) {
    const std::string path = kv[random.below(kv.size())];
    MemoryEnv env;
    Files files = {{path, files_[path]}};
    flip(files[path], random);
    lay(env, files);
    return look_at_kv(env, files_[path]);
  });
}

// Also in the beginning that encryption puts before the format's: it is found out as a miss, and the file goes.
TEST_F(FlipTest, EncryptedKvFiles) {
  const std::vector<std::string> kv = paths(".kv");
  ASSERT_FALSE(kv.empty());
  const auto key = std::make_shared<storage::Secret>("thirty-two bytes that are a key.");
  run("encrypted kv", 4, [&](Random& random) {
    const std::string path = kv[random.below(kv.size())];
    MemoryEnv below;
    const auto env = storage::EncryptedEnv::make(below, key, {kHome});
    EXPECT_TRUE((*env)->make_directories(path.substr(0, path.rfind('/'))).ok());
    EXPECT_TRUE(storage::write_atomically(**env, path, files_[path]).ok());
    Files files = {{path, *storage::read_whole(below, path, 1 << 30)}};
    flip(files[path], random);
    lay(below, files);
    return look_at_kv(**env, files_[path]);
  });
}

TEST_F(FlipTest, VectorIndex) {
  const std::vector<std::string> hnsw = paths(".hnsw");
  ASSERT_EQ(hnsw.size(), 1u);
  const auto ask = [&](MemoryEnv& env, bool& told) -> Result<std::string> {
    rag::WorkspaceOptions options;
    options.home = kHome;
    options.model = "none";
    options.embedder = "hashed";
    options.n_threads = 1;
    options.env = &env;
    MNEME_ASSIGN_OR_RETURN(const auto workspace, rag::Workspace::open(options));
    MNEME_ASSIGN_OR_RETURN(const auto checks, workspace->vectors().check(false));
    for (const auto& check : checks) told = told || !check.problem.empty();
    std::string all;
    for (const char* query : {"ferry in winter", "owl eggs"}) {
      MNEME_ASSIGN_OR_RETURN(const auto result,
                             rag::Retriever(*workspace).search(query, {.method = rag::SearchMethod::kDense}));
      for (const auto& hit : result.hits) all += hit.chunk + " " + std::to_string(hit.score) + "\n";
    }
    return all;
  };
  MemoryEnv clean_env;
  lay(clean_env, files_);
  bool told = false;
  const auto clean = ask(clean_env, told);
  ASSERT_TRUE(clean.ok()) << clean.status().message();
  ASSERT_FALSE(told);
  run("hnsw", 8, [&](Random& random) {
    Files files = {{kCatalogue, files_[kCatalogue]}, {hnsw.front(), files_[hnsw.front()]}};
    flip(files[hnsw.front()], random);
    MemoryEnv env;
    lay(env, files);
    bool damaged = false;
    const auto now = ask(env, damaged);
    if (!now.ok()) return Found::kDetected;
    if (*now != *clean) return Found::kSilent;
    return damaged ? Found::kDetected : Found::kHarmless;
  });
}

TEST_F(FlipTest, CalibrationProfile) {
  const std::vector<std::string> profiles = paths(".kvprofile");
  ASSERT_EQ(profiles.size(), 1u);
  run("profile", 16, [&](Random& random) {
    Files files = {{profiles.front(), files_[profiles.front()]}};
    flip(files[profiles.front()], random);
    MemoryEnv env;
    lay(env, files);
    return storage::read_sealed(env, profiles.front(), 1 << 28).ok() ? Found::kSilent : Found::kDetected;
  });
}

TEST_F(FlipTest, ClusteringTimes) {
  run("times", 16, [&](Random& random) {
    MemoryEnv env;
    EXPECT_TRUE(env.make_directories(kHome).ok());
    rag::ClusteringTimesFile file(env, kHome, "/models/tiny.gguf");
    EXPECT_TRUE(file.save("clustering 3 1e+30 2e+20 4e+25 1.5e+10 2e+9\nlayer 7 1e+12 2e+15 4e+20 1e+5 2e+8\n").ok());
    Files files;
    collect(env, kHome, files);
    flip(files.begin()->second, random);
    lay(env, files);
    return file.load().ok() ? Found::kSilent : Found::kDetected;
  });
}

// The workspace remembers what a model file held when it was first used.
TEST_F(FlipTest, Model) {
  const std::string path = folder_ + "/flipped.gguf";
  fs::copy_file(checkout::test_data("tiny.gguf"), path);
  const auto time = fs::last_write_time(path);
  const uint64_t size = fs::file_size(path);
  MemoryEnv env;
  rag::WorkspaceOptions options;
  options.home = kHome;
  options.model = path;
  options.embedder = "hashed";
  options.env = &env;
  options.n_threads = 1;
  ASSERT_TRUE((*rag::Workspace::open(options))->model().ok());
  const auto flip_at = [&](uint64_t bit) {
    {
      std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
      file.seekg(static_cast<std::streamoff>(bit / 8));
      const auto byte = static_cast<char>(file.get() ^ (1 << (bit % 8)));
      file.seekp(static_cast<std::streamoff>(bit / 8));
      file.put(byte);
    }
    fs::last_write_time(path, time);
  };
  run("gguf", 16, [&](Random& random) {
    const uint64_t bit = random.below(size * 8);
    flip_at(bit);
    const bool used = (*rag::Workspace::open(options))->model().ok();
    flip_at(bit);
    return used ? Found::kSilent : Found::kDetected;
  });
}

TEST_F(FlipTest, ADamagedModelIsNotUsed) {
  const std::string model = folder_ + "/model.gguf";
  fs::copy_file(checkout::test_data("tiny.gguf"), model);
  const auto time = fs::last_write_time(model);
  MemoryEnv env;
  rag::WorkspaceOptions options;
  options.home = kHome;
  options.model = model;
  options.embedder = "hashed";
  options.env = &env;
  options.n_threads = 1;
  ASSERT_TRUE((*rag::Workspace::open(options))->model().ok());
  ASSERT_TRUE((*rag::Workspace::open(options))->model().ok());
  {
    std::fstream file(model, std::ios::binary | std::ios::in | std::ios::out);
    file.seekg(200'000);
    const auto byte = static_cast<char>(file.get() ^ 1);
    file.seekp(200'000);
    file.put(byte);
  }
  fs::last_write_time(model, time);
  const auto workspace = rag::Workspace::open(options);
  EXPECT_EQ((*workspace)->model().status().code(), StatusCode::kCorruption);
  // A file that somebody replaced is a new model.
  fs::last_write_time(model, time + std::chrono::seconds(5));
  EXPECT_TRUE((*rag::Workspace::open(options))->model().ok());
}

}  // namespace
}  // namespace mneme::faults
