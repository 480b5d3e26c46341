// `mneme model find`: models that other programs have put on this machine (rag/models/found_models.h).
#pragma once

#include <optional>
#include <string>

#include "app/context.h"
#include "base/exit_code.h"
#include "base/status.h"
#include "rag/models/found_models.h"

namespace mneme::app {

// Lists them; what cannot run says why.
Result<ExitCode> list_found_models(Context& context);

// The one that the list calls so, unless there is a file of this name.
std::optional<rag::FoundModel> found_model(const std::string& name, const CancelToken& cancel);

}  // namespace mneme::app
