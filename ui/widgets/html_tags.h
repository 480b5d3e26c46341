// HTML within the Markdown of files: its tags lay out a page that is not shown here, its text is shown. Threads: pure
// functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::ui {

// The text without comments and without tags that pages are made of ("<aside class=…>", "</p>", "<img …>"), a line
// break for "<br>". Code, and what only looks like a tag ("vector<int>"), stays. What a file says of itself before it
// begins ("title: …" between lines of dashes) becomes a line each.
std::string without_tags(std::string_view markdown);

// Without what a file says of itself before it begins; all of it where nothing stands behind that.
std::string_view without_front_matter(std::string_view markdown);

}  // namespace mneme::ui
