#include "rag/readers/text_decoding.h"

#include <gtest/gtest.h>
#include <iconv.h>

#include <string>

#include "base/utf8.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using std::string_literals::operator""s;
using std::string_view_literals::operator""sv;

const std::string kGerman =
    "Die Bürger der Stadt hörten die Glocken läuten und gingen über die große Straße nach Hause. Später trafen sie "
    "sich "
    "wieder, um über die schönen Äpfel und das frische Öl zu sprechen, das der Müller gebracht hatte. ";
const std::string kRussian =
    "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему. Всё смешалось в доме "
    "Облонских. Жена узнала, что муж был в связи с бывшею в их доме француженкою-гувернанткой. ";
const std::string kJapanese =
    "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所でニャーニャー泣いて"
    "いた事だけは記憶している。吾輩はここで始めて人間というものを見た。";
const std::string kChinese =
    "三国演义是中国古典四大名著之一，全名为三国志通俗演义。作者是元末明初的著名小说家罗贯中。全书描写了从东汉末年到"
    "西晋初年之间近百年的历史风云，以描写战争为主。";

std::string encode_latin1(const std::string& text) {
  std::string bytes;
  for (size_t i = 0; i < text.size();) bytes.push_back(static_cast<char>(utf8::next(text, i)));
  return bytes;
}

std::string encode_utf16(const std::string& text, bool big) {
  std::string bytes;
  for (size_t i = 0; i < text.size();) {
    const char32_t c = utf8::next(text, i);
    const auto put = [&](char32_t unit) {
      const char low = static_cast<char>(unit & 0xff);
      const char high = static_cast<char>(unit >> 8);
      bytes.push_back(big ? high : low);
      bytes.push_back(big ? low : high);
    };
    if (c >= 0x10000) {
      put(0xd800 + ((c - 0x10000) >> 10));
      put(0xdc00 + ((c - 0x10000) & 0x3ff));
    } else {
      put(c);
    }
  }
  return bytes;
}

// The C library's converter, independent of ICU.
std::string encode_with_iconv(std::string text, const char* encoding) {
  const iconv_t converter = iconv_open(encoding, "UTF-8");
  EXPECT_NE(converter, reinterpret_cast<iconv_t>(-1)) << encoding;
  std::string bytes(text.size() * 4, '\0');
  char* in = text.data();
  size_t in_left = text.size();
  char* out = bytes.data();
  size_t out_left = bytes.size();
  EXPECT_NE(iconv(converter, &in, &in_left, &out, &out_left), static_cast<size_t>(-1)) << encoding;
  iconv(converter, nullptr, nullptr, &out, &out_left);
  iconv_close(converter);
  bytes.resize(bytes.size() - out_left);
  return bytes;
}

TEST(Decoding, Utf8StaysByteForByte) {
  const std::string text = "\xef\xbb\xbfmark, " + kJapanese + "😀 e\xcc\x81";
  const auto decoded = decode_text(text);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(decoded->text, text);
  EXPECT_EQ(decoded->encoding, "UTF-8");
  EXPECT_TRUE(decoded->note.empty());
  // The mark is no part of any block.
  const rag::Document document = test::read_text("a.md", "\xef\xbb\xbf# Title\n");
  EXPECT_EQ(document.title, "Title");
  EXPECT_EQ(document.blocks[0].byte_begin, 3u);
}

TEST(Decoding, Utf16WithAndWithoutMark) {
  const std::string text = "A line with 😀 and é\n" + kGerman;
  for (const bool big : {false, true}) {
    const std::string body = encode_utf16(text, big);
    const std::string mark = big ? "\xfe\xff" : "\xff\xfe";
    EXPECT_EQ(decode_text(mark + body)->text, text);
    EXPECT_EQ(decode_text(body)->text, text);
  }
}

TEST(Decoding, Utf32ByMark) {
  EXPECT_EQ(decode_text(std::string("\xff\xfe\0\0A\0\0\0\x00\xf6\x01\0"sv))->text, "A😀");
  EXPECT_EQ(decode_text(std::string("\0\0\xfe\xff\0\0\0A"sv))->text, "A");
}

TEST(Decoding, LegacyEncodingsAreDetected) {
  EXPECT_EQ(decode_text(encode_latin1(kGerman))->text, kGerman);
  struct Case {
    const char* encoding;
    const std::string* text;
  };
  for (const Case& c : {Case{"KOI8-R", &kRussian}, Case{"windows-1251", &kRussian}, Case{"Shift_JIS", &kJapanese},
                        Case{"EUC-JP", &kJapanese}, Case{"ISO-2022-JP", &kJapanese}, Case{"GB18030", &kChinese}}) {
    const std::string bytes = encode_with_iconv(*c.text, c.encoding);
    const auto decoded = decode_text(bytes);
    ASSERT_TRUE(decoded.ok()) << c.encoding << ": " << decoded.status().message();
    EXPECT_EQ(decoded->text, *c.text) << c.encoding;
    EXPECT_FALSE(decoded->note.empty());
  }
}

TEST(Decoding, DeclaredEncodingIsTriedFirst) {
  const std::string bytes = "caf\xe9 \x80 5";
  EXPECT_EQ(decode_text(bytes, "windows-1252")->text, "café € 5");
}

