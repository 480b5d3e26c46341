// What commands share when they open things: the workspace as the global options say, or a model alone.
// Threads: the main thread.
#pragma once

#include <memory>
#include <string>

#include "app/context.h"
#include "base/status.h"

namespace mneme::rag {
class Workspace;
struct WorkspaceOptions;
}  // namespace mneme::rag
namespace mneme::engine {
class LanguageModel;
}

namespace mneme::app {

// The folder with models/ and samples/ that came with the program: MNEME_ASSETS, beside the binary
// (../share/mneme), or the source tree it was built from. Empty when none is there.
std::string assets_folder();

// A model file that came with the program, or "".
std::string shipped_model(const std::string& file_name);

Result<rag::WorkspaceOptions> workspace_options(const Context& context);
Result<std::unique_ptr<rag::Workspace>> open_workspace(const Context& context);

// The model that --model names, for commands that need no documents: a file is opened without touching the home.
// kUsage when there is none at all.
Result<std::unique_ptr<engine::LanguageModel>> open_model(const Context& context, int context_tokens = 0);
Result<std::string> model_path(const Context& context);

// Standard input or a file as a whole, at most `limit_bytes`. kResource beyond.
Result<std::string> read_standard_input(uint64_t limit_bytes);
Result<std::string> read_text_file(const std::string& path, uint64_t limit_bytes);

// The path as the catalogue stores it: absolute and without dots; links stay.
std::string absolute_path(const std::string& path);

}  // namespace mneme::app
