// A home whose catalogue is damaged gets a new one with all that can be read of it. The new one is made beside it,
// checked, and put in its place; the damaged one keeps lying beside it under a name of its own. A document with a
// passage missing is left out whole: the next index run reads its file again.
//
// Renaming the damaged one is the moment that counts: killed before it, the home is as it was; after it, whoever opens
// the home ends the work (settle_repair()).
// Threads: one at a time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "storage/home.h"

namespace mneme::storage {

struct CatalogueDamage {
  int64_t pages = 0;
  int64_t damaged_pages = 0;              // with those behind a file's end that was cut off
  std::vector<std::string_view> parts{};  // "chats", "documents", ...: what the damaged pages belong to
};

struct RepairedCatalogue {
  std::string kept_as{};  // where the damaged one lies
  CatalogueDamage damage{};
  bool log_was_lost = false;
  int64_t collections = 0;
  int64_t folders = 0;
  int64_t documents = 0;
  // Those that are not there, of which the damaged one still knew, and those whose passages are all there, but perhaps
  // not the text as it is shown.
  int64_t documents_to_read_again = 0;
  int64_t chats = 0;
  int64_t messages = 0;
  int64_t lost_messages = 0;  // of which the damaged one still knew
  // "folders", "settings", ...: of which something may be missing that nobody can name.
  std::vector<std::string_view> incomplete{};
};

// Looks at every page. kBusy while another program has the home open; kUnsupported where nothing here applies (a newer
// catalogue, one whose key is missing).
Result<CatalogueDamage> look_at_damage(FileEnv& env, const Home& home, int busy_timeout_ms);

// The same errors; those of a full disk, and the others, leave the home as it was.
Result<RepairedCatalogue> repair_catalogue(FileEnv& env, const Home& home, int busy_timeout_ms,
                                           const CancelToken& cancel);

// Ends a repair that was cut off, or takes away what it left. Called by open_home().
Status settle_repair(FileEnv& env, const Home& home);

}  // namespace mneme::storage
