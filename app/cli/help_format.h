// How --help looks: two columns where the terminal is wide enough, else each description below its option; nothing
// runs past the width.
#pragma once

#include <memory>

namespace CLI {
class FormatterBase;
}

namespace mneme::app {

// For lines of at most `columns`; very narrow ones get what a word needs.
std::shared_ptr<CLI::FormatterBase> help_format(int columns);

}  // namespace mneme::app
