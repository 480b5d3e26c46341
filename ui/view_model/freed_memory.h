// What was freed goes back to the system: a long list that was read, sorted and copied leaves its pages with the
// allocator, of every thread that had a part in it, for as long as the window is open. Takes milliseconds, and the
// allocator's locks: for moments when nothing is drawn. Threads: any.
#pragma once

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace mneme::ui {

inline void give_back_freed_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace mneme::ui
