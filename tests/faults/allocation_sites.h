// Where in the code an allocation is asked for. Threads: any; nothing here allocates.
#pragma once

namespace mneme::faults {

// Once, before anything else here: finds the code of this program.
void find_code();

// Whether this is the first allocation since forget_sites() from its place: the instruction that asked for memory
// (`asked`, a return address), and the two innermost callers in this program's own code, as library code and containers
// are used from many places.
bool is_new_site(const void* asked);
void forget_sites();

}  // namespace mneme::faults
