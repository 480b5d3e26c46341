// Readers in a process of their own: what they may not do is denied by the kernel, what they say is checked, and what
// becomes of them costs one file.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>

#include "base/random.h"
#include "rag/readers/process/reader_worker.h"
#include "rag/readers/process/sandbox.h"
#include "rag/readers/process/worker_wire.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

namespace fs = std::filesystem;

// Runs `work` in a child that has entered the sandbox; what it returns, or -1 when it was killed.
int in_sandbox(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(enter_sandbox() ? work() : 77);
  int state = 0;
  ::waitpid(child, &state, 0);
  return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

class SandboxTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (in_sandbox([] { return 0; }) == 77) GTEST_SKIP() << "this kernel has no seccomp";
    std::string name = fs::temp_directory_path() / "mneme-sandbox-XXXXXX";
    folder_ = mkdtemp(name.data());
    file_ = folder_ + "/precious.txt";
    std::ofstream(file_) << "precious";
  }
  void TearDown() override {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }
  // 1 for each attempt that the kernel let through.
  static int got_through(long result) { return result < 0 && errno == EPERM ? 0 : 1; }
  std::string folder_;
  std::string file_;
};

// Denies this process a call of prctl(), as kernels do that lack what it is for, and programs around it that allow
// none.
void deny_prctl(int what, int error) {
  sock_filter code[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
                        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)),
                        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(what), 0, 1),
                        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<uint32_t>(error)),
                        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog program{std::size(code), code};
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

// The obstacle where that call of prctl() fails so.
int obstacle_behind(int what, int error) {
  const pid_t child = ::fork();
  if (child == 0) {
    deny_prctl(what, error);
    ::_exit(enter_sandbox() ? 255 : obstacle_to_sandbox());
  }
  int state = 0;
  ::waitpid(child, &state, 0);
  return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

TEST_F(SandboxTest, WhatStandsInItsWayIsKnownBeforeItIsEntered) {
  EXPECT_EQ(obstacle_to_sandbox(), 0);
  EXPECT_EQ(obstacle_behind(PR_SET_SECCOMP, EINVAL), EINVAL) << "a kernel without it";
  EXPECT_EQ(obstacle_behind(PR_SET_SECCOMP, EACCES), EACCES);
  EXPECT_EQ(obstacle_behind(PR_SET_NO_NEW_PRIVS, EPERM), EPERM);
}

TEST_F(SandboxTest, NothingCanBeWritten) {
  const char* path = file_.c_str();
  const std::string other = folder_ + "/other";
  const std::vector<std::pair<const char*, std::function<long()>>> attempts = {
      {"openat for writing", [&] { return syscall(SYS_openat, AT_FDCWD, path, O_WRONLY); }},
      {"openat for both", [&] { return syscall(SYS_openat, AT_FDCWD, path, O_RDWR); }},
      {"openat that makes", [&] { return syscall(SYS_openat, AT_FDCWD, other.c_str(), O_CREAT | O_RDONLY, 0600); }},
      {"openat that empties", [&] { return syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_TRUNC); }},
      {"openat2",
       [&] {
         open_how how{};
         how.flags = O_WRONLY;
         return syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
       }},
#if defined(SYS_open)
      {"open for writing", [&] { return syscall(SYS_open, path, O_WRONLY); }},
      {"open that makes", [&] { return syscall(SYS_open, other.c_str(), O_CREAT | O_RDONLY, 0600); }},
      {"creat", [&] { return syscall(SYS_creat, path, 0600); }},
      {"unlink", [&] { return syscall(SYS_unlink, path); }},
      {"rename", [&] { return syscall(SYS_rename, path, other.c_str()); }},
      {"mkdir", [&] { return syscall(SYS_mkdir, other.c_str(), 0700); }},
      {"symlink", [&] { return syscall(SYS_symlink, path, other.c_str()); }},
      {"link", [&] { return syscall(SYS_link, path, other.c_str()); }},
      {"chmod", [&] { return syscall(SYS_chmod, path, 0777); }},
#endif
      {"unlinkat", [&] { return syscall(SYS_unlinkat, AT_FDCWD, path, 0); }},
      {"renameat2", [&] { return syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, other.c_str(), 0); }},
      {"mkdirat", [&] { return syscall(SYS_mkdirat, AT_FDCWD, other.c_str(), 0700); }},
      {"truncate", [&] { return syscall(SYS_truncate, path, 0); }},
      {"fchmod", [&] { return syscall(SYS_fchmod, ::open(path, O_RDONLY), 0777); }},
      {"fchmodat", [&] { return syscall(SYS_fchmodat, AT_FDCWD, path, 0777); }},
      {"utimensat", [&] { return syscall(SYS_utimensat, AT_FDCWD, path, nullptr, 0); }},
      {"setxattr", [&] { return syscall(SYS_setxattr, path, "user.x", "y", 1, 0); }},
      // Denied by number, whether or not this kernel has them.
      {"fchmodat2", [&] { return syscall(452, AT_FDCWD, path, 0777, 0); }},
      {"setxattrat", [&] { return syscall(463, AT_FDCWD, path, 0, "user.x", nullptr, 0); }},
      {"removexattrat", [&] { return syscall(466, AT_FDCWD, path, 0, "user.x"); }},
      {"file_setattr", [&] { return syscall(469, AT_FDCWD, path, nullptr, 0, 0); }},
  };
  for (const auto& attempt : attempts) {
    EXPECT_EQ(in_sandbox([&] { return got_through(attempt.second()); }), 0) << attempt.first << " went through";
  }
  std::ifstream stream(file_);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), "precious");
  EXPECT_FALSE(fs::exists(other));
}

