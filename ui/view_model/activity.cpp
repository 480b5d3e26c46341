#include "ui/view_model/activity.h"

#include <unistd.h>

#include <fstream>

namespace mneme::ui {
namespace {

constexpr size_t kMostSamples = 600;
constexpr double kBytesPerToken = 4.0;  // of running text; while an answer is written nobody has counted yet

size_t bytes_being_written(const ConversationView& conversation) {
  size_t bytes = 0;
  for (const auto& message : conversation.messages) bytes += message->streaming ? message->text.size() : 0;
  return bytes;
}

}  // namespace

uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  uint64_t total = 0;
  uint64_t resident = 0;
  file >> total >> resident;
  return resident * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

void ActivitySampler::sample() {
  const std::shared_ptr<const Snapshot> now = publisher_.current();
  ActivitySample sample;
  sample.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  sample.resident_bytes = resident_bytes();
  sample.kv_bytes = static_cast<uint64_t>(now->library.kv_bytes);
  size_t bytes = bytes_being_written(now->conversation);
  for (const ConversationView& conversation : now->elsewhere) bytes += bytes_being_written(conversation);
  const double elapsed = sample.seconds - last_seconds_;
  if (bytes > last_text_bytes_ && elapsed > 0.0)
    sample.tokens_per_s = static_cast<double>(bytes - last_text_bytes_) / kBytesPerToken / elapsed;
  last_text_bytes_ = bytes;
  last_seconds_ = sample.seconds;
  publisher_.update([&](Snapshot& s) {
    auto activity = std::make_shared<ActivityView>(*s.activity);
    activity->samples.push_back(sample);
    if (activity->samples.size() > kMostSamples) activity->samples.erase(activity->samples.begin());
    s.activity = std::move(activity);
  });
}

}  // namespace mneme::ui
