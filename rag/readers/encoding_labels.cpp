#include "rag/readers/encoding_labels.h"

#include <array>

#include "base/ascii.h"

namespace mneme::readers {
namespace {

struct Meaning {
  std::string_view labels;  // without what spellings differ in, each between spaces
  std::string_view encoding;
};
constexpr std::array kMeanings = {
    Meaning{" ansix341968 ascii usascii iso646us iso88591 iso885911987 isoir100 latin1 l1 csisolatin1 cp819 ibm819 ",
            "windows-1252"},
    Meaning{" iso88599 iso885991989 isoir148 latin5 l5 csisolatin5 ", "windows-1254"},
    Meaning{" iso885911 tis620 dos874 ", "windows-874"},
    Meaning{" gb2312 gb231280 csgb2312 csiso58gb231280 isoir58 chinese euccn gbk xgbk cp936 windows936 ", "gb18030"},
    Meaning{" euckr cseuckr ksc5601 ksc56011987 ksc56011989 csksc56011987 isoir149 korean ", "windows-949"},
};

std::string without_punctuation(std::string_view label) {
  std::string bare = lower_ascii(label);
  std::erase_if(bare, [](char c) { return !is_digit(c) && (c < 'a' || c > 'z'); });
  return bare;
}

}  // namespace

std::string encoding_meant_by(std::string_view label) {
  const std::string wanted = " " + without_punctuation(label) + " ";
  for (const Meaning& meaning : kMeanings) {
    if (meaning.labels.find(wanted) != std::string_view::npos) return std::string(meaning.encoding);
  }
  return std::string(label);
}

}  // namespace mneme::readers
