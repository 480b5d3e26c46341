#include "rag/answering/exchange/answer.h"

namespace mneme::rag {

std::string_view finish_name(Finish finish) {
  switch (finish) {
    case Finish::kStop: return "stop";
    case Finish::kLength: return "length";
    case Finish::kInterrupted: return "interrupted";
  }
  return "stop";
}

std::string device_text(const Answer& answer) {
  if (answer.attention.kv_in_host_memory) return answer.device + " (keys and values in the host's memory)";
  const bool shared = answer.device.find('+') != std::string::npos && answer.gpu_layers.has_value();
  if (!shared) return answer.device;
  const int n = *answer.gpu_layers;
  return answer.device + " (" + std::to_string(n) + (n == 1 ? " layer" : " layers") + " on the GPU)";
}

}  // namespace mneme::rag
