// Documents are read in processes of their own, in a sandbox (sandbox.h): a reader that a hostile file takes over, or
// makes crash, hang or eat memory, costs that file and nothing else. The program starts itself as such a worker; one
// serves each thread that reads, for as long as that thread lives.
// Threads: all functions from any thread; set_worker_program() before the first read.
#pragma once

#include <functional>
#include <string>

#include "rag/readers/byte_source.h"
#include "rag/readers/reader.h"

namespace mneme::readers {

// How to start a worker: a program and its one argument, which then calls serve_worker(). Without this files are read
// in the calling process, as tests and fuzzers do.
void set_worker_program(std::string program, std::string argument);

// read_bytes(), read_file() and read_from() of reader.h, in a worker. The file itself is opened here: workers are given
// its bytes as they ask for them. In addition kCorruption when the worker ended by a signal or said nonsense, kResource
// when it took too long; where that happened to one member of a container, the member is told to have failed, and
// another worker goes on behind it.
Status read_bytes_apart(std::string_view name, ByteSpan bytes, const ReadLimits& limits, const DocumentSink& sink);
Status read_file_apart(const std::string& path, const ReadLimits& limits, const DocumentSink& sink);
Status read_from_apart(std::string_view name, ByteSource& source, const ReadLimits& limits, const DocumentSink& sink);

// A worker's life: enters the sandbox, then answers requests on the socket `descriptor` until it is closed; gives the
// exit status. `read` is read_from(); tests give others.
using ReadFrom = std::function<Status(std::string_view name, ByteSource& source, const ReadLimits& limits,
                                      const DocumentSink& sink, const MemberWalk* walk)>;
int serve_worker(int descriptor, const ReadFrom& read);

}  // namespace mneme::readers
