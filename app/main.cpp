// Entry point; the composition root is app/run.h.
#include "app/run.h"

int main(int argc, char** argv) {
  return mneme::app::run(argc, argv);
}
