// The heap in large pages. A page that is touched for the first time is given by the system, one after the other: under
// a hypervisor some 14 us each, so that a program that starts with 20 MB of small blocks waits a quarter of a second
// for nothing else. Where the system has pages of 2 MiB for who asks (Linux, "madvise" or "always"), the part of the
// heap that is used first is asked to lie in them.
// Threads: once, before there are others.
#pragma once

namespace mneme {

// Whatever cannot be had is gone without: it changes no more than how long things take.
void put_heap_in_large_pages();

}  // namespace mneme
