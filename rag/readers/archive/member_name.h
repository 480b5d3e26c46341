// The names of an archive's members as UTF-8. libarchive gives names in the encoding of the thread's locale, and in the
// "C" locale, in which readers run, none at all that is beyond ASCII.
// Internal to rag/readers. Threads: one thread each.
#pragma once

#include <locale.h>

#include <string>
#include <string_view>

struct archive_entry;

namespace mneme::readers {

// While it lives, the calling thread's locale is one whose encoding is UTF-8, where the system has such. Numbers, dates
// and messages stay as they are.
class Utf8NamesScope {
 public:
  Utf8NamesScope();
  ~Utf8NamesScope();
  Utf8NamesScope(const Utf8NamesScope&) = delete;
  Utf8NamesScope& operator=(const Utf8NamesScope&) = delete;

 private:
  locale_t utf8_ = locale_t{};
  locale_t before_ = locale_t{};
};

// The path of a member, well-formed; "" when it has none. Within a Utf8NamesScope.
std::string member_path(archive_entry* entry);

// A path whose archive does not say what it is encoded in: UTF-8, else the DOS encoding that is the format's own or
// what its bytes look like.
std::string path_of_unknown_encoding(std::string_view bytes);

}  // namespace mneme::readers
