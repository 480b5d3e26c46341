// Days of use in minutes: a random mix of indexing, asking, chatting, deleting, forgetting, eviction and restarts under
// a clock that runs fast. Memory, descriptors and files stay as they were; the catalogue holds no more than its
// content. MNEME_DAYS days (every build: two), MNEME_WORK_PER_DAY pieces of work each.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

#include "app/commands/kv_store.h"
#include "base/random.h"
#include "rag/answering/answerer.h"
#include "rag/indexing/indexer.h"
#include "rag/indexing/kv_job.h"
#include "rag/kv_reuse/kv_background.h"
#include "rag/kv_reuse/kv_library.h"
#include "rag/retrieval/retriever.h"
#include "rag/vectors/vector_indexes.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"
#include "tests/faults/child.h"
#include "tests/faults/interpose.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::faults {
namespace {

namespace fs = std::filesystem;

const std::string kModel = checkout::test_data("tiny.gguf");
constexpr int kMostDocuments = 30;
constexpr uint64_t kQuota = 200'000;
constexpr const char* kWords[] = {"harbour", "crane", "owl",  "ferry", "salt",  "lantern", "orchard", "bell",
                                  "winter",  "rope",  "loom", "tide",  "attic", "granite", "copper",  "fern"};

int count_descriptors() {
  int n = 0;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    (void)entry;
    ++n;
  }
  return n;
}

int64_t resident_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return std::strtoll(line.c_str() + 6, nullptr, 10);
  }
  return 0;
}

struct Footprint {
  int descriptors = 0;
  int64_t allocations = 0;
  int64_t resident = 0;
  uint64_t catalogue = 0;
  uint64_t kv = 0;
  int stray_files = 0;
};

class Life {
 public:
  Life() {
    folder_ = scratch_folder("week");
    fs::create_directories(docs());
  }
  ~Life() {
    std::error_code ignored;
    workspace_.reset();
    fs::remove_all(folder_, ignored);
  }

  Status do_something() {
    if (workspace_ == nullptr) MNEME_RETURN_IF_ERROR(restart());
    switch (random_.below(12)) {
      case 0:
      case 1:
      case 2: return add_or_change();
      case 3: return remove_file();
      case 4:
      case 5: return ask();
      case 6: return search();
      case 7: return chat();
      case 8: return delete_oldest_chat();
      case 9: return forget();
      case 10: return compute_kv();
      default: return restart();
    }
  }

  // Night: everything closed, checked and compacted; what is left is what may stay.
  Result<Footprint> rest() {
    MNEME_RETURN_IF_ERROR(index());
    MNEME_ASSIGN_OR_RETURN(const storage::CatalogueCheck check, workspace_->catalogue().check(false));
    for (const auto& problem : check.problems) return corruption(problem.path + ": " + problem.detail);
    MNEME_RETURN_IF_ERROR(app::remove_orphaned_kv(*workspace_, storage::Removal::kRemove).status());
    MNEME_RETURN_IF_ERROR(workspace_->catalogue().compact());
    workspace_.reset();
    Footprint now;
    now.descriptors = count_descriptors();
    now.allocations = live_allocations();
    now.resident = resident_kib();
    now.catalogue = fs::file_size(home() + "/catalog.db");
    for (const auto& entry : fs::recursive_directory_iterator(home())) {
      if (!entry.is_regular_file()) continue;
      if (entry.path().extension() == ".kv") now.kv += entry.file_size();
      if (entry.path().filename().string().find("tmp") != std::string::npos) ++now.stray_files;
    }
    return now;
  }

 private:
  std::string docs() const { return folder_ + "/docs"; }
  std::string home() const { return folder_ + "/home"; }
  std::string word() { return kWords[random_.below(std::size(kWords))]; }
  std::string file() { return docs() + "/" + std::to_string(random_.below(kMostDocuments)) + ".txt"; }

