#include "app/measure/envelope.h"

#include <sys/sysinfo.h>
#include <sys/utsname.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "app/build_info.h"
#include "app/measure/statistics.h"
#include "base/thread_pool.h"

namespace mneme::app {
namespace {

using nlohmann::json;

// The value of the first line of /proc/cpuinfo that begins with `key`.
std::string cpuinfo(const std::string& key) {
  std::ifstream stream("/proc/cpuinfo");
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(key)) continue;
    const size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "";
}

json instruction_sets() {
  json sets = json::array();
  const std::string flags = " " + cpuinfo("flags") + " ";
  for (const char* set : {"avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512_vnni", "avx512_vbmi", "avx512_bf16",
                          "avx512_fp16", "amx_int8"}) {
    if (flags.find(" " + std::string(set) + " ") != std::string::npos) sets.push_back(set);
  }
  return sets;
}

}  // namespace

json machine_json(int n_threads, const Ceilings* ceilings) {
  utsname system{};
  uname(&system);
  struct sysinfo memory = {};
  sysinfo(&memory);
  const std::string cpu = cpuinfo("model name");
  json machine = {{"cpu", cpu.empty() ? json(nullptr) : json(cpu)},
                  {"instruction_sets", instruction_sets()},
                  {"cores", ThreadPool::physical_cores()},
                  {"threads", n_threads > 0 ? n_threads : ThreadPool::physical_cores()},
                  {"memory_bytes", static_cast<uint64_t>(memory.totalram) * memory.mem_unit},
                  {"load_average", static_cast<double>(memory.loads[0]) / 65536.0},
                  {"system", std::string(system.sysname) + " " + system.release + " " + system.machine},
                  {"ceilings", nullptr}};
  if (ceilings != nullptr) {
    machine["ceilings"] = {{"read_gb_s", ceilings->read_gb_s},
                           {"f32_gflop_s", ceilings->f32_gflop_s},
                           {"int8_gop_s", ceilings->int8_gop_s > 0 ? json(ceilings->int8_gop_s) : json(nullptr)},
                           {"tile_gop_s", ceilings->tile_gop_s > 0 ? json(ceilings->tile_gop_s) : json(nullptr)}};
  }
  return machine;
}

json build_json() {
  return {{"version", kBuildVersion},
          {"commit", *kBuildCommit == '\0' ? json(nullptr) : json(kBuildCommit)},
          {"compiler", kBuildCompiler},
          {"type", kBuildType},
          {"cuda", kBuildHasCuda}};
}

json with_machine(json report, int n_threads) {
  report["machine"] = machine_json(n_threads, nullptr);
  report["build"] = build_json();
  return report;
}

json spread_json(std::vector<double> values) {
  const Spread spread = spread_of(std::move(values));
  return {{"median", spread.median}, {"min", spread.min}, {"max", spread.max}};
}

json envelope_json(const std::string& bench, json params, int reps, json machine, json results) {
  return {{"bench", bench},        {"params", std::move(params)},  {"reps", reps}, {"machine", std::move(machine)},
          {"build", build_json()}, {"results", std::move(results)}};
}

}  // namespace mneme::app
