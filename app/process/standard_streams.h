// Standard input, output and error as the program finds them. Threads: before any other is started.
#pragma once

namespace mneme::app {

// Whoever starts the program may have closed some of the three. The next file opened would take the number, and what is
// printed would go into it: the catalogue, a KV cache. They are put in place so that using them fails as before.
void occupy_standard_streams();

}  // namespace mneme::app
