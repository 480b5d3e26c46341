// What somebody wants to do who asks how: "make" of "How do I make a file executable?". It is no name of what is asked
// about, and instructions say it in another verb as often as not. English mostly. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

// Whether a verb follows this word (folded): "I", "to", "can".
bool wants_action(std::string_view before);

// Folded; "" where nobody wants anything done.
std::string asked_action(std::string_view question);

// "Rename a git branch", "extract a tar file": what is asked as manuals have it, without "how do I". Its verb, folded;
// "" elsewhere, and for verbs by which people ask for papers as well ("show", "find", "list").
std::string commanded_action(std::string_view question);

// Verbs that instructions use for this one, beside itself: "display" and "list" for "see". More than synonyms, since
// what they are said of decides. The views live as long as the program.
std::vector<std::string_view> like_actions(std::string_view folded);

// "Make", "bake": what a recipe tells, whose steps have other verbs.
bool makes_something(std::string_view folded);

// Whether somebody only wants to know: who wants to see what uses a port is told what lists it.
bool only_looks(std::string_view action);

}  // namespace mneme::rag
