#include "base/cancel.h"

namespace mneme {

const CancelToken& never_cancelled() {
  static const CancelToken token;
  return token;
}

}  // namespace mneme
