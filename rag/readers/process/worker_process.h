// A reader's process as the program sees it: started, spoken to in frames (worker_wire.h), ended. It may have been
// taken over by a document: it is waited for so long and no longer, and never believed in what it claims to send.
// Internal to rag/readers. Ownership: owns process and socket, and ends them. Threads: one thread each.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/file_descriptor.h"
#include "base/status.h"
#include "rag/readers/process/worker_wire.h"

namespace mneme::readers {

// How long a worker is waited for over one file: for its next word, and in all. What the program itself takes, to store
// what came or to wait for the user, is not counted.
class WorkerPatience {
 public:
  using Clock = std::chrono::steady_clock;

  // name: borrowed, for messages.
  WorkerPatience(std::string_view name, const ReadLimits& limits, uint64_t size_bytes);

  void hears_something() { silent_until_ = Clock::now() + silence_; }
  void pass_over(Clock::time_point since);
  // kCancelled; kResource when it is at an end.
  Status check() const;
  // Nothing more is worth trying with this file.
  bool is_exhausted() const { return Clock::now() > until_; }
  std::string_view name() const { return name_; }

 private:
  const std::string_view name_;
  const CancelToken* const cancel_;
  const std::chrono::milliseconds silence_;
  Clock::time_point until_;
  Clock::time_point silent_until_;
};

struct WorkerFrame {
  FrameType type = FrameType::kDone;
  std::string content;
};

class WorkerProcess {
 public:
  // Errors: those of sockets and processes. A program that cannot be run shows as a worker that says nothing.
  static Result<std::unique_ptr<WorkerProcess>> start(const std::string& program, const std::string& argument);
  ~WorkerProcess() { end(); }
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  bool is_usable() const { return socket_.is_open(); }
  void end();

  // Errors: those of WorkerPatience; kCorruption where the worker is gone or says nonsense.
  Status send(FrameType type, std::string_view content, const WorkerPatience& patience);
  Result<WorkerFrame> receive(WorkerPatience& patience);

 private:
  WorkerProcess(pid_t pid, FileDescriptor socket) : pid_(pid), socket_(std::move(socket)) {}
  Result<bool> wait_for(short what, const WorkerPatience& patience) const;
  Status send_all(std::string_view bytes, const WorkerPatience& patience);
  Status receive_all(char* out, size_t size, const WorkerPatience& patience);

  pid_t pid_;
  FileDescriptor socket_;
};

// What is said of a worker that crashed, or said what no honest one says.
Status worker_failed(std::string_view name);

}  // namespace mneme::readers
