#include "rag/readers/process/reader_worker.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "base/guarded.h"
#include "base/mutex.h"
#include "rag/readers/container_limits.h"
#include "rag/readers/file_source.h"
#include "rag/readers/process/worker_process.h"
#include "rag/readers/process/worker_wire.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {
namespace {

// Of one container: more members than these that make their reader fail are no accident.
constexpr int kMostFailedWorkers = 20;
// What a request brings of its file: all of most files. A larger one is asked for in pieces, from the same few pages.
constexpr uint64_t kBeginningBytes = uint64_t{256} << 10;
static_assert(kBeginningBytes <= kMostPieceBytes);

struct WorkerProgram {
  Mutex mutex;
  std::string path MNEME_GUARDED_BY(mutex);
  std::string argument MNEME_GUARDED_BY(mutex);
};
WorkerProgram& worker_program() {
  static WorkerProgram program;
  return program;
}

struct ReadJob {
  std::string_view name;
  ByteSource& source;
  const ReadLimits& limits;
  const DocumentSink& sink;
};

// One request and all that is said until it is done.
class Conversation {
 public:
  Conversation(const ReadJob& job, WorkerProcess& worker, WorkerPatience& patience)
      : job_(job), worker_(worker), patience_(patience), items_left_(members_of(job.limits, job.source.size()) + 2) {}

  Status hold(uint64_t passed_over) {
    passed_over_ = passed_over;
    Status status = guarded("reading a file", [&] { return talk(); });
    // One that was left in the middle of its words, or broke, serves nobody else.
    if (!done_) worker_.end();
    return status;
  }

  // The worker crashed, hung or lied: not that nobody wanted more, or that the file could not be read.
  bool worker_is_at_fault() const { return !done_ && !stopped_; }
  // The member of a container that it was reading last; number 0: none.
  const BegunMember& begun() const { return begun_; }

 private:
  Status talk() {
    MNEME_RETURN_IF_ERROR(ask());
    while (true) {
      MNEME_ASSIGN_OR_RETURN(const WorkerFrame frame, worker_.receive(patience_));
      if (frame.type == FrameType::kDone) {
        done_ = true;
        return decode_status(frame.content);
      }
      MNEME_RETURN_IF_ERROR(answer(frame));
    }
  }

  Status ask() {
    WorkerRequest request;
    request.limits = job_.limits;
    request.name = job_.name;
    request.size_bytes = job_.source.size();
    request.passed_over = passed_over_;
    const uint64_t n_bytes = std::min(request.size_bytes, kBeginningBytes);
    MNEME_ASSIGN_OR_RETURN(request.beginning, bytes_of_file({.offset = 0, .n_bytes = n_bytes}));
    return worker_.send(FrameType::kRequest, encode_request(request), patience_);
  }

  Status answer(const WorkerFrame& frame) {
    switch (frame.type) {
      case FrameType::kItem: return take_item(frame.content);
      case FrameType::kWant: return give_piece(frame.content);
      case FrameType::kMember: return take_member(frame.content);
      default: return worker_failed(job_.name);
    }
  }

  Status take_item(std::string_view content) {
    if (items_left_-- == 0) return worker_failed(job_.name);
    MNEME_ASSIGN_OR_RETURN(ReadItem item, decode_item(content));
    const auto given = WorkerPatience::Clock::now();
    const Status status = job_.sink(std::move(item));
    patience_.pass_over(given);
    return ours(status);
  }

  Status give_piece(std::string_view content) {
    MNEME_ASSIGN_OR_RETURN(const WantedBytes wanted, decode_want(content, job_.source.size()));
    MNEME_ASSIGN_OR_RETURN(const std::string piece, bytes_of_file(wanted));
    return worker_.send(FrameType::kPiece, piece, patience_);
  }

  Status take_member(std::string_view content) {
    MNEME_ASSIGN_OR_RETURN(BegunMember member, decode_member(content));
    if (member.number <= std::max(passed_over_, begun_.number)) return worker_failed(job_.name);
    begun_ = std::move(member);
    return {};
  }

