// Any bytes as what the program saved of itself and reads at the next start: the window's size and draft, its settings,
// what is left to index, times of clustering, speeds, the quality gate. The first byte chooses. What is damaged is
// refused or takes its default; what was read is written and read back the same.
#include "engine/pq/clustering_model.h"
#include "rag/kv_reuse/quality_gate.h"
#include "rag/kv_reuse/speed_profile.h"
#include "tests/fuzz/fuzz_input.h"
#include "ui/shell/window_memory.h"
#include "ui/view_model/index_request.h"
#include "ui/view_model/settings_json.h"

namespace {

using mneme::fuzz::require;

void read_window(const std::string& text) {
  using namespace mneme::ui;
  const auto memory = memory_from_json(text);
  require(memory.ok() || !memory.status().message().empty());
  if (memory.ok()) require(*memory_from_json(memory_to_json(*memory)) == *memory);
}

void read_settings(const std::string& text) {
  using namespace mneme::ui;
  const std::string saved = settings_to_json(settings_from_json(text));
  require(settings_to_json(settings_from_json(saved)) == saved);
}

void read_requests(const std::string& text) {
  using namespace mneme::ui;
  const auto requests = requests_from_json(text);
  require(requests_from_json(requests_to_json(requests)) == requests);
}

void read_clustering(const std::string& text) {
  mneme::engine::ClusteringModel model;
  const mneme::Status restored = model.restore(text);
  require(restored.ok() || !restored.message().empty());
  const int iterations = model.iterations_for(4096, 1024, 0.1, 4);
  require(iterations >= mneme::engine::ClusteringModel::kMinIterations &&
          iterations <= mneme::engine::ClusteringModel::kMaxIterations);
  mneme::engine::ClusteringModel again;
  require(again.restore(model.to_text()).ok() && again.to_text() == model.to_text());
}

void read_speeds(const std::string& text) {
  using mneme::rag::SpeedProfile;
  const auto profile = SpeedProfile::parse(text);
  require(profile.ok() || !profile.status().message().empty());
  if (!profile.ok()) return;
  require(profile->compute_ms(1, 1) >= 0 && profile->load_ms("/", 1) >= 0);
  const auto again = SpeedProfile::parse(profile->to_json());
  require(again.ok() && again->to_json() == profile->to_json());
}

void read_gate(const std::string& text) {
  using mneme::rag::GateReport;
  const auto report = GateReport::parse(text);
  require(report.ok() || !report.status().message().empty());
  if (!report.ok()) return;
  if (!report->passed()) require(!report->refusal().empty());
  if (report->passed()) require(report->least_ratio() >= 0 && report->least_ratio() <= 1);
  require(GateReport::parse(report->to_json()).ok());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static constexpr void (*kReaders[])(const std::string&) = {read_window,     read_settings, read_requests,
                                                             read_clustering, read_speeds,   read_gate};
  mneme::fuzz::Input input(data, size);
  const uint8_t what = input.byte();
  kReaders[what % std::size(kReaders)](std::string(input.rest()));
  return 0;
}
