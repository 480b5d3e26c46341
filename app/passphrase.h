// Passphrases from people: a file, or asked for at the terminal without showing what is typed. Threads: the main
// thread.
#pragma once

#include <string>

#include "base/status.h"
#include "storage/encryption/secret.h"

namespace mneme::app {

// What to call the passphrase when asking for it.
struct PassphraseQuestion {
  std::string prompt;         // "Passphrase of /home/a/.local/share/mneme: "
  std::string instead_of_it;  // what to do where nobody can be asked: "name a file that holds it with ..."
};

// The first line of `file` ("-": standard input), or what is typed. kUsage where there is neither, or an empty one;
// kCancelled for Ctrl-C.
Result<storage::Secret> read_passphrase(const std::string& file, const PassphraseQuestion& question);

// The same for a new one, which at the terminal is typed twice.
Result<storage::Secret> read_new_passphrase(const std::string& file, const PassphraseQuestion& question);

}  // namespace mneme::app
