#include "ui/shell/process_figures.h"

#include <time.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace mneme::ui {
namespace {

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

uint64_t& part_of(MemoryParts& parts, std::string_view file, std::string_view program) {
  if (file.empty() || file.front() == '[') return parts.own;
  if (holds(file, "libLLVM") || holds(file, "/dri/") || holds(file, "libgallium")) return parts.driver;
  if (file.starts_with("/SYSV") || file.starts_with("/memfd:") || file.starts_with("/dev/shm")) return parts.shared;
  if (file == program) return parts.program;
  if (holds(file, ".so")) return parts.libraries;
  if (file.ends_with(".gguf")) return parts.models;
  if (holds(file, "/fonts/")) return parts.fonts;
  return parts.other;
}

// A line that begins a mapping: "7f00-7f01 r--p 0 08:01 12    /path"; everything else is "Name:   value".
bool begins_mapping(std::string_view line) {
  const size_t dash = line.find('-');
  return dash < line.find(' ') && dash < line.find(':');
}

// What stands behind the fifth space-separated word: paths may hold spaces.
std::string_view file_of(std::string_view line) {
  for (int word = 0; word < 5; ++word) {
    const size_t end = line.find(' ');
    if (end == line.npos) return {};
    line.remove_prefix(end);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  }
  return line;
}

// The first number of a text, and the text without it; 0 where it holds none.
uint64_t take_number(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_of("0123456789"), text.size()));
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return error == std::errc() ? value : 0;
}

uint64_t kilobytes_of(std::string_view line) {
  return take_number(line);
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string family_of(std::string name) {
  while (name.ends_with('\n')) name.pop_back();
  const size_t dash = name.rfind('-');
  if (dash != name.npos && dash + 1 < name.size() && name.find_first_not_of("0123456789", dash + 1) == name.npos)
    name.resize(dash);
  return name;
}

ThreadTime& entry(std::vector<ThreadTime>& times, const std::string& name) {
  const auto found = std::find_if(times.begin(), times.end(), [&](const ThreadTime& t) { return t.name == name; });
  return found != times.end() ? *found : times.emplace_back(ThreadTime{name, 0.0});
}

// Linux makes the number of a thread's processor clock from the thread's own: clock_getcpuclockid() for threads, which
// POSIX offers by pthread_t only.
clockid_t clock_of_thread(const std::string& thread) {
  constexpr unsigned kPerThread = 4;
  constexpr unsigned kScheduler = 2;
  unsigned id = 0;
  std::from_chars(thread.data(), thread.data() + thread.size(), id);
  return static_cast<clockid_t>(~id << 3 | kPerThread | kScheduler);
}

}  // namespace

MemoryParts parse_smaps(std::string_view smaps, std::string_view program) {
  MemoryParts parts;
  uint64_t* part = &parts.other;
  uint64_t resident = 0;
  while (!smaps.empty()) {
    const size_t end = std::min(smaps.find('\n'), smaps.size());
    const std::string_view line = smaps.substr(0, end);
    smaps.remove_prefix(std::min(end + 1, smaps.size()));
    if (begins_mapping(line)) {
      part = &part_of(parts, file_of(line), program);
    } else if (line.starts_with("Rss:")) {
      resident = kilobytes_of(line) * 1024;
      *part += resident;
    } else if (line.starts_with("Anonymous:") && part == &parts.program) {
      // Pages of the program that it has written to are its own.
      const uint64_t written = std::min(kilobytes_of(line) * 1024, resident);
      parts.program -= written;
      parts.own += written;
    }
  }
  return parts;
}

MemoryParts memory_parts() {
  std::error_code error;
  const std::string program = std::filesystem::read_symlink("/proc/self/exe", error).string();
  return parse_smaps(read_file("/proc/self/smaps"), program);
}

std::vector<ThreadTime> thread_times() {
  std::vector<ThreadTime> times;
  std::error_code error;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", error)) {
    timespec spent{};
    if (::clock_gettime(clock_of_thread(thread.path().filename().string()), &spent) != 0) continue;
    entry(times, family_of(read_file(thread.path() / "comm"))).seconds +=
        static_cast<double>(spent.tv_sec) + static_cast<double>(spent.tv_nsec) / 1e9;
  }
  return times;
}

ThreadWaits thread_waits() {
  timespec spent{};
  static_cast<void>(::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent));
  const std::string text = read_file("/proc/thread-self/schedstat");  // "RAN READY SLICES", nanoseconds
  std::string_view numbers = text;
  take_number(numbers);  // as of the last change of threads: older than what the clock says
  const uint64_t ready = take_number(numbers);
  return {static_cast<double>(spent.tv_sec) * 1e3 + static_cast<double>(spent.tv_nsec) / 1e6,
          static_cast<double>(ready) / 1e6};
}

MachineTimes parse_stat(std::string_view stat) {
  MachineTimes times;
  std::string_view line = stat.substr(0, stat.find('\n'));
  constexpr int kColumns = 8;  // user nice system idle iowait irq softirq steal: proc(5)
  for (int column = 0; column < kColumns; ++column) {
    const auto value = static_cast<double>(take_number(line));
    times.all += value;
    if (column == 3 || column == 4) times.idle += value;
    if (column == 7) times.stolen = value;
  }
  return times;
}

MachineTimes machine_times() {
  return parse_stat(read_file("/proc/stat"));
}

std::vector<ThreadTime> since(const std::vector<ThreadTime>& before, const std::vector<ThreadTime>& now) {
  std::vector<ThreadTime> added = now;
  for (const ThreadTime& old : before) {
    ThreadTime& time = entry(added, old.name);
    time.seconds = std::max(0.0, time.seconds - old.seconds);  // threads that have ended are not in `now`
  }
  std::erase_if(added, [](const ThreadTime& t) { return t.seconds < 0.001; });
  std::sort(added.begin(), added.end(), [](const ThreadTime& a, const ThreadTime& b) { return a.seconds > b.seconds; });
  return added;
}

}  // namespace mneme::ui
