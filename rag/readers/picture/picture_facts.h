// What a picture's first bytes and segments say of it, without decoding it: kind, size, which way it was held. Internal
// to rag/readers. Threads: pure functions.
#pragma once

#include <cstdint>
#include <string_view>

namespace mneme::readers {

// PNG, JPEG, TIFF, WebP or BMP by its first bytes.
bool is_picture(std::string_view beginning);

struct PictureFacts {
  uint64_t width = 0;  // of the largest page, as it is stored; 0: not told
  uint64_t height = 0;
  int orientation = 1;  // as Exif has it: 6 is to be turned to the right, 8 to the left, 3 upside down
};
PictureFacts picture_facts(std::string_view bytes);

}  // namespace mneme::readers
