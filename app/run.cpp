#include "app/run.h"

#include <cstdio>

namespace mneme::app {

int run(int argc, char** argv) {
  (void)argc;
  (void)argv;
  std::printf("mneme " MNEME_VERSION "\n");
  return 0;
}

}  // namespace mneme::app