TEST_F(SandboxTest, NobodyCanBeReached) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  const pid_t parent = ::getpid();
  const int inherited = ::socket(AF_INET, SOCK_DGRAM, 0);
  const std::vector<std::pair<const char*, std::function<long()>>> attempts = {
      {"socket", [&] { return syscall(SYS_socket, AF_INET, SOCK_STREAM, 0); }},
      {"unix socket", [&] { return syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0); }},
      {"socketpair",
       [&] {
         int pair[2];
         return syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, pair);
       }},
      {"connect", [&] { return syscall(SYS_connect, inherited, &address, sizeof address); }},
      {"sendto", [&] { return syscall(SYS_sendto, inherited, "x", 1, 0, &address, sizeof address); }},
      {"sendmsg", [&] { return syscall(SYS_sendmsg, inherited, nullptr, 0); }},
      {"ptrace", [&] { return syscall(SYS_ptrace, PTRACE_ATTACH, parent, 0, 0); }},
      {"process_vm_writev", [&] { return syscall(SYS_process_vm_writev, parent, nullptr, 0, nullptr, 0, 0); }},
      {"kill", [&] { return syscall(SYS_kill, parent, 0); }},
      {"limits",
       [&] {
         rlimit limits{};
         return syscall(SYS_prlimit64, parent, RLIMIT_CPU, nullptr, &limits);
       }},
      {"io_uring", [&] { return syscall(SYS_io_uring_setup, 4, nullptr); }},
      {"terminal", [&] { return syscall(SYS_ioctl, 0, TIOCSTI, "x"); }},
  };
  for (const auto& attempt : attempts) {
    EXPECT_EQ(in_sandbox([&] { return got_through(attempt.second()); }), 0) << attempt.first << " went through";
  }
  ::close(inherited);
#if defined(__x86_64__)
  EXPECT_EQ(in_sandbox([] { return static_cast<int>(syscall(0x40000000 + SYS_getpid)) > 0 ? 1 : 0; }), -1);
#endif
}

TEST_F(SandboxTest, ThreadsAreStartedAndNothingElse) {
  const auto starts_nothing = [](const std::function<int()>& work) {
    return in_sandbox([&] { return start_nothing_and_stay() ? work() : 77; });
  };
  EXPECT_EQ(starts_nothing([] { return got_through(::fork()); }), 0);
  EXPECT_EQ(starts_nothing([] { return got_through(syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr)); }),
            0);
  EXPECT_EQ(starts_nothing([] { return got_through(::execl("/bin/true", "true", nullptr)); }), 0);
  EXPECT_EQ(starts_nothing([] { return got_through(::prctl(PR_SET_PDEATHSIG, 0)); }), 0);
  EXPECT_EQ(starts_nothing([] { return ::prctl(PR_SET_NAME, "reader"); }), 0);
  EXPECT_EQ(starts_nothing([] {
              int done = 1;
              std::thread([&] { done = 0; }).join();
              return done;
            }),
            0);
}

