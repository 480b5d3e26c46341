#include "rag/answering/answer.h"

namespace mneme::rag {

std::string_view finish_name(Finish finish) {
  switch (finish) {
    case Finish::kStop: return "stop";
    case Finish::kLength: return "length";
    case Finish::kInterrupted: return "interrupted";
  }
  return "stop";
}

}  // namespace mneme::rag
