#include "app/home_files.h"

#include <sys/prctl.h>
#include <sys/stat.h>

#include <utility>

#include "app/kept_key.h"
#include "app/output/terminal_text.h"
#include "app/passphrase.h"
#include "rag/indexing/file_walker.h"
#include "storage/encryption/encrypted_env.h"
#include "storage/encryption/home_key.h"

namespace mneme::app {
namespace {

// From here on no core dump is written, and no other program of the user's may look into the memory, which has the key
// and the texts.
void keep_memory_private() {
  (void)::prctl(PR_SET_DUMPABLE, 0);
}

Result<std::shared_ptr<storage::FileEnv>> files_through(std::shared_ptr<const storage::Secret> key,
                                                        const storage::Home& home, std::vector<std::string> folders) {
  keep_memory_private();
  folders.push_back(home.root);
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<storage::EncryptedEnv> env,
                         storage::EncryptedEnv::make(storage::FileEnv::posix(), std::move(key), std::move(folders)));
  return std::shared_ptr<storage::FileEnv>(std::move(env));
}

// What was kept of another home at this place opens nothing.
std::shared_ptr<const storage::Secret> fitting_kept_key(const storage::Home& home) {
  std::shared_ptr<const storage::Secret> key = kept_key(rag::absolute_path(home.root));
  if (key != nullptr && !storage::fits(storage::FileEnv::posix(), home.catalogue(), *key)) return nullptr;
  return key;
}

}  // namespace

Result<storage::Home> home_of(const Context& context) {
  return storage::name_home(context.directories.data);
}

std::vector<std::string> kv_roots_of(const Context& context) {
  std::vector<std::string> roots;
  roots.reserve(context.options.kv_roots.size());
  for (const std::string& root : context.options.kv_roots) roots.push_back(rag::absolute_path(root));
  return roots;
}

Result<std::shared_ptr<const storage::Secret>> ask_for_key(const Context& context, const storage::Home& home) {
  keep_memory_private();
  MNEME_ASSIGN_OR_RETURN(const storage::Secret passphrase,
                         read_passphrase(context.options.passphrase_file,
                                         {.prompt = "Passphrase of " + terminal_line(home.root) + ": ",
                                          .instead_of_it = "name a file that holds it with --passphrase-file FILE."}));
  return storage::open_home_key(storage::FileEnv::posix(), home.key(), passphrase.bytes());
}

Result<bool> opens_unasked(const Context& context) {
  MNEME_ASSIGN_OR_RETURN(const storage::Home home, home_of(context));
  MNEME_ASSIGN_OR_RETURN(const bool encrypted, storage::is_encrypted(storage::FileEnv::posix(), home));
  return !encrypted || !context.options.passphrase_file.empty() || fitting_kept_key(home) != nullptr;
}

Status open_home_files(Context& context) {
  if (context.home_files != nullptr) return {};
  MNEME_ASSIGN_OR_RETURN(const storage::Home home, home_of(context));
  MNEME_ASSIGN_OR_RETURN(const bool encrypted, storage::is_encrypted(storage::FileEnv::posix(), home));
  if (!encrypted) return {};
  std::shared_ptr<const storage::Secret> key;
  if (context.options.passphrase_file.empty()) key = fitting_kept_key(home);
  if (key == nullptr) {
    MNEME_ASSIGN_OR_RETURN(key, ask_for_key(context, home));
  }
  MNEME_ASSIGN_OR_RETURN(context.home_files, files_through(std::move(key), home, kv_roots_of(context)));
  return {};
}

Result<std::shared_ptr<storage::FileEnv>> unlock_home(const storage::Home& home, std::vector<std::string> kv_roots,
                                                      ByteSpan passphrase) {
  MNEME_ASSIGN_OR_RETURN(std::shared_ptr<const storage::Secret> key,
                         storage::open_home_key(storage::FileEnv::posix(), home.key(), passphrase));
  return files_through(std::move(key), home, std::move(kv_roots));
}

std::string who_else_reads(const storage::Home& home, bool is_encrypted) {
  struct ::stat folder{};
  struct ::stat file{};
  if (is_encrypted || ::stat(home.root.c_str(), &folder) != 0 || ::stat(home.catalogue().c_str(), &file) != 0) {
    return "";
  }
  const bool by_group = (folder.st_mode & S_IXGRP) != 0 && (file.st_mode & S_IRGRP) != 0;
  const bool by_others = (folder.st_mode & S_IXOTH) != 0 && (file.st_mode & S_IROTH) != 0;
  if (!by_group && !by_others) return "";
  return "other users of this machine may read " + terminal_line(home.catalogue()) +
         ", as its file system keeps no permissions or they were changed; `mneme encryption on` keeps what is in the "
         "home from them, and so does `chmod -R go= " +
         terminal_line(home.root) + "` where there are permissions.";
}

void note_who_else_reads(Context& context) {
  const Result<storage::Home> home = home_of(context);
  const std::string who = home.ok() ? who_else_reads(*home, context.home_files != nullptr) : "";
  if (!who.empty()) context.output.note("note: " + who);
}

}  // namespace mneme::app
