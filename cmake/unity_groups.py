#!/usr/bin/env python3
"""Which sources of one target can be compiled as one: for builds that start from nothing (sanitizers, fuzzers), where
most of a compiler's time goes into the same headers over and over.

    unity_groups.py --most N FILE...     prints "GROUP FILE" lines; a file that must stay alone is not printed

Two files keep apart when a name that one of them defines for itself (anonymous namespace, static) means something in the
other, or in a header of this project that the other includes, in its namespace or one around it. A file stays alone when
it defines macros or includes headers that do (X11). Reads what clang-format leaves: definitions begin in the first
column, namespaces close with a comment. A pair that this misses ends the build with an error of the compiler; what users
run is never built so.
"""
import argparse
import os
import re

NAMESPACE = re.compile(r"^(?:inline )?namespace ?([\w:]*) ?\{$")
NAMESPACE_END = re.compile(r"^\}  // namespace")
TEST_MACRO = re.compile(r"^(?:TYPED_)?TEST(?:_F|_P)?\((\w+), (\w+)\)")
TYPE = re.compile(r"^(?:template <.*> )?(?:struct|class|enum class|enum|union) (?:alignas\(\S+\) |\[\[\w+\]\] )?(\w+)")
ALIAS = re.compile(r"^(?:template <.*> )?using (?:(\w+) =|(?:\w+::)+(\w+);)")
CALLABLE = re.compile(r"([\w:~]+)\(")
VARIABLE = re.compile(r"(\w+)(?:\[[^\]]*\])* ?(?:=|\{|;)")
# Lines in the first column that define nothing by themselves.
NOTHING = ("#", "//", "}", ")", "]", "extern", "asm", "template <", "namespace ", "public:", "private:", "static_assert",
           "using namespace")
ALONE = re.compile(r"^#(?:define|undef|include <X11/|include <GLFW/glfw3native)", re.M)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
# The test library's namespace by its short name, which means another one where headers of ours bring mneme::testing.
TESTING = re.compile(r"(?<![\w:])testing::")
KEYWORDS = {"if", "for", "while", "switch", "return", "sizeof", "decltype", "alignas", "noexcept", "defined", "operator"}


def defined_name(line):
    """The name a line in the first column defines, and whether repeating it alike would be no error."""
    test = TEST_MACRO.match(line)
    if test:
        return test.group(1) + "_" + test.group(2), False
    alias = ALIAS.match(line)
    if alias:
        return alias.group(1) or alias.group(2), True
    kind = TYPE.match(line)
    if kind and "(" not in line.split("{")[0]:
        return kind.group(1), False
    head = line.split(" = ")[0]
    for name in CALLABLE.findall(head):
        if name not in KEYWORDS:
            return (None, False) if "::" in name else (name, False)
    variable = VARIABLE.search(line)
    return (variable.group(1), False) if variable else (None, False)


def read_names(path):
    """Local and other names of a file by namespace, {(namespace, name): text where repeating is no error, else None}."""
    local, shared, stack = {}, {}, []
    for line in open(path, encoding="utf-8").read().splitlines():
        opened = NAMESPACE.match(line)
        if opened:
            stack.append(opened.group(1))
            parent, _, name = "::".join(part for part in stack if part).rpartition("::")
            shared[(parent, name)] = "namespace"
            continue
        if NAMESPACE_END.match(line):
            if stack:
                stack.pop()
            continue
        if not line or line[0] in " \t\"'" or line.startswith(NOTHING):
            continue
        name, repeatable = defined_name(line)
        if name is None:
            continue
        scope = "::".join(part for part in stack if part)
        if "" in stack or line.startswith("static "):
            local[(scope, name)] = line if repeatable else None
        else:
            shared[(scope, name)] = line if repeatable else None
    return local, shared


class Headers:
    """What the headers of this project declare, with those that they include."""

    def __init__(self, root):
        self.root, self.declared = root, {}

    def names(self, path):
        """Names declared by what the file at `path` includes, directly or not."""
        names = {}
        for header in self.included(path, set()):
            if header not in self.declared:
                self.declared[header] = read_names(header)[1]
            names.update(self.declared[header])
        return names

    def included(self, path, seen):
        for name in INCLUDE.findall(open(path, encoding="utf-8").read()):
            header = os.path.join(self.root, name)
            if header not in seen and os.path.exists(header):
                seen.add(header)
                self.included(header, seen)
        return seen


def enclosing(key):
    """The same name in the scope itself and in each around it, where an unqualified use would look."""
    scope, name = key
    parts = scope.split("::")
    return [("::".join(parts[:n]), name) for n in range(len(parts), 0, -1)]


def short_names_of_library(path, shared):
    """The name `testing` in the namespaces of a file that means the library's by it."""
    text = open(path, encoding="utf-8").read()
    scopes = {match.group(1) for match in map(NAMESPACE.match, text.splitlines()) if match and match.group(1)}
    keys = {(scope, "testing"): "the library's" for scope in scopes}
    if not TESTING.search(text) or any(outer in shared for key in keys for outer in enclosing(key)):
        return {}
    return keys


def clash(text, other):
    return text is None or text != other


def hides(local, names):
    return any(outer in names and clash(text, names[outer]) for key, text in local.items() for outer in enclosing(key))


class Group:
    def __init__(self):
        self.files, self.local, self.shared = [], {}, {}

    def takes(self, local, shared):
        if any(key in self.local and clash(text, self.local[key]) for key, text in local.items()):
            return False
        return not hides(local, self.shared) and not hides(self.local, shared)

    def add(self, path, local, shared):
        self.files.append(path)
        self.local.update(local)
        self.shared.update(shared)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=int, default=12)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    headers = Headers(root)
    groups = []
    for path in sorted(options.files):
        if ALONE.search(open(path, encoding="utf-8").read()):
            continue
        local, shared = read_names(path)
        shared.update(headers.names(path))
        local.update(short_names_of_library(path, shared))
        for group in groups:
            if len(group.files) < options.most and group.takes(local, shared):
                break
        else:
            group = Group()
            groups.append(group)
        group.add(path, local, shared)
    for number, group in enumerate(groups):
        if len(group.files) > 1:
            for path in group.files:
                print(number, path)


if __name__ == "__main__":
    main()