  Result<std::string> bytes_of_file(const WantedBytes& wanted) {
    std::string bytes(wanted.n_bytes, '\0');
    Result<size_t> got = job_.source.read(wanted.offset, bytes);
    patience_.hears_something();
    MNEME_RETURN_IF_ERROR(ours(got.status()));
    if (*got == bytes.size()) return bytes;
    return ours(io_error(printable(job_.name) + " ended before its end; read it again."));
  }

  Status ours(const Status& status) {
    stopped_ = stopped_ || !status.ok();
    return status;
  }

  const ReadJob job_;
  WorkerProcess& worker_;
  WorkerPatience& patience_;
  uint64_t items_left_;
  uint64_t passed_over_ = 0;
  BegunMember begun_;
  bool done_ = false;     // the request was answered to its end
  bool stopped_ = false;  // by us
};

// The worker of this thread, or why there is none.
Result<WorkerProcess*> worker_of_this_thread(const std::string& program, const std::string& argument) {
  thread_local std::unique_ptr<WorkerProcess> worker;
  if (worker == nullptr || !worker->is_usable()) {
    MNEME_ASSIGN_OR_RETURN(worker, WorkerProcess::start(program, argument));
  }
  return worker.get();
}

// A worker that fails at a member of a container costs the member: another goes on behind it.
Status read_with_workers(const ReadJob& job, const std::string& program, const std::string& argument) {
  WorkerPatience patience(job.name, job.limits, job.source.size());
  uint64_t passed_over = 0;
  for (int failed_workers = 0;; ++failed_workers) {
    MNEME_ASSIGN_OR_RETURN(WorkerProcess* const worker, worker_of_this_thread(program, argument));
    patience.hears_something();
    Conversation conversation(job, *worker, patience);
    Status status = conversation.hold(passed_over);
    const BegunMember& member = conversation.begun();
    const bool goes_on = conversation.worker_is_at_fault() && status.code() != StatusCode::kCancelled &&
                         member.number > 0 && failed_workers < kMostFailedWorkers && !patience.is_exhausted();
    if (!goes_on) return status;
    const Status failed = status.code() == StatusCode::kResource
                              ? resource_error(printable(member.label) + " took too long to read; it was left out.")
                              : corruption(printable(member.label) + " made its reader fail; it was left out.");
    MNEME_RETURN_IF_ERROR(job.sink(ReadItem{.member = member.label, .status = failed, .document = {}}));
    passed_over = member.number;
  }
}

}  // namespace

void set_worker_program(std::string program, std::string argument) {
  WorkerProgram& chosen = worker_program();
  MutexLock lock(chosen.mutex);
  chosen.path = std::move(program);
  chosen.argument = std::move(argument);
}

Status read_from_apart(std::string_view name, ByteSource& source, const ReadLimits& limits, const DocumentSink& sink) {
  std::string program;
  std::string argument;
  {
    WorkerProgram& chosen = worker_program();
    MutexLock lock(chosen.mutex);
    program = chosen.path;
    argument = chosen.argument;
  }
  if (program.empty()) return read_from(name, source, limits, sink);
  return read_with_workers({name, source, limits, sink}, program, argument);
}

Status read_bytes_apart(std::string_view name, ByteSpan bytes, const ReadLimits& limits, const DocumentSink& sink) {
  MemorySource source(as_text(bytes));
  return read_from_apart(name, source, limits, sink);
}

Status read_file_apart(const std::string& path, const ReadLimits& limits, const DocumentSink& sink) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<FileSource> source, FileSource::open(path, limits));
  MNEME_RETURN_IF_ERROR(look_at(path, source->beginning(), source->size(), limits));
  MNEME_RETURN_IF_ERROR(read_from_apart(path, *source, limits, sink));
  return source->unchanged();
}

}  // namespace mneme::readers