  Status restart() {
    workspace_.reset();
    rag::WorkspaceOptions options;
    options.home = home();
    options.model = kModel;
    options.embedder = "hashed";
    options.device = "cpu";
    options.n_threads = 1;
    MNEME_ASSIGN_OR_RETURN(workspace_, rag::Workspace::open(options));
    MNEME_ASSIGN_OR_RETURN(const rag::Workspace::Kv kv, workspace_->kv());
    kv.library->store().set_quota(kQuota);
    return kv.library->store().enforce_quota();
  }
  Status index() {
    if (workspace_ == nullptr) MNEME_RETURN_IF_ERROR(restart());
    rag::IndexOptions options;
    options.paths = {docs()};
    options.n_threads = 1;
    return rag::Indexer(*workspace_).run(options).status();
  }
  Status add_or_change() {
    for (uint64_t n = 1 + random_.below(3); n > 0; --n) {
      std::string text = "Page about the " + word() + ".\n\n";
      for (uint64_t i = random_.below(30); i > 0; --i) text += "The " + word() + " and the " + word() + " rest.\n";
      std::ofstream(file(), std::ios::binary) << text;
    }
    return index();
  }
  Status remove_file() {
    std::error_code absent;
    fs::remove(file(), absent);
    return index();
  }
  Status forget() {
    const std::string path = file();
    std::error_code absent;
    fs::remove(path, absent);
    const Status status = workspace_->catalogue().forget(path).status();
    return status.code() == StatusCode::kNotFound ? Status() : status;
  }
  Result<rag::Answer> answer() {
    rag::AskOptions options;
    options.max_tokens = 4;
    options.mode = random_.below(2) == 0 ? rag::AnswerMode::kFull : rag::AnswerMode::kReuse;
    rag::Answerer answerer(*workspace_);
    return answerer.ask("Where is the " + word() + "?", options);
  }
  Status ask() { return answer().status(); }
  Status search() { return rag::Retriever(*workspace_).search(word() + " " + word(), {}).status(); }
  Status chat() {
    MNEME_ASSIGN_OR_RETURN(const rag::Answer said, answer());
    storage::Catalogue& catalogue = workspace_->catalogue();
    MNEME_ASSIGN_OR_RETURN(const storage::ChatId chat, catalogue.create_chat(word()));
    MNEME_RETURN_IF_ERROR(catalogue.append_message({.chat = chat, .role = "user", .text = word()}).status());
    return catalogue.append_message({.chat = chat, .role = "assistant", .text = said.text}).status();
  }
  Status delete_oldest_chat() {
    MNEME_ASSIGN_OR_RETURN(const auto chats, workspace_->catalogue().list_chats());
    // A few are kept; those before them go, so that the week ends with as many as the first day.
    for (size_t i = 3; i < chats.size(); ++i) MNEME_RETURN_IF_ERROR(workspace_->catalogue().delete_chat(chats[i].id));
    return {};
  }
  Status compute_kv() {
    const Status status = rag::compute_collection_kv(*workspace_, "default", engine::KvLevel::kMedium).status();
    return status.code() == StatusCode::kNotFound ? Status() : status;
  }

  std::string folder_;
  Random random_{11};
  std::unique_ptr<rag::Workspace> workspace_;
};

TEST(WeekTest, NothingGrowsButTheContent) {
  const int64_t days = amount("MNEME_DAYS", 2);
  const int64_t work_per_day = amount("MNEME_WORK_PER_DAY", 60);
  Life life;
  Footprint first;
  uint64_t largest_first = 0;
  for (int64_t day = 0; day < days; ++day) {
    for (int64_t work = 0; work < work_per_day; ++work) {
      shift_clock(day * 86400 + 86400 * work / work_per_day);
      const Status status = life.do_something();
      ASSERT_TRUE(status.ok() || status.code() == StatusCode::kNotFound) << "day " << day << ": " << status.message();
    }
    const Result<Footprint> now = life.rest();
    ASSERT_TRUE(now.ok()) << now.status().message();
    std::printf("day %lld: %d descriptors, %lld live allocations, %lld KiB resident, catalogue %llu, KV %llu bytes\n",
                static_cast<long long>(day + 1), now->descriptors, static_cast<long long>(now->allocations),
                static_cast<long long>(now->resident), static_cast<unsigned long long>(now->catalogue),
                static_cast<unsigned long long>(now->kv));
    std::fflush(stdout);  // what is cut short has said how far it came
    EXPECT_EQ(now->stray_files, 0);
    EXPECT_LE(now->kv, kQuota);
    if (day == 0) {
      first = *now;
      largest_first = now->catalogue;
      continue;
    }
    EXPECT_LE(now->descriptors, first.descriptors) << "day " << day;
    // Tables of libraries may still fill up on the second day; no more than that.
    EXPECT_LE(now->allocations, first.allocations + 200) << "day " << day;
    EXPECT_LE(now->resident, first.resident * 5 / 4 + 20'000) << "day " << day;
    EXPECT_LE(now->catalogue, largest_first * 2) << "day " << day;
  }
  shift_clock(0);
}

}  // namespace
}  // namespace mneme::faults