TEST_F(SandboxTest, WhatIsStartedInsideIsInside) {
  const std::string command = "echo x > " + folder_ + "/made; echo y >> " + file_;
  EXPECT_NE(in_sandbox([&] {
              ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
              return 3;
            }),
            0);
  EXPECT_FALSE(fs::exists(folder_ + "/made"));
  EXPECT_EQ(fs::file_size(file_), 8u);
}

TEST_F(SandboxTest, ReadingGoesOn) {
  EXPECT_EQ(in_sandbox([&] {
              std::ifstream stream(file_);
              const std::string text{std::istreambuf_iterator<char>(stream), {}};
              return text == "precious" && read_document("a.md", as_bytes("# Title\n\nText.\n")).ok() ? 0 : 1;
            }),
            0);
}

// ---- What passes between program and worker

ReadItem some_item() {
  ReadItem item;
  item.member = "notes/a.md";
  item.document.title = "Title";
  item.document.format = "markdown";
  item.document.text = "# Title\n\nText ä.\n";
  item.document.blocks.push_back(
      {.kind = rag::BlockKind::kHeading, .heading_level = 1, .byte_end = 7, .line_begin = 1});
  item.document.blocks.push_back({.byte_begin = 9, .byte_end = 16, .line_begin = 3, .line_end = 3, .page = 2});
  item.document.notes = {"one", "two"};
  return item;
}

TEST(WorkerWireTest, WhatIsSaidIsHeard) {
  const ReadItem item = some_item();
  const auto heard = decode_item(encode_item(item));
  ASSERT_TRUE(heard.ok()) << heard.status().message();
  EXPECT_EQ(heard->member, item.member);
  EXPECT_EQ(heard->document.text, item.document.text);
  EXPECT_EQ(heard->document.title, item.document.title);
  ASSERT_EQ(heard->document.blocks.size(), 2u);
  EXPECT_EQ(heard->document.blocks[1].page, 2);
  EXPECT_EQ(heard->document.blocks[0].heading_level, 1);
  EXPECT_EQ(heard->document.notes, item.document.notes);
  ReadItem garrulous = some_item();
  garrulous.document.title = std::string(100'000, 'x');
  EXPECT_EQ(decode_item(encode_item(garrulous))->document.title.size(), 1000u);
  ReadItem failed;
  failed.member = "b";
  failed.status = unsupported("b is not text.");
  const auto failure = decode_item(encode_item(failed));
  ASSERT_TRUE(failure.ok());
  EXPECT_EQ(failure->status.code(), StatusCode::kUnsupported);
  EXPECT_EQ(failure->status.message(), "b is not text.");
  WorkerRequest asked;
  asked.name = "x.pdf";
  asked.size_bytes = uint64_t{5} << 30;
  asked.passed_over = 12;
  asked.limits.pages = 7;
  asked.limits.ocr = true;
  asked.limits.container_bytes = 77;
  asked.beginning = std::string_view("a\0b", 3);
  const auto request = decode_request(encode_request(asked));
  ASSERT_TRUE(request.ok());
  EXPECT_EQ(request->limits.pages, 7);
  EXPECT_TRUE(request->limits.ocr);
  EXPECT_EQ(request->limits.container_bytes, 77u);
  EXPECT_EQ(request->size_bytes, uint64_t{5} << 30);
  EXPECT_EQ(request->passed_over, 12u);
  EXPECT_EQ(request->beginning, std::string_view("a\0b", 3));
  const auto wanted = decode_want(encode_want({.offset = 90, .n_bytes = 10}), 100);
  ASSERT_TRUE(wanted.ok());
  EXPECT_EQ(wanted->offset, 90u);
  EXPECT_EQ(wanted->n_bytes, 10u);
  const auto member = decode_member(encode_member({.number = 3, .label = "message 3"}));
  ASSERT_TRUE(member.ok());
  EXPECT_EQ(member->number, 3u);
  EXPECT_EQ(member->label, "message 3");
  EXPECT_TRUE(decode_status(encode_status({})).ok());
}

TEST(WorkerWireTest, NonsenseIsRefused) {
  const std::string bytes = encode_item(some_item());
  for (size_t size = 0; size < bytes.size(); ++size) EXPECT_FALSE(decode_item(bytes.substr(0, size)).ok());
  EXPECT_FALSE(decode_item(bytes + "x").ok());
  ReadItem overlapping = some_item();
  overlapping.document.blocks[1].byte_begin = 3;
  EXPECT_FALSE(decode_item(encode_item(overlapping)).ok());
  ReadItem outside = some_item();
  outside.document.blocks[1].byte_end = 1000;
  EXPECT_FALSE(decode_item(encode_item(outside)).ok());
  ReadItem latin1 = some_item();
  latin1.document.text[2] = '\xe4';
  EXPECT_FALSE(decode_item(encode_item(latin1)).ok());
  // Bytes that the file does not have, none, and more than a piece.
  for (const WantedBytes& wrong : {WantedBytes{90, 11}, WantedBytes{~uint64_t{0}, 2}, WantedBytes{0, 0}}) {
    EXPECT_FALSE(decode_want(encode_want(wrong), 100).ok());
  }
  EXPECT_FALSE(decode_want(encode_want({0, kMostPieceBytes + 1}), uint64_t{1} << 40).ok());
  EXPECT_FALSE(decode_member(encode_member({.number = 0, .label = "none"})).ok());
  Random random(3);
  for (int i = 0; i < 5000; ++i) {
    std::string damaged = bytes;
    for (int n = 0; n < 3; ++n) damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
    (void)decode_item(damaged);
  }
}

// ---- A whole worker. The child of these tests is forked, not started: what it reads with is given.

struct Child {
  int socket = -1;
  pid_t pid = -1;
};

Child start(const ReadFrom& read) {
  int ends[2];
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::close(ends[0]);
    ::_exit(serve_worker(ends[1], read));
  }
  ::close(ends[1]);
  return {ends[0], pid};
}

