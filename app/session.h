// What commands share when they open things: the workspace as the global options say, or a model alone.
// Threads: the main thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/context.h"
#include "base/status.h"

namespace mneme::rag {
class Workspace;
struct WorkspaceOptions;
}  // namespace mneme::rag
namespace mneme::storage {
class Catalogue;
}
namespace mneme::engine {
class LanguageModel;
struct DeviceOptions;
}  // namespace mneme::engine

namespace mneme::app {

// Where the engine runs, as --device, --gpu-layers and --threads say.
engine::DeviceOptions device_options(const GlobalOptions& options);

// As the home lies there: an encrypted one is not open yet.
Result<rag::WorkspaceOptions> plain_workspace_options(const Context& context);
// Opens an encrypted home's files on the way (home_files.h).
Result<rag::WorkspaceOptions> workspace_options(Context& context);

// Notes config_tidings(), since nobody may have meant them: the file is the user's own text, without a checksum.
enum class Tidings { kNoted, kLeftOut };  // kLeftOut: of a command that tells them itself
Result<std::unique_ptr<rag::Workspace>> open_workspace(Context& context, Tidings tidings = Tidings::kNoted);

// What config.toml says otherwise than when a command last opened the home, a sentence each; told once.
std::vector<std::string> config_tidings(const Context& context, storage::Catalogue& catalogue);

// The model that --model names, for commands that need no documents: a file is opened without touching the home.
// kUsage when there is none at all.
Result<std::unique_ptr<engine::LanguageModel>> open_model(Context& context, int context_tokens = 0);
Result<std::string> model_path(Context& context);

// For a search that came back with nothing: whether there is anything to find, and what to do. One sentence; empty
// where the query has filters, of which the search's own notes tell.
std::string why_nothing_found(rag::Workspace& workspace, const std::string& collection, const std::string& query);

// Of a model's name on the command line that is no file's: whether it cannot be a registered one either.
bool can_only_be_a_path(const std::string& model);

// Which model that is, for results that must not be mixed with another's: hex digits that are the same however the file
// is named and wherever it lies. Reads all of it.
Result<std::string> model_fingerprint(Context& context);
Result<std::string> model_file_fingerprint(const std::string& path);

}  // namespace mneme::app
