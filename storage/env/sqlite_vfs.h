// SQLite on a MemoryDisk: database, log and shared memory, with the disk's faults. Not for other folders.
// Threads: connections may be used from any thread, as SQLite allows.
#pragma once

namespace mneme::storage {

class MemoryDisk;

// Registers a VFS for the disk (once) and returns its name, valid until unregistered. The disk must outlive the
// connections opened through it.
const char* register_memory_vfs(MemoryDisk& disk);
void unregister_memory_vfs(MemoryDisk& disk);

}  // namespace mneme::storage