// Under the name of the smaller encoding browsers and mail programs read the larger one.
TEST(Decoding, LabelsMeanTheLargerEncoding) {
  const std::string long_text(4000, 'x');
  const std::string bytes = long_text +
                            " doesn\x92t pay \x80"
                            "500 \x96 Gr\xfc\xdf"
                            "e";
  for (const char* label : {"iso-8859-1", "ISO_8859-1:1987", "latin1", "us-ascii", "windows-1252"}) {
    const auto decoded = decode_text(bytes, label);
    ASSERT_TRUE(decoded.ok()) << label;
    EXPECT_EQ(decoded->text, long_text + " doesn’t pay €500 – Grüße") << label;
  }
  EXPECT_EQ(*convert_from("\x80 \xfd\xfe", "iso-8859-9"), "€ ış");
  EXPECT_EQ(*convert_from(encode_with_iconv("朱镕基与囧", "GBK"), "gb2312"), "朱镕基与囧");
  EXPECT_EQ(*convert_from(encode_with_iconv("똠방각하", "CP949"), "ks_c_5601-1987"), "똠방각하");
  EXPECT_FALSE(convert_from("a", "no such encoding").ok());
}

TEST(Decoding, ShortWesternNotesAreNeitherChineseNorRefused) {
  for (const char* note : {"Café 5€", "Müller 0221", "Schlüssel: Küche", "Zoë rang at 5", "Prix : 12 € réglé",
                           "Straße 5", "naïve", "Año nuevo", "Über", "“Quoted” text – ok", "Größe und Größe"}) {
    const auto decoded = decode_text(encode_with_iconv(note, "CP1252"));
    ASSERT_TRUE(decoded.ok()) << note << ": " << decoded.status().message();
    EXPECT_EQ(decoded->text, note);
    EXPECT_FALSE(decoded->note.empty()) << note;
  }
  // Texts of characters of two bytes are known as before, with words of ASCII among them, too.
  const std::string mixed = "請在 Monday 之前付款，租金每月五千元。";
  EXPECT_EQ(decode_text(encode_with_iconv(mixed, "BIG5"))->text, mixed);
  EXPECT_EQ(decode_text(encode_with_iconv("データとコピーを送る。", "Shift_JIS"))->text, "データとコピーを送る。");
}

TEST(Decoding, FewBadBytesAreRepairedWithANote) {
  std::string text = kJapanese + kJapanese;
  text[30] = '\xff';
  const auto decoded = decode_text(text);
  ASSERT_TRUE(decoded.ok());
  EXPECT_TRUE(utf8::valid(decoded->text));
  EXPECT_NE(decoded->text.find("\xef\xbf\xbd"), std::string::npos);
  EXPECT_FALSE(decoded->note.empty());
}

TEST(Decoding, BinaryIsRefused) {
  const std::string elf =
      "\x7f"
      "ELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0"s;
  EXPECT_EQ(decode_text(elf).status().code(), StatusCode::kUnsupported);
  EXPECT_EQ(read_document("a.txt", as_bytes(elf)).status().code(), StatusCode::kUnsupported);
  std::string noise;
  uint32_t state = 1;
  for (int i = 0; i < 5000; ++i) noise.push_back(static_cast<char>((state = state * 1664525 + 1013904223) >> 24));
  EXPECT_EQ(read_document("noise", as_bytes(noise)).status().code(), StatusCode::kUnsupported);
  // One zero of eight bytes, or nine, are no text of two bytes a letter.
  for (const std::string_view few : {"\0\1\2binar"sv, "\0\1\2binary"sv, "a\0bcdefg"sv})
    EXPECT_EQ(read_document("few", as_bytes(few)).status().code(), StatusCode::kUnsupported);
}

TEST(Decoding, ThaiIsKnownAndKanaOfAnyBytesAreNot) {
  const std::string thai = "การประชุมครั้งต่อไปจะจัดขึ้นที่เชียงใหม่ในวันที่สิบสองธันวาคม";
  std::string tis;  // the Thai block is the high half of TIS-620
  for (size_t i = 0; i < thai.size();) tis.push_back(static_cast<char>(utf8::next(thai, i) - 0xe00 + 0xa0));
  const auto decoded = decode_text(tis + "\n");
  ASSERT_TRUE(decoded.ok()) << decoded.status().message();
  EXPECT_EQ(decoded->text, thai + "\n");
  const auto chinese =
      decode_text("\xcb\xae\xb1\xed\xd4\xda\xc2\xa5\xcc\xdd\xbc\xe4\xb6\xfe\xb2\xe3\xa1\xa3");  // GB18030
  EXPECT_TRUE(!chinese.ok() || chinese->text == "水表在楼梯间二层。") << chinese->text;
}

TEST(Decoding, TextsOfDosAndOfOldMacsKeepTheirLetters) {
  const std::string french =
      "Le congr\u00e8s a \u00e9t\u00e9 annul\u00e9; la b\u00eate noire du gar\u00e7on re\u00e7oit sa pi\u00e8ce "
      "d\u00e9j\u00e0 pay\u00e9e, et les \u00e9l\u00e8ves sont pr\u00eats. ";
  for (const std::string& text : {kGerman, french}) {
    for (const char* const encoding : {"CP437", "CP850", "MACINTOSH"}) {
      const auto decoded = decode_text(encode_with_iconv(text, encoding));
      ASSERT_TRUE(decoded.ok()) << encoding << ": " << decoded.status().message();
      EXPECT_EQ(decoded->text, text) << encoding;
    }
    EXPECT_EQ(decode_text(encode_with_iconv(text, "WINDOWS-1252"))->text, text);
  }
}

TEST(Decoding, ApostrophesWithinWordsAreNoLettersOfOldMacs) {
  const std::string bytes = "I don\x92t know what she\x92s got, but it isn\x92t what we\x92ve asked for \x96 or is it?";
  EXPECT_NE(decode_text(bytes)->text.find("don\u2019t"), std::string::npos);
}

TEST(Decoding, KanjiBetweenLettersOfTheirSecondBytesStayWhatTheyAre) {
  EXPECT_EQ(decode_text(encode_with_iconv(kJapanese, "SHIFT_JIS"))->text, kJapanese);
}

}  // namespace
}  // namespace mneme::readers
