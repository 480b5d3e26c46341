// mneme encryption: whether the home lies encrypted on the disk, and with which passphrase.
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/commands/commands.h"
#include "app/context.h"
#include "app/home_files.h"
#include "app/kept_key.h"
#include "app/output/terminal_text.h"
#include "app/passphrase.h"
#include "base/human_text.h"
#include "rag/indexing/file_walker.h"
#include "storage/home_conversion.h"

namespace mneme::app {
namespace {

constexpr int kUsualMinutes = 60;
constexpr int kMostMinutes = 60 * 24 * 7;

struct EncryptionArguments {
  std::string new_passphrase_file;
  int minutes = kUsualMinutes;
};

Result<storage::Secret> ask_for_new_passphrase(const std::string& file, const storage::Home& home) {
  return read_new_passphrase(file, {.prompt = "New passphrase for " + terminal_line(home.root) + ": ",
                                    .instead_of_it = "name a file that holds it with --new-passphrase-file FILE."});
}

Result<ExitCode> tell(Context& context, bool encrypted, const std::string& sentence) {
  if (context.output.json()) {
    context.output.print_json({{"home", context.directories.data}, {"encrypted", encrypted}});
  } else {
    context.output.print(sentence + "\n");
  }
  return ExitCode::kDone;
}

Result<ExitCode> run_show(Context& context) {
  MNEME_ASSIGN_OR_RETURN(const storage::Home home, home_of(context));
  MNEME_ASSIGN_OR_RETURN(const bool encrypted, storage::is_encrypted(storage::FileEnv::posix(), home));
  return tell(context, encrypted,
              "The home " + terminal_line(home.root) + (encrypted ? " is encrypted." : " is not encrypted."));
}

storage::ConvertedHome converted(const Context& context, const storage::Home& home) {
  return {.home = home, .kv_roots = kv_roots_of(context), .env = &storage::FileEnv::posix()};
}

Result<ExitCode> run_on(Context& context, const EncryptionArguments& arguments) {
  MNEME_ASSIGN_OR_RETURN(const storage::Home home, home_of(context));
  MNEME_ASSIGN_OR_RETURN(const bool encrypted, storage::is_encrypted(storage::FileEnv::posix(), home));
  if (encrypted) {
    return usage_error("the home " + home.root +
                       " is encrypted already; `mneme encryption passphrase` changes its passphrase.");
  }
  MNEME_ASSIGN_OR_RETURN(const storage::Secret passphrase, ask_for_new_passphrase(arguments.new_passphrase_file, home));
  MNEME_RETURN_IF_ERROR(storage::encrypt_home(converted(context, home), passphrase.bytes()));
  return tell(context, true,
              "The home " + terminal_line(home.root) + " is encrypted. Whoever loses the passphrase or the file " +
                  terminal_line(home.key()) +
                  " cannot open it any more: keep copies of both, apart from each other. "
                  "Stored caches are made again as they are needed.");
}

Result<ExitCode> run_off(Context& context) {
  MNEME_ASSIGN_OR_RETURN(const storage::Home home, home_of(context));
  MNEME_ASSIGN_OR_RETURN(const bool encrypted, storage::is_encrypted(storage::FileEnv::posix(), home));
  if (!encrypted) return usage_error("the home " + home.root + " is not encrypted.");
  MNEME_ASSIGN_OR_RETURN(const std::shared_ptr<const storage::Secret> key, ask_for_key(context, home));
  MNEME_RETURN_IF_ERROR(storage::decrypt_home(converted(context, home), key));
  return tell(context, false, "The home " + terminal_line(home.root) + " is not encrypted any more.");
}

Result<ExitCode> run_unlock(Context& context, const EncryptionArguments& arguments) {
  MNEME_ASSIGN_OR_RETURN(const storage::Home home, home_of(context));
  MNEME_ASSIGN_OR_RETURN(const bool encrypted, storage::is_encrypted(storage::FileEnv::posix(), home));
  if (!encrypted) return usage_error("the home " + home.root + " is not encrypted, so there is nothing to unlock.");
  MNEME_ASSIGN_OR_RETURN(const std::shared_ptr<const storage::Secret> key, ask_for_key(context, home));
  MNEME_RETURN_IF_ERROR(keep_key(rag::absolute_path(home.root), *key, std::chrono::minutes(arguments.minutes)));
  return tell(context, true,
              "The home " + terminal_line(home.root) + " opens without its passphrase for the next " +
                  human_number_of(arguments.minutes, "minute") + "; `mneme encryption lock` ends that.");
}

Result<ExitCode> run_lock(Context& context) {
  MNEME_ASSIGN_OR_RETURN(const storage::Home home, home_of(context));
  MNEME_ASSIGN_OR_RETURN(const bool encrypted, storage::is_encrypted(storage::FileEnv::posix(), home));
  const bool was_kept = drop_kept_key(rag::absolute_path(home.root));
  return tell(context, encrypted,
              "The key of " + terminal_line(home.root) + (was_kept ? " is kept no longer." : " was not kept."));
}

Result<ExitCode> run_passphrase(Context& context, const EncryptionArguments& arguments) {
  MNEME_ASSIGN_OR_RETURN(const storage::Home home, home_of(context));
  MNEME_ASSIGN_OR_RETURN(const bool encrypted, storage::is_encrypted(storage::FileEnv::posix(), home));
  if (!encrypted) return usage_error("the home " + home.root + " is not encrypted; `mneme encryption on` does it.");
  MNEME_ASSIGN_OR_RETURN(const std::shared_ptr<const storage::Secret> key, ask_for_key(context, home));
  MNEME_ASSIGN_OR_RETURN(const storage::Secret passphrase, ask_for_new_passphrase(arguments.new_passphrase_file, home));
  MNEME_RETURN_IF_ERROR(storage::change_passphrase(storage::FileEnv::posix(), home, *key, passphrase.bytes()));
  return tell(context, true,
              "The home " + terminal_line(home.root) + " has a new passphrase; copies of " + terminal_line(home.key()) +
                  " from before still open with the old one.");
}

}  // namespace

void add_encryption(Command root) {
  const auto arguments = std::make_shared<EncryptionArguments>();
  Command command =
      root.subcommand("encryption", "Encrypt the home on the disk with a passphrase, or tell whether it is");
  command.action(run_show);
  Command on = command.subcommand("on", "Encrypt the home: catalogue, chats, stored KV, vectors");
  on.option("--new-passphrase-file FILE", arguments->new_passphrase_file,
            "The new passphrase is this file's first line (-: of standard input); else it is asked for");
  on.action([arguments](Context& context) { return run_on(context, *arguments); });
  command.subcommand("off", "Decrypt the home").action(run_off);
  Command unlock =
      command.subcommand("unlock", "Let commands and the window open the home without asking, for a while");
  unlock.integer("--minutes N", arguments->minutes, 1, kMostMinutes, "How long; the kernel keeps the key in memory");
  unlock.action([arguments](Context& context) { return run_unlock(context, *arguments); });
  command.subcommand("lock", "Ask for the passphrase again").action(run_lock);
  Command change = command.subcommand("passphrase", "Give the home another passphrase; nothing is encrypted anew");
  change.option("--new-passphrase-file FILE", arguments->new_passphrase_file,
                "The new passphrase is this file's first line (-: of standard input); else it is asked for");
  change.action([arguments](Context& context) { return run_passphrase(context, *arguments); });
}

}  // namespace mneme::app
