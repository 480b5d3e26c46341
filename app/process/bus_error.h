// A mapped file that cannot be read: the disk fails below it, or somebody cuts it short while it is in use. The system
// then ends the program with SIGBUS; here it says first which file it was. Threads: install once, before others are
// started.
#pragma once

namespace mneme::app {

// From now on such an error ends the program with one sentence on standard error (with `json` also as an error object
// on standard output) and the exit status of damage. Any other SIGBUS ends it as before.
void explain_bus_errors(bool json);

}  // namespace mneme::app
