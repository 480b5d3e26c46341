// What surrounds every measurement: the machine, the build, the parameters (interface contract). Threads: pure, but
// for reading /proc.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/measure/ceilings.h"

namespace mneme::app {

// CPU, cores, memory, kernel; with the ceilings where they were measured (null: not measured).
nlohmann::json machine_json(int n_threads, const Ceilings* ceilings);
// Version, commit, compiler, build type, CUDA.
nlohmann::json build_json();

// A report of a command other than bench, with the machine and the build beside it.
nlohmann::json with_machine(nlohmann::json report, int n_threads);

// {"median","min","max"} of at least one value.
nlohmann::json spread_json(std::vector<double> values);

nlohmann::json envelope_json(const std::string& bench, nlohmann::json params, int reps, nlohmann::json machine,
                             nlohmann::json results);

}  // namespace mneme::app
