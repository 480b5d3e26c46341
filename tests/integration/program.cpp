#include "tests/integration/program.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "tests/support/checkout/checkout.h"

namespace mneme::integration {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// In the child, between fork and exec: only calls that are safe there.
void redirect(const std::string& path, int descriptor, int flags) {
  const int file = open(path.c_str(), flags, 0600);
  if (file < 0 || dup2(file, descriptor) < 0) _exit(125);
  close(file);
}

// Pairs of connected sockets stay allowed: the program talks to its own readers through one, and they reach nobody.
void kill_on_sockets() {
  const sock_filter code[] = {
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
      {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, SYS_socket},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_KILL_PROCESS},
  };
  const sock_fprog program{std::size(code), const_cast<sock_filter*>(code)};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    _exit(124);
  }
}

// In a space of mounts of its own, so that nobody else sees it and it ends with the program.
void mount_read_only(const char* folder) {
  const bool own = unshare(CLONE_NEWNS) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0;
  struct statvfs info{};
  if (!own || statvfs(folder, &info) != 0) _exit(Program::kCannotMount);
  // What the medium is mounted with must stay so.
  const unsigned long kept =
      info.f_flag & (MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_NOATIME | MS_NODIRATIME | MS_RELATIME);
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      mount(folder, folder, nullptr, MS_BIND, nullptr) != 0 ||
      mount(nullptr, folder, nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY | kept, nullptr) != 0) {
    _exit(Program::kCannotMount);
  }
}

// Waits until a program hears an interrupt: before that one would end it, as it ends a program that has no handler.
// Not for one that has ended already.
void wait_until_it_listens(pid_t program) {
  for (int i = 0; i < 60'000; ++i) {
    const std::string status = read_file("/proc/" + std::to_string(program) + "/status");
    const size_t caught = status.find("SigCgt:\t");
    if (caught == std::string::npos || status.find("State:\tZ") != std::string::npos) return;
    const uint64_t signals = std::strtoull(status.c_str() + caught + 8, nullptr, 16);
    if ((signals >> (SIGINT - 1) & 1) != 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> list;
  for (std::string& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

}  // namespace

nlohmann::json Outcome::last_json() const {
  const size_t end = output.find_last_not_of('\n');
  if (end == std::string::npos) return nlohmann::json(nlohmann::json::value_t::discarded);
  const size_t begin = output.rfind('\n', end);
  return nlohmann::json::parse(output.substr(begin == std::string::npos ? 0 : begin + 1), nullptr, false);
}

Program::Program() {
  std::string pattern = (std::filesystem::temp_directory_path() / "mneme-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make " + pattern);
  folder_ = pattern;
}

Program::~Program() {
  std::error_code ignored;
  // A test may have taken permissions away.
  for (auto& entry : std::filesystem::recursive_directory_iterator(
           folder_, std::filesystem::directory_options::skip_permission_denied, ignored)) {
    if (entry.is_symlink(ignored)) continue;
    std::filesystem::permissions(entry, std::filesystem::perms::owner_all, std::filesystem::perm_options::add, ignored);
  }
  std::filesystem::remove_all(folder_, ignored);
}

std::string Program::write(const std::string& name, const std::string& content) {
  const std::filesystem::path path = std::filesystem::path(folder_) / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
  return path.string();
}

std::vector<std::string> Program::files_that_hold(const std::string& word) const {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(home())) {
    if (entry.is_regular_file() && read_file(entry.path()).find(word) != std::string::npos) {
      files.push_back(entry.path());
    }
  }
  return files;
}

Outcome Program::run(const std::vector<std::string>& arguments, const std::string& input) {
  std::vector<std::string> words{checkout::program(), "--home", home()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables{"PATH=/usr/bin:/bin", "HOME=" + folder_, "LC_ALL=C.UTF-8",
                                     "MNEME_THREADS=2"};  // the same on every machine
  for (const char* passed : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"}) {
    if (const char* value = std::getenv(passed)) variables.push_back(std::string(passed) + "=" + value);
  }
  variables.insert(variables.end(), environment.begin(), environment.end());
  const std::string in = write(".stdin", input);
  const std::string out = folder_ + "/.stdout";
  const std::string err = folder_ + "/.stderr";
  std::vector<char*> argv = pointers(words);
  std::vector<char*> envp = pointers(variables);

  const pid_t child = fork();
  if (child == 0) {
    setsid();  // no terminal that it could ask at
    if (limit_file_bytes > 0) {
      const rlimit limit{limit_file_bytes, limit_file_bytes};
      setrlimit(RLIMIT_FSIZE, &limit);
    }
    if (read_only_home) mount_read_only(words[2].c_str());
    if (forbid_sockets) kill_on_sockets();
    redirect(input_from.empty() ? in : input_from, STDIN_FILENO, O_RDONLY);
    redirect(output_to.empty() ? out : output_to, STDOUT_FILENO, O_WRONLY | O_CREAT | O_TRUNC);
    redirect(err, STDERR_FILENO, O_WRONLY | O_CREAT | O_TRUNC);
    for (int stream = 0; close_streams && stream < 3; ++stream) close(stream);
    execve(words.front().c_str(), argv.data(), envp.data());
    _exit(126);
  }
  if (kill_after_us > 0) {
    std::this_thread::sleep_for(std::chrono::microseconds(kill_after_us));
    kill(child, SIGKILL);
  }
  if (interrupt_after_ms > 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(interrupt_after_ms));
    wait_until_it_listens(child);
    kill(child, SIGINT);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return {.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
          .output = read_file(out),
          .diagnostics = read_file(err)};
}

}  // namespace mneme::integration
