// verify of a home whose catalogue is damaged: what is told of it, and its repair (storage/salvage/catalogue_repair.h).
// Threads: the main thread.
#pragma once

#include "app/context.h"
#include "base/status.h"
#include "storage/catalogue/records.h"

namespace mneme::app {

// What of the catalogue is damaged, and what --repair would do. `failure`, with which it was found out, where no page
// of it is damaged (then something else is), or where it cannot be looked at.
Result<storage::CatalogueProblem> describe_catalogue_damage(Context& context, const Status& failure);

// Puts a new catalogue with all that can be read in the place of the damaged one; what was kept and what was lost.
Result<storage::CatalogueProblem> recover_catalogue(Context& context);

}  // namespace mneme::app
