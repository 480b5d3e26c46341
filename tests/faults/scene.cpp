#include "tests/faults/scene.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>

#include "app/commands/kv_store.h"
#include "base/hash.h"
#include "rag/answering/answerer.h"
#include "rag/indexing/indexer.h"
#include "rag/indexing/kv_job.h"
#include "rag/kv_reuse/kv_background.h"
#include "rag/kv_reuse/kv_library.h"
#include "rag/retrieval/retriever.h"
#include "rag/vectors/vector_indexes.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"
#include "storage/env/file_env.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::faults {
namespace {

namespace fs = std::filesystem;

const std::string kModel = checkout::test_data("tiny.gguf");
constexpr const char* kQuestion = "When does the last ferry leave?";
constexpr uint64_t kSmallQuota = 30'000;

std::string paragraph(const std::string& subject, int n) {
  return "The " + subject + " of row " + std::to_string(n) +
         " stands at the north wall beside the old harbour crane.\n";
}

Status compute_kv(rag::Workspace& workspace) {
  return rag::compute_collection_kv(workspace, "default", engine::KvLevel::kMedium).status();
}

Status add_chat(storage::Catalogue& catalogue, const std::string& answer) {
  MNEME_ASSIGN_OR_RETURN(const storage::ChatId chat, catalogue.create_chat("talk"));
  MNEME_RETURN_IF_ERROR(catalogue.append_message({.chat = chat, .role = "user", .text = kQuestion}).status());
  return catalogue.append_message({.chat = chat, .role = "assistant", .text = answer}).status();
}

// mode: none asks the workspace's own; without a model it quotes.
Result<std::string> ask(rag::Workspace& workspace, std::optional<rag::AnswerMode> mode, int max_tokens) {
  rag::AskOptions options;
  options.mode = mode;
  options.max_tokens = max_tokens;
  rag::Answerer answerer(workspace);
  MNEME_ASSIGN_OR_RETURN(const rag::Answer answer, answerer.ask(kQuestion, options));
  std::string text = answer.text;
  for (const rag::Citation& source : answer.sources) text += "\n" + source.source.document + ": " + source.source.text;
  return text;
}

Status forget(rag::Workspace& workspace, const std::string& path) {
  const Status forgotten = workspace.catalogue().forget(path).status();
  if (!forgotten.ok() && forgotten.code() != StatusCode::kNotFound) return forgotten;
  return app::remove_orphaned_kv(workspace, storage::Removal::kErase).status();
}

rag::IndexOptions index_options(const std::string& docs) {
  rag::IndexOptions options;
  options.paths = {docs};
  options.n_threads = 1;
  return options;
}

}  // namespace

Scene::Scene(std::string folder, std::string home, storage::FileEnv* env)
    : folder_(std::move(folder)), home_(std::move(home)), env_(env) {}

void Scene::write(const std::string& name, const std::string& text) {
  const fs::path path = fs::path(folder_) / "docs" / name;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

void Scene::write_first_documents() {
  write("ferry.txt", "Timetable of the island.\n\nThe last ferry to Tarnholm leaves at 18:15 in winter.\n");
  write("owls.md", "# Owls\n\nThe marsh owl nests on the ground among rushes.\n\nIt lays seven eggs in April.\n");
  write("gone.txt", "This page about lighthouse keepers will be removed.\n");
  write("secret.txt", "The quincunx lies under the xylophone.\n");
  std::string rows;
  for (int i = 0; i < 60; ++i) rows += paragraph("apple tree", i) + "\n";
  write("garden.txt", rows);
}

void Scene::write_later_documents() {
  write("ferry.txt", "Timetable of the island.\n\nThe last ferry to Tarnholm leaves at 19:45 since the spring.\n");
  write("salt.html", "<h1>Salt huts</h1><p>The salt huts of the western shore are painted red.</p>");
  write("notes/pear.txt", paragraph("pear tree", 1) + paragraph("pear tree", 2));
  fs::remove(fs::path(folder_) / "docs" / "gone.txt");
}

Result<std::unique_ptr<rag::Workspace>> Scene::open(const std::string& model) {
  rag::WorkspaceOptions options;
  options.home = home_;
  options.model = model;
  options.embedder = "hashed";
  options.device = "cpu";
  options.n_threads = 1;
  options.env = env_;
  return rag::Workspace::open(options);
}

Status Scene::fill() {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open(kModel));
  MNEME_RETURN_IF_ERROR(rag::Indexer(*workspace).run(index_options(folder_ + "/docs")).status());
  MNEME_RETURN_IF_ERROR(compute_kv(*workspace));
  return add_chat(workspace->catalogue(), "At 18:15 in winter.");
}

