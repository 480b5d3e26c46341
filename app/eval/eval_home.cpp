#include "app/eval/eval_home.h"

#include <charconv>
#include <filesystem>

#include "app/scratch_context.h"
#include "app/session.h"
#include "rag/indexing/file_walker.h"
#include "rag/indexing/indexer.h"
#include "storage/env/file_env.h"

namespace mneme::app {
namespace {

constexpr int kFilesPerFolder = 1000;

std::string path_below(const std::string& folder, int number) {
  return folder + "/documents/" + std::to_string(number / kFilesPerFolder) + "/" + std::to_string(number) + ".txt";
}

Status write_documents(const std::string& folder, const std::vector<EvalContext>& documents) {
  storage::FileEnv& env = storage::FileEnv::posix();
  MNEME_RETURN_IF_ERROR(env.make_directories(folder + "/documents"));
  for (size_t i = 0; i < documents.size(); ++i) {
    const std::string path = path_below(folder, static_cast<int>(i));
    if (i % kFilesPerFolder == 0) {
      MNEME_RETURN_IF_ERROR(env.make_directories(std::filesystem::path(path).parent_path().string()));
    }
    MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<storage::WritableFile> file, env.create(path));
    MNEME_RETURN_IF_ERROR(file->append(as_bytes(documents[i].text)));
    MNEME_RETURN_IF_ERROR(file->close());
  }
  return {};
}

}  // namespace

Result<EvalHome> EvalHome::make(const Context& context, const std::vector<EvalContext>& documents,
                                const std::string& folder, bool with_model) {
  MNEME_ASSIGN_OR_RETURN(TemporaryFolder place, TemporaryFolder::make());
  if (folder.empty()) MNEME_RETURN_IF_ERROR(write_documents(place.path(), documents));
  Context scratch = scratch_context(context, place.path() + "/home");
  if (!with_model) scratch.options.model = "none";
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<rag::Workspace> workspace, open_workspace(scratch));
  rag::IndexOptions index;
  index.paths = {folder.empty() ? place.path() + "/documents" : rag::absolute_path(folder)};
  index.kv = rag::KvPolicy::kOff;
  index.n_threads = context.options.threads;
  const Result<rag::IndexReport> report = rag::Indexer(*workspace).run(index, {}, context.cancel);
  if (!report.ok()) return report.status();
  if (report->interrupted) return cancelled();
  return EvalHome(std::move(place), std::move(workspace));
}

std::string EvalHome::path_of(int number) const {
  return path_below(folder_.path(), number);
}

int EvalHome::number_of(const std::string& path) {
  const std::string stem = std::filesystem::path(path).stem().string();
  int number = -1;
  std::from_chars(stem.data(), stem.data() + stem.size(), number);
  return number;
}

}  // namespace mneme::app
