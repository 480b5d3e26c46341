// The interpreter against Python's jinja2 3.1 (expected texts were rendered by it), and against hostile templates.
#include <gtest/gtest.h>

#include "base/random.h"
#include "engine/tokenizer/jinja/template.h"

namespace mneme::engine::jinja {
namespace {

Result<std::string> render(std::string_view source, const Limits& limits = {}) {
  auto program = Template::parse(source);
  if (!program.ok()) return program.status();
  auto text = program->render({}, limits);
  if (!text.ok()) return text.status();
  return std::string(text->bytes());
}

TEST(Jinja, RendersAsTheReferenceDoes) {
  const struct {
    const char* source;
    const char* expected;
  } cases[] = {
      {"{{ 1 + 2 * 3 }}", "7"},
      {"{{ 7 // 2 }} {{ -7 // 2 }} {{ -7 % 3 }} {{ 7 / 2 }} {{ 2 ** 3 }}", "3 -4 2 3.5 8"},
      {"{{ 1.5 + 1 }} {{ 3.0 }} {{ 10 if false else 0.1 }}", "2.5 3.0 0.1"},
      {"{{ 'a' ~ 1 ~ none ~ true }}", "a1NoneTrue"},
      {"{{ [1, 'a', none, 2.5] }} {{ {'k': [1]} }}", "[1, 'a', None, 2.5] {'k': [1]}"},
      {"{{ 'abc'[1] }} {{ 'abc'[-1] }} {{ 'abcdef'[1:4] }} {{ 'abc'[::-1] }} {{ [1,2,3][:2] }} {{ [1,2,3][-2:] }} {{ "
       "'héllo'[1] }}",
       "b c bcd cba [1, 2] [2, 3] é"},
      {"{{ 'x' in 'xyz' }} {{ 3 not in [1,2] }} {{ 'a' in {'a': 1} }}", "True True True"},
      {"{{ not false and true or false }}", "True"},
      {"{{ 'yes' if 1 > 2 else 'no' }}|{{ 'only' if false }}", "no|"},
      {"{{ 1 == 1.0 }} {{ 'a' < 'b' }} {{ 2 >= 3 }} {{ [1] == [1] }}", "True True False True"},
      {"{{ x is defined }} {{ x is not defined }} {{ none is none }} {{ 'a' is string }} {{ 1 is number }} {{ {} is "
       "mapping }} {{ [] is iterable }} {{ 3 is odd }} {{ 4 is divisibleby 2 }} {{ 1 is eq 1 }}",
       "False True True True True True True True True True"},
      {"{% for i in range(3) %}{{ loop.index }}{{ loop.index0 }}{{ loop.first }}{{ loop.last }}{{ loop.length }},{% "
       "endfor %}",
       "10TrueFalse3,21FalseFalse3,32FalseTrue3,"},
      {"{% for i in [] %}x{% else %}empty{% endfor %}", "empty"},
      {"{% for k, v in {'a': 1, 'b': 2}.items() %}{{ k }}={{ v }};{% endfor %}", "a=1;b=2;"},
      {"{% for i in range(10) if i is even %}{{ loop.index }}:{{ i }} {% endfor %}", "1:0 2:2 3:4 4:6 5:8 "},
      {"{% for i in range(9) %}{% if i == 2 %}{% continue %}{% endif %}{% if i == 5 %}{% break %}{% endif %}{{ i }}{% "
       "endfor %}",
       "0134"},
      {"{% set x = 1 %}{% for i in [1,2] %}{% set x = 5 %}{% endfor %}{{ x }}", "1"},
      {"{% set ns = namespace(x=1) %}{% for i in [1,2] %}{% set ns.x = ns.x + i %}{% endfor %}{{ ns.x }}", "4"},
      {"{% set a, b = 1, 2 %}{{ a }}{{ b }}", "12"},
      {"{% set t %}in {{ 1 }} side{% endset %}[{{ t }}]", "[in 1 side]"},
      {"{% macro f(a, b='B') %}<{{ a }}{{ b }}>{% endmacro %}{{ f(1) }}{{ f(1, b=2) }}{{ f('x', 'y') }}",
       "<1B><12><xy>"},
      {"{{ '  a b '|trim }}|{{ 'a,b'.split(',') }}|{{ ' a  b '.split() }}|{{ 'abc'|length }}|{{ 'aXb'|lower|upper }}",
       "a b|['a', 'b']|['a', 'b']|3|AXB"},
      {"{{ [1,2]|join('-') }} {{ ['a','b']|join }}", "1-2 ab"},
      {"{{ x|default('d') }} {{ ''|default('e', true) }}", "d e"},
      {"{{ {'b': 'x\\\"y', 'a': [1, true, none, 1.5]}|tojson }}", "{\"b\": \"x\\\"y\", \"a\": [1, true, null, 1.5]}"},
      {"{{ {'a': [1, {'b': 2}], 'e': []}|tojson(indent=2) }}",
       "{\n  \"a\": [\n    1,\n    {\n      \"b\": 2\n    }\n  ],\n  \"e\": []\n}"},
      {"{{ [{'n': 'a'}, {'n': 'b'}]|map(attribute='n')|list }}", "['a', 'b']"},
      {"{{ ['A','b']|map('lower')|join }}", "ab"},
      {"{{ [{'r':'u'},{'r':'a'}]|selectattr('r','equalto','u')|list|length }}", "1"},
      {"{{ [1,2,3]|reject('odd')|list }}", "[2]"},
      {"{{ [3,1,2]|sort|first }}{{ [1,2,3]|last }}", "13"},
      {"{{ 'hello world'|capitalize }} {{ 'hello world'|title }}", "Hello world Hello World"},
      {"{{ 'a-b-c'.rsplit('-', 1) }} {{ 'aXbXc'.replace('X', '.') }} {{ 'x'.startswith(('a','x')) }} {{ "
       "'abc'.endswith('bc') }}",
       "['a-b', 'c'] a.b.c True True"},
      {"{{ 'xxaxx'.strip('x') }} {{ 'xxa'.lstrip('x') }} {{ 'axx'.rstrip('x') }}", "a a a"},
      {"a\n  {% if true %}\n  b\n  {% endif %}\nc\n", "a\n  b\nc"},
      {"a  {%- if true -%}  b  {%- endif %}  c", "ab  c"},
      {"x {{- ' y ' -}} z", "x y z"},
      {"{# c #}a{#- d -#} b", "ab"},
      {"  {# c #}\nq", "q"},
      {"{%+ if true %} a{% endif +%}\nb", " a\nb"},
      {"a\n\n{% set x = 1 %}\n\nb", "a\n\n\nb"},
      {"{{ 'tab\\tnl\\nq\\'' }}", "tab\tnl\nq'"},
      {"{{ \"a\" \"b\" }}", "ab"},
      {"{{ (1, 2)[1] }}", "2"},
      {"{{ {'a': {'b': 3}}.a.b }} {{ {'a': 1}['a'] }} {{ {'a':1}.get('z', 9) }}", "3 1 9"},
      {"{{ -3|abs }} {{ '5'|int + 1 }} {{ 3|string + 'x' }}", "3 6 3x"},
      {"{{ [1] + [2] }}", "[1, 2]"},
      {"{{ 'ab' * 2 }}", "abab"},
      {"{{ 'a\\nb'|indent(2) }}", "a\n  b"},
      {"{% for k, v in {'b':1,'a':2}|dictsort %}{{ k }}{{ v }}{% endfor %}{{ ({'b':1}|items|list)[0][1] }}", "a2b11"},
      {"{{ 'a' if x is defined and x.y else 'b' }}", "b"},
      {"{% if 1 %}a{% elif 2 %}b{% else %}c{% endif %}", "a"},
      {"{{ true }} {{ false }} {{ none }}", "True False None"},
      {"{{ [true, 'it\\'s'] }}", "[True, \"it's\"]"},
      {"{{ 10 % 3 == 1 and 'ok' }}", "ok"},
      {"{{ [1,2,3]|length > 2 }}", "True"},
      {"{{ 'abc'|first }}{{ 'abc'|reverse }}", "acba"},
      {"{% generation %}g{% endgeneration %}", "g"},
  };
  for (const auto& c : cases) {
    const auto text = render(c.source);
    ASSERT_TRUE(text.ok()) << c.source << ": " << text.status().message();
    EXPECT_EQ(*text, c.expected) << c.source;
  }
}

TEST(Jinja, NamesWhatItDoesNotKnow) {
  for (const char* source :
       {"{% import 'x' %}", "{{ 1 | nosuch }}", "{{ 1 is nosuch }}", "{{ nosuch() }}", "{{ 'a'.nosuch() }}",
        "{{ x.y }}", "{{ 1 + 'a' }}", "{{ 1 // 0 }}", "{{ 'a' < 1 }}", "{% set x.y = 1 %}"}) {
    EXPECT_EQ(render(source).status().code(), StatusCode::kUnsupported) << source;
  }
  EXPECT_NE(render("a\nb{{ 1 | nosuch }}").status().message().find("nosuch"), std::string::npos);
  EXPECT_EQ(render("{{ raise_exception('no') }}").status().code(), StatusCode::kUsage);
}

TEST(Jinja, MalformedTemplatesAreErrors) {
  for (const char* source : {"{{",
                             "{{ 1",
                             "{%",
                             "{% if %}",
                             "{% if 1 %}",
                             "{% endif %}",
                             "{% for %}",
                             "{% for x in %}{% endfor %}",
                             "{#",
                             "{{ 'a }}",
                             "{{ 'a\\u12 }}",
                             "{{ 1 + }}",
                             "{{ [1, }}",
                             "{{ {1 } }}",
                             "{{ (1 }}",
                             "{{ a[ }}",
                             "{{ a[1:2:3:4] }}",
                             "{{ @ }}",
                             "{% macro %}",
                             "{% set %}",
                             "{% set x %}",
                             "{{ 99999999999999999999999 }}",
                             "{% else %}",
                             "{{ }}",
                             "{{ 1 2 }}"}) {
    EXPECT_FALSE(render(source).ok()) << source;
  }
}

TEST(Jinja, BoundsWhatATemplateMayDo) {
  const auto nested = [](std::string_view open, std::string_view middle, std::string_view close, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += open;
    text += middle;
    for (int i = 0; i < count; ++i) text += close;
    return text;
  };
  for (const std::string& source : {
           std::string("{% for i in range(100000) %}{% for j in range(100000) %}x{% endfor %}{% endfor %}"),
           std::string("{% set ns = namespace(s='aaaaaaaa') %}{% for i in range(60) %}{% set ns.s = ns.s ~ ns.s %}{% "
                       "endfor %}"),
           std::string("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}"),
           std::string("{{ 'a' * 999999999999 }}"),
           std::string("{{ range(999999999) }}"),
           std::string("{% set ns = namespace() %}{% set ns.x = ns %}{{ ns.x }}"),
           std::string(
               "{% set a = namespace() %}{% set b = namespace() %}{% set a.x = b %}{% set b.x = a %}{{ a == b }}"),
           "{{ " + nested("(", "1", ")", 100000) + " }}",
           "{{ " + nested("[", "1", "]", 100000) + " }}",
           "{{ " + nested("not ", "1", "", 100000) + " }}",
           "{{ " + nested("-", "1", "", 100000) + " }}",
           "{{ 1" + nested(" + 1", "", "", 100000) + " }}",
           "{{ x" + nested(".a", "", "", 100000) + " }}",
           "{{ 'a'" + nested("|trim", "", "", 100000) + " }}",
           "{{ " + nested("1 if 1 else ", "2", "", 100000) + " }}",
           nested("{% if 1 %}", "x", "{% endif %}", 100000),
           "{% macro f() %}{{ f()" + nested(" + ''", "", "", 1900) + " }}{% endmacro %}{{ f() }}",
           // What filters and methods make and look at counts, wherever they do it.
           std::string("{% set t = 'x' * 1000000 %}{% for i in range(300000) %}{% if t|length == 3 %}a{% endif %}{% "
                       "endfor %}"),
           std::string("{% set t = 'x' * 100000 %}{% for i in range(100000) %}{{ 'b' in t }}{% endfor %}"),
           std::string("{{ ('a' * 20000).replace('a', 'b' * 20000) }}"),
           std::string("{{ ('x' * 20000)|list|join('b' * 20000) }}"),
           std::string("{% set l = range(100000) %}{% for i in range(100000) %}{{ l|first }}{% endfor %}"),
           // Values that hold one another twice are walked twice as long with every level.
           std::string("{% set ns = namespace(a=[1]) %}{% for i in range(60) %}{% set ns.a = [ns.a, ns.a] %}{% endfor "
                       "%}{{ ns.a }}"),
           std::string("{% set ns = namespace(a=[1]) %}{% for i in range(60) %}{% set ns.a = [ns.a, ns.a] %}{% endfor "
                       "%}{{ ns.a == [ns.a[0], ns.a[1]] }}"),
           // Freed level by level, also where methods hold their objects.
           std::string("{% set ns = namespace(a=[1]) %}{% for i in range(300000) %}{% set ns.a = [ns.a] %}{% endfor "
                       "%}"),
           std::string("{% set ns = namespace(a=[1]) %}{% for i in range(300000) %}{% set ns.a = [ns.a.append] %}{% "
                       "endfor %}"),
           std::string(2 << 20, 'x'),
       }) {
    EXPECT_FALSE(render(source).ok()) << source.substr(0, 60);
  }
}

TEST(Jinja, TheLeastWholeNumberIsANumberLikeOthers) {
  EXPECT_EQ(*render("{{ (4294967296 * 2147483648) is divisibleby(-1) }}"), "True");
  EXPECT_EQ(*render("{{ (4294967296 * 2147483648) is divisibleby(3) }} {{ 6 is divisibleby(0) }}"), "False False");
  EXPECT_FALSE(render("{{ (4294967296 * 2147483648)|abs }}")->empty());
  EXPECT_FALSE(render("{{ range(4294967296 * 2147483648) }}").ok());
  EXPECT_FALSE(render("{{ range(0, 5, 4294967296 * 2147483648) }}")->empty());
}

TEST(Jinja, ChainsOfNamespacesAreFreedOneByOne) {
  EXPECT_TRUE(render("{% set ns = namespace() %}{% for i in range(50000) %}{% set ns.a = namespace(x=ns.a) %}{% endfor "
                     "%}")
                  .ok());
}

TEST(Jinja, RandomTokensNeverCrash) {
  static constexpr const char* kTokens[] = {
      "{{", "}}",   "{%",    "%}",     "{#",       "#}",   " if ",    " endif ",   " for ", " in ",
      "x",  "1",    "'a'",   "endfor", "set ",     "=",    "(",       ")",         "[",     "]",
      "{",  "}",    ",",     ".",      "|trim",    " is ", "defined", "+",         "-",     "~",
      "\n", "loop", " not ", ":",      "range(3)", "else", "macro ",  " endmacro "};
  Random random(21);
  Limits limits;
  limits.max_steps = 10000;
  for (int round = 0; round < 20000; ++round) {
    std::string source;
    for (uint64_t n = random.below(24); n > 0; --n) source += kTokens[random.below(std::size(kTokens))];
    (void)render(source, limits).ok();
  }
}

}  // namespace
}  // namespace mneme::engine::jinja
