// What a GPU does when: kernels and copies by stream, and the calls of the host's threads, beside each other as they
// ran, which tables of launches by themselves (MNEME_CUDA_PROFILE) do not show. A library that the driver loads into
// any program, without a word in it about this:
//   CUDA_INJECTION64_PATH=.../gpu_timeline.so MNEME_GPU_TIMELINE=OUT.json mneme ...
// OUT.json are Chrome trace events (ui.perfetto.dev; scripts/gpu-timeline reckons from them); their end may be missing
// where a program was killed. Ownership: everything lives until the program ends. Threads: CUPTI's own and the
// program's.
#include <cupti.h>
#include <cxxabi.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>

namespace {

constexpr size_t kBufferBytes = size_t{4} << 20;
// A long run is worth its beginning: of a hundred bytes each.
constexpr int64_t kMostEvents = 600'000;

class Timeline {
 public:
  explicit Timeline(const char* path) : file_(std::fopen(path, "w")) {
    if (file_ == nullptr) return;
    std::fputs("[", file_);
  }
  bool is_open() const { return file_ != nullptr; }

  void take(const CUpti_Activity& record) {
    const std::lock_guard lock(mutex_);
    if (file_ == nullptr || n_events_ >= kMostEvents) return;
    switch (record.kind) {
      case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: return take(as<CUpti_ActivityKernel10>(record));
      case CUPTI_ACTIVITY_KIND_MEMCPY: return take(as<CUpti_ActivityMemcpy6>(record));
      case CUPTI_ACTIVITY_KIND_MEMSET: return take(as<CUpti_ActivityMemset4>(record));
      case CUPTI_ACTIVITY_KIND_RUNTIME: return take(as<CUpti_ActivityAPI>(record));
      default: return;
    }
  }
  void end() {
    const std::lock_guard lock(mutex_);
    if (file_ == nullptr) return;
    std::fputs("{}]\n", file_);
    std::fclose(file_);
    file_ = nullptr;
  }

 private:
  enum Process { kHost = 1, kGpu = 2 };
  struct Event {
    Process process;
    uint64_t track;  // a thread of the host, a stream of the GPU
    std::string name;
    uint64_t begin_ns;
    uint64_t end_ns;
  };

  template <typename Record>
  static const Record& as(const CUpti_Activity& record) {
    return reinterpret_cast<const Record&>(record);
  }
  void take(const CUpti_ActivityKernel10& kernel) {
    const std::string grid =
        " " + std::to_string(kernel.gridX) + "x" + std::to_string(kernel.gridY) + "x" + std::to_string(kernel.gridZ);
    write({kGpu, kernel.streamId, name_of(kernel.name) + grid, kernel.start, kernel.end});
  }
  void take(const CUpti_ActivityMemcpy6& copy) {
    constexpr std::string_view kKinds[] = {"copy", "copy up", "copy down"};
    const std::string kind(kKinds[copy.copyKind <= CUPTI_ACTIVITY_MEMCPY_KIND_DTOH ? copy.copyKind : 0]);
    write({kGpu, copy.streamId, kind + " " + std::to_string(copy.bytes), copy.start, copy.end});
  }
  void take(const CUpti_ActivityMemset4& set) {
    write({kGpu, set.streamId, "set " + std::to_string(set.bytes), set.start, set.end});
  }
  void take(const CUpti_ActivityAPI& call) {
    const char* name = nullptr;
    cuptiGetCallbackName(CUPTI_CB_DOMAIN_RUNTIME_API, call.cbid, &name);
    write({kHost, call.threadId, name != nullptr ? name : "call", call.start, call.end});
  }

  // Without its parameters and the namespaces in front.
  static std::string name_of(const char* mangled) {
    if (mangled == nullptr) return "kernel";
    int status = 0;
    char* const whole = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
    std::string name(status == 0 && whole != nullptr ? whole : mangled);
    std::free(whole);
    for (const std::string_view part : {"(anonymous namespace)::", "mneme::engine::cuda::", "void "})
      for (size_t at = name.find(part); at != std::string::npos; at = name.find(part)) name.erase(at, part.size());
    return name.substr(0, name.find_first_of("<("));
  }

  void write(const Event& event) {
    ++n_events_;
    std::fprintf(file_, "{\"ph\":\"X\",\"pid\":%d,\"tid\":%llu,\"name\":\"%s\",\"ts\":%.3f,\"dur\":%.3f},\n",
                 event.process, static_cast<unsigned long long>(event.track), event.name.c_str(),
                 static_cast<double>(event.begin_ns) / 1e3, static_cast<double>(event.end_ns - event.begin_ns) / 1e3);
  }

  std::mutex mutex_;
  std::FILE* file_ = nullptr;
  int64_t n_events_ = 0;
};

Timeline* timeline = nullptr;

void CUPTIAPI give_buffer(uint8_t** buffer, size_t* n_bytes, size_t* n_records) {
  *n_bytes = kBufferBytes;
  *n_records = 0;
  *buffer = static_cast<uint8_t*>(std::aligned_alloc(64, kBufferBytes));
  if (*buffer == nullptr) *n_bytes = 0;
}

void CUPTIAPI take_buffer(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t n_valid) {
  CUpti_Activity* record = nullptr;
  while (n_valid > 0 && cuptiActivityGetNextRecord(buffer, n_valid, &record) == CUPTI_SUCCESS) timeline->take(*record);
  std::free(buffer);
}

void finish() {
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  timeline->end();
}

}  // namespace

// The driver calls it when it is first used.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  const char* const path = std::getenv("MNEME_GPU_TIMELINE");
  if (path == nullptr || timeline != nullptr) return 1;
  timeline = new Timeline(path);
  if (!timeline->is_open()) return 1;
  CUptiResult result = cuptiActivityRegisterCallbacks(give_buffer, take_buffer);
  for (const CUpti_ActivityKind kind : {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                                        CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_RUNTIME})
    if (result == CUPTI_SUCCESS) result = cuptiActivityEnable(kind);
  if (result != CUPTI_SUCCESS) {
    const char* reason = nullptr;
    cuptiGetResultString(result, &reason);
    std::fprintf(stderr, "no timeline of the GPU is taken: %s\n", reason != nullptr ? reason : "CUPTI refused");
  }
  std::atexit(finish);
  return 1;
}