std::string request_of(const std::string& name, const std::string& bytes) {
  WorkerRequest request;
  request.name = name;
  request.size_bytes = bytes.size();
  request.beginning = bytes;
  return encode_request(request);
}

std::string converse(const Child& child, const std::string& request) {
  const FrameHeader header{FrameType::kRequest, 0, request.size()};
  EXPECT_EQ(::write(child.socket, &header, sizeof header), static_cast<ssize_t>(sizeof header));
  EXPECT_EQ(::write(child.socket, request.data(), request.size()), static_cast<ssize_t>(request.size()));
  ::shutdown(child.socket, SHUT_WR);
  std::string all;
  char buffer[4096];
  for (ssize_t n = 0; (n = ::read(child.socket, buffer, sizeof buffer)) > 0;) {
    all.append(buffer, static_cast<size_t>(n));
  }
  ::close(child.socket);
  ::waitpid(child.pid, nullptr, 0);
  return all;
}

// A reader that a document took over: it tries to write a file and to connect, and says how it went.
TEST(WorkerTest, AReaderThatAttacksIsStopped) {
  std::string name = fs::temp_directory_path() / "mneme-attack-XXXXXX";
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  const std::string folder = name;
  const Child child =
      start([&](std::string_view, ByteSource&, const ReadLimits&, const DocumentSink& sink, const MemberWalk*) {
        ReadItem item;
        item.document.title = "attack";
        const bool wrote = std::ofstream(folder + "/stolen").put('x').good();
        const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
        item.document.text =
            std::string(wrote ? "wrote" : "not written") + (fd >= 0 ? ", connected" : ", not connected");
        return sink(std::move(item));
      });
  const std::string said = converse(child, request_of("a.txt", "hello"));
  EXPECT_NE(said.find("not written, not connected"), std::string::npos) << said;
  EXPECT_FALSE(fs::exists(folder + "/stolen"));
  fs::remove_all(folder);
}

TEST(WorkerTest, ReadsAsTheProgramDoes) {
  const Child child = start(read_from);
  const std::string said = converse(child, request_of("a.md", "# Lamp\n\nA green lamp.\n"));
  FrameHeader header;
  ASSERT_GT(said.size(), sizeof header);
  std::memcpy(&header, said.data(), sizeof header);
  ASSERT_EQ(header.type, FrameType::kItem);
  const auto item = decode_item(std::string_view(said).substr(sizeof header, header.length));
  ASSERT_TRUE(item.ok()) << item.status().message();
  EXPECT_EQ(item->document.title, "Lamp");
}

