#include "rag/readers/process/forking_program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <optional>
#include <utility>

#include "base/embedded_assets.h"
#include "base/file_descriptor.h"
#include "rag/readers/process/child_launch.h"
#include "rag/readers/process/child_streams.h"
#include "rag/readers/process/fork_wire.h"

namespace mneme::readers {
namespace {

constexpr int kMostDocuments = 64;
constexpr int kPatienceMs = 5000;  // for the program's own words

class ForkingProgram {
 public:
  // Null when it cannot be started; whether it forks is seen with the first document.
  static std::unique_ptr<ForkingProgram> start(const std::vector<std::string>& argv);
  ~ForkingProgram() { end(); }
  ForkingProgram(const ForkingProgram&) = delete;
  ForkingProgram& operator=(const ForkingProgram&) = delete;

  bool is_of(const std::vector<std::string>& argv) const { return is_usable_ && argv == argv_; }

  // None when nothing was said of the document because the program does not fork, or is gone.
  Result<std::optional<ChildResult>> run(int document, const ChildLimits& limits,
                                         const std::function<Status(std::string_view)>& on_output);

 private:
  explicit ForkingProgram(const std::vector<std::string>& argv) : argv_(argv) {}
  bool hear(void* out, size_t size) const;
  FileDescriptor take(int pipe) const;
  bool begin(int document, const ChildLimits& limits, FileDescriptor& output, FileDescriptor& errors) const;
  void end();

  const std::vector<std::string> argv_;
  pid_t pid_ = -1;
  FileDescriptor requests_;
  FileDescriptor requests_end_;  // the program's: writing to one that is gone is then no signal
  FileDescriptor replies_;
  int n_documents_ = 0;
  bool is_usable_ = true;
};

std::unique_ptr<ForkingProgram> ForkingProgram::start(const std::vector<std::string>& argv) {
  std::unique_ptr<ForkingProgram> program(new ForkingProgram(argv));
  FileDescriptor replies_end;
  const FileDescriptor library = memory_file(assets::fork_at_document);
  const FileDescriptor nowhere(::open("/dev/null", O_RDONLY | O_CLOEXEC));  // in a sandbox nothing opens for writing
  if (!library.is_open() || !nowhere.is_open()) return nullptr;
  const FileDescriptor library_end = descriptor_from(kForkDescriptors, library.get());
  const FileDescriptor nowhere_end = descriptor_from(kForkDescriptors, nowhere.get());
  if (!library_end.is_open() || !nowhere_end.is_open()) return nullptr;
  if (!make_pipe(kForkDescriptors, program->requests_end_, program->requests_)) return nullptr;
  if (!make_pipe(kForkDescriptors, program->replies_, replies_end)) return nullptr;
  const std::vector<char*> arguments = null_ended(argv);
  std::vector<std::string> variables = child_environment();
  variables.push_back("LD_PRELOAD=/proc/self/fd/" + std::to_string(kForkLibrary));
  variables.emplace_back("LD_BIND_NOW=1");  // once, not by each child
  const std::vector<char*> environment = null_ended(variables);
  const int null = nowhere_end.get();
  const std::array<int, kForkDescriptors> descriptors = {
      null, null, null, program->requests_end_.get(), replies_end.get(), library_end.get()};
  program->pid_ = launch_child(
      {.argv = arguments.data(), .environment = environment.data(), .descriptors = descriptors, .limits = {}});
  return program->pid_ > 0 ? std::move(program) : nullptr;
}

// False when the program is gone or says nothing.
bool ForkingProgram::hear(void* out, size_t size) const {
  pollfd stream{replies_.get(), POLLIN, 0};
  int ready = 0;
  do {
    ready = ::poll(&stream, 1, kPatienceMs);
  } while (ready < 0 && errno == EINTR);
  return ready > 0 && ::read(replies_.get(), out, size) == static_cast<ssize_t>(size);
}

// The read end of a pipe of the program's: nobody may send descriptors from within a reader's sandbox.
FileDescriptor ForkingProgram::take(int pipe) const {
  const std::string path = "/proc/" + std::to_string(pid_) + "/fd/" + std::to_string(pipe);
  return FileDescriptor(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
}

bool ForkingProgram::begin(int document, const ChildLimits& limits, FileDescriptor& output,
                           FileDescriptor& errors) const {
  ForkedPipes pipes;
  if (!hear(&pipes, sizeof pipes)) return false;
  output = take(pipes.output);
  errors = take(pipes.errors);
  const ResourceLimits resources = resource_limits(limits);
  const ForkRequest request{resources.memory_bytes, resources.cpu_seconds, document};
  return output.is_open() && errors.is_open() &&
         ::write(requests_.get(), &request, sizeof request) == static_cast<ssize_t>(sizeof request);
}

Result<std::optional<ChildResult>> ForkingProgram::run(int document, const ChildLimits& limits,
                                                       const std::function<Status(std::string_view)>& on_output) {
  is_usable_ = false;  // unless all goes well
  FileDescriptor output;
  FileDescriptor errors;
  if (!begin(document, limits, output, errors)) return std::optional<ChildResult>();
  ChildResult result;
  bool has_said = false;
  MNEME_RETURN_IF_ERROR(drain(
      output.get(), errors.get(), limits,
      [&](std::string_view piece) {
        has_said = true;
        return on_output(piece);
      },
      result));
  if (result.timed_out) return std::optional(result);
  int32_t state = SIGKILL;  // what is said of a program that was killed, and its child with it
  const bool is_there = hear(&state, sizeof state);
  result.exit_code = exit_code_of(state);
  if (!has_said && (!is_there || result.exit_code == kCannotStart)) return std::optional<ChildResult>();
  is_usable_ = is_there && WIFEXITED(state) && ++n_documents_ < kMostDocuments;
  return std::optional(result);
}

// Without its pipes the program ends by itself, and so does a child that writes; a child that hangs ends with its time,
// and is waited for as long as that may take: it would see the next document. Inside a reader's sandbox none can be
// killed.
void ForkingProgram::end() {
  constexpr int kMostMs = 2500;
  requests_.reset();
  requests_end_.reset();
  replies_.reset();
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  for (int ms = 0; ms < kMostMs && ::waitpid(pid_, nullptr, WNOHANG) == 0; ++ms) ::usleep(ms < 20 ? 200 : 1000);
  pid_ = -1;
}

}  // namespace

Result<ChildResult> run_forked_child(const std::vector<std::string>& argv, int stdin_fd, const ChildLimits& limits,
                                     const std::function<Status(std::string_view)>& on_output) {
  thread_local std::unique_ptr<ForkingProgram> program;
  thread_local std::vector<std::string> not_forking;  // the program that was found not to
  while (argv != not_forking) {
    const bool is_new = program == nullptr || !program->is_of(argv);
    if (is_new) program = ForkingProgram::start(argv);
    if (program != nullptr) {
      MNEME_ASSIGN_OR_RETURN(std::optional<ChildResult> result, program->run(stdin_fd, limits, on_output));
      if (result.has_value()) return *std::move(result);
    }
    if (is_new) not_forking = argv;
  }
  return run_child(argv, stdin_fd, limits, on_output);
}

}  // namespace mneme::readers
