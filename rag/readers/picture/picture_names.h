// Names of files that hold pictures, which are read only where OCR is asked for. Threads: any.
#pragma once

#include <string_view>

namespace mneme::readers {

bool names_picture(std::string_view path);

// Whether the program that reads them is installed.
bool can_read_pictures();

}  // namespace mneme::readers