// ---- Workers that are started: this program itself, told by its argument which reader to be.

constexpr const char* kFailsAtMessages = "--read-but-fail-at-some-messages";

// Ends as a reader does that a hostile message took down, at the third and at the fifth one.
Status fail_at_some(std::string_view name, ByteSource& source, const ReadLimits& limits, const DocumentSink& sink,
                    const MemberWalk* walk) {
  MemberWalk failing = *walk;
  failing.begins = [&](uint64_t number, const std::string& label) {
    Status told = walk->begins(number, label);
    if (label == "message 3" || label == "message 5") ::_exit(1);
    return told;
  };
  return read_from(name, source, limits, sink, &failing);
}

// Before main(): a worker runs no tests.
__attribute__((constructor)) void be_a_worker_if_told(int argc, char** argv, char** /*environment*/) {
  if (argc == 2 && std::string_view(argv[1]) == kFailsAtMessages) ::_exit(serve_worker(STDIN_FILENO, fail_at_some));
}

class StartedWorkerTest : public ::testing::Test {
 protected:
  void SetUp() override { set_worker_program("/proc/self/exe", kFailsAtMessages); }
  void TearDown() override { set_worker_program("", ""); }

  Status read(const std::string& name, const std::string& bytes) {
    return read_bytes_apart(name, as_bytes(bytes), {}, [&](const ReadItem& item) {
      (item.status.ok() ? documents : failures)
          .push_back(item.member + ": " + (item.status.ok() ? item.document.title : item.status.message()));
      return Status();
    });
  }
  std::vector<std::string> documents;
  std::vector<std::string> failures;
};

// More than comes with the request: the worker asks for the rest, a piece at a time.
TEST_F(StartedWorkerTest, AFileIsHandedOverInPieces) {
  std::string text = "# Lamp\n\n";
  while (text.size() < 3 * kMostPieceBytes) text += "A green lamp.\n\n";
  const Status status = read("lamp.md", text);
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(documents, std::vector<std::string>{": Lamp"});
}

TEST_F(StartedWorkerTest, AMessageThatBreaksTheReaderCostsItselfAlone) {
  std::string mailbox;
  for (int i = 1; i <= 6; ++i) {
    mailbox += "From a@b Mon\nSubject: Letter " + std::to_string(i) + "\n\n" + std::string(400'000, 'x') + "\n\n";
  }
  const Status status = read("all.mbox", mailbox);
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(documents, (std::vector<std::string>{"message 1: Letter 1", "message 2: Letter 2", "message 4: Letter 4",
                                                 "message 6: Letter 6"}));
  EXPECT_EQ(failures, (std::vector<std::string>{"message 3: message 3 made its reader fail; it was left out.",
                                                "message 5: message 5 made its reader fail; it was left out."}));
}

// A "worker" that is some other program: whatever it does costs the file alone.
TEST(WorkerTest, WorkersThatFailCostOneFile) {
  for (const char* program : {"/bin/false", "/bin/true", "/nonexistent"}) {
    set_worker_program(program, "-");
    const Status status = read_bytes_apart("a.txt", as_bytes("text"), {}, [](const ReadItem&) { return Status(); });
    EXPECT_EQ(status.code(), StatusCode::kCorruption) << program << ": " << status.message();
    EXPECT_NE(status.message().find("a.txt"), std::string::npos);
  }
  set_worker_program("", "");
  EXPECT_TRUE(read_bytes_apart("a.txt", as_bytes("text"), {}, [](const ReadItem&) { return Status(); }).ok());
}

// One that never takes what it is to read does not hold the program: here somebody loses patience, else the file's time
// is up.
TEST(WorkerTest, AReaderThatDoesNotListenIsGivenUp) {
  set_worker_program("/bin/sleep", "1000");
  CancelToken cancel;
  ReadLimits limits;
  limits.cancel = &cancel;
  std::jthread impatient([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    cancel.cancel();
  });
  const std::string large(8 << 20, 'x');  // more than a socket holds
  const Status status = read_bytes_apart("a.txt", as_bytes(large), limits, [](const ReadItem&) { return Status(); });
  EXPECT_EQ(status.code(), StatusCode::kCancelled) << status.message();
  set_worker_program("", "");
}

}  // namespace
}  // namespace mneme::readers
