// What people have said of a document by where they put it: "Invoices/ACME Tools/2024/march.txt" is read as "Invoices >
// ACME Tools > 2024 > march", like headings above its text. Threads: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace mneme::rag {

// The names of the folders from the indexed one on (its own name first; what is above it, a user's home, says nothing
// of the document) and of the file without its extension, unless that is the title. Archives on the way are folders
// ("mail.zip!/a.md" is "mail > a"). UTF-8, whatever the path's encoding; of deep paths the lowest names.
// roots: folders or files that are indexed; of several above the path the highest counts. Without one of them above it,
// the folder that the file lies in is taken for it.
std::string path_names(std::string_view path, std::span<const std::string> roots, std::string_view title);

// What a language model is told a passage is of: the title; where that is only the file's name, the lowest two folders
// below the indexed one too, "ACME Tools > 2024 > march". names: of path_names().
std::string title_with_folders(std::string_view title, std::string_view path, std::string_view names);

// Whether `path` is `folder` or lies below it; an archive is a folder too.
bool lies_in(std::string_view path, std::string_view folder);

// Parts a container's path from its member's.
inline constexpr std::string_view kMemberMark = "!/";

}  // namespace mneme::rag