Status Scene::work() {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open(kModel));
  MNEME_RETURN_IF_ERROR(rag::Indexer(*workspace).run(index_options(folder_ + "/docs")).status());
  MNEME_RETURN_IF_ERROR(compute_kv(*workspace));
  MNEME_ASSIGN_OR_RETURN(const rag::Workspace::Kv kv, workspace->kv());
  kv.library->store().set_quota(kSmallQuota);
  MNEME_RETURN_IF_ERROR(kv.library->store().enforce_quota());
  MNEME_ASSIGN_OR_RETURN(const std::string answer, ask(*workspace, rag::AnswerMode::kReuse, 4));
  MNEME_RETURN_IF_ERROR(add_chat(workspace->catalogue(), answer));
  MNEME_RETURN_IF_ERROR(forget(*workspace, folder_ + "/docs/secret.txt"));
  return workspace->catalogue().compact();
}

Status Scene::verify() {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open("none"));
  MNEME_ASSIGN_OR_RETURN(const storage::CatalogueCheck check, workspace->catalogue().check(false));
  for (const storage::CatalogueProblem& problem : check.problems) {
    return corruption(problem.kind + " " + problem.path + ": " + problem.detail);
  }
  MNEME_ASSIGN_OR_RETURN(const std::vector<rag::VectorIndexCheck> indexes, workspace->vectors().check(false));
  for (const rag::VectorIndexCheck& index : indexes) {
    if (!index.problem.empty()) return corruption(index.path + ": " + index.problem);
    if (!index.stale.empty()) return corruption(index.path + ": " + index.stale);
  }
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<storage::ChunkStore> store, app::open_kv_store(*workspace));
  MNEME_ASSIGN_OR_RETURN(const storage::ChunkStoreCheck kv, store->verify(false));
  for (const storage::ChunkStoreProblem& problem : kv.problems) return corruption(problem.path + ": " + problem.detail);
  return {};
}

Result<int> Scene::documents_up_to_date() {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open("none"));
  MNEME_ASSIGN_OR_RETURN(const storage::CollectionRecord collection, workspace->catalogue().find_collection("default"));
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::DocumentState> states,
                         workspace->catalogue().document_states(collection.id));
  int up_to_date = 0;
  for (const storage::DocumentState& state : states) {
    std::ifstream stream(state.path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!text.empty() && xxh3_128(as_bytes(text)) == state.content_hash) ++up_to_date;
  }
  return up_to_date;
}

Result<int> Scene::index_again() {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open("none"));
  MNEME_ASSIGN_OR_RETURN(const rag::IndexReport report, rag::Indexer(*workspace).run(index_options(folder_ + "/docs")));
  return static_cast<int>(report.documents);
}

Result<Answers> Scene::answers() {
  Answers all;
  {
    MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open(kModel));
    MNEME_RETURN_IF_ERROR(rag::Indexer(*workspace).run(index_options(folder_ + "/docs")).status());
    MNEME_RETURN_IF_ERROR(forget(*workspace, folder_ + "/docs/secret.txt"));
    MNEME_RETURN_IF_ERROR(compute_kv(*workspace));
    for (const rag::AnswerMode mode : {rag::AnswerMode::kFull, rag::AnswerMode::kReuse}) {
      MNEME_ASSIGN_OR_RETURN(const std::string answer, ask(*workspace, mode, 6));
      all.push_back(answer);
    }
  }
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open("none"));
  MNEME_ASSIGN_OR_RETURN(const std::string quoted, ask(*workspace, std::nullopt, 512));
  all.push_back(quoted);
  rag::Retriever retriever(*workspace);
  for (const char* query : {"marsh owl eggs", "salt huts", "lighthouse keepers", "pear tree", "quincunx xylophone"}) {
    MNEME_ASSIGN_OR_RETURN(const rag::SearchResult result, retriever.search(query, {}));
    std::string text = query;
    for (const rag::Hit& hit : result.hits) text += "\n" + hit.document + ": " + hit.text;
    all.push_back(text);
  }
  return all;
}

Result<std::vector<std::string>> Scene::messages() {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open("none"));
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ChatRecord> chats, workspace->catalogue().list_chats());
  std::vector<std::string> all;
  for (const storage::ChatRecord& chat : chats) {
    MNEME_ASSIGN_OR_RETURN(const std::vector<storage::MessageRecord> messages,
                           workspace->catalogue().messages(chat.id));
    for (const storage::MessageRecord& message : messages) all.push_back(message.role + ": " + message.text);
  }
  return all;
}

}  // namespace mneme::faults
