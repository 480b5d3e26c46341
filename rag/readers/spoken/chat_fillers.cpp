#include "rag/readers/spoken/chat_fillers.h"

#include <algorithm>
#include <iterator>

#include "rag/readers/read_context.h"
#include "rag/readers/spoken/chat_lines.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr std::string_view kLeftToRight = "\xe2\x80\x8e";

// In lower case, without the full stop. Copies of exports have lost the marks before them. Nobody who reads what was
// said asks for them.
constexpr std::string_view kFillers[] = {"null",
                                         "this message was deleted",
                                         "you deleted this message",
                                         "missed voice call",
                                         "missed video call",
                                         "waiting for this message. this may take a while",
                                         "diese nachricht wurde gelöscht",
                                         "du hast diese nachricht gelöscht",
                                         "verpasster sprachanruf",
                                         "verpasster videoanruf",
                                         "se eliminó este mensaje",
                                         "eliminaste este mensaje",
                                         "llamada perdida",
                                         "videollamada perdida",
                                         "ce message a été supprimé",
                                         "vous avez supprimé ce message",
                                         "appel vocal manqué",
                                         "appel vidéo manqué",
                                         "questo messaggio è stato eliminato",
                                         "hai eliminato questo messaggio",
                                         "chiamata vocale persa",
                                         "videochiamata persa",
                                         "mensagem apagada",
                                         "você apagou esta mensagem",
                                         "dit bericht is verwijderd",
                                         "image omitted",
                                         "video omitted",
                                         "audio omitted",
                                         "gif omitted",
                                         "sticker omitted",
                                         "contact card omitted",
                                         "bild weggelassen",
                                         "video weggelassen",
                                         "audio weggelassen",
                                         "sticker weggelassen",
                                         "imagen omitida",
                                         "video omitido",
                                         "audio omitido",
                                         "sticker omitido",
                                         "image absente",
                                         "vidéo absente",
                                         "immagine omessa",
                                         "video omesso",
                                         "audio omesso",
                                         "imagem ocultada",
                                         "vídeo omitido",
                                         "afbeelding weggelaten",
                                         "video weggelaten",
                                         "audio weggelaten",
                                         "[photo]",
                                         "[sticker]",
                                         "[video]",
                                         "[voice message]",
                                         "[写真]",
                                         "[スタンプ]",
                                         "[照片]",
                                         "[貼圖]",
                                         "[사진]",
                                         "사진",
                                         "이모티콘",
                                         "unsent a message"};

// Beginnings of what the program tells of itself in the name of the other side.
constexpr std::string_view kNotices[] = {
    "Messages and calls are end-to-end encrypted",
    "Messages to this chat and calls are now secured",
    "Your security code with ",
    "Nachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt",
    "Los mensajes y las llamadas están cifrados de extremo a extremo",
    "Les messages et les appels sont chiffrés de bout en bout",
    "I messaggi e le chiamate sono crittografati end-to-end",
    "As mensagens e as chamadas são protegidas com a criptografia de ponta a ponta"};

bool is_filler(std::string_view words) {
  for (const std::string_view notice : kNotices)
    if (words.starts_with(notice)) return true;
  while (words.ends_with('.')) words.remove_suffix(1);
  return std::find(std::begin(kFillers), std::end(kFillers), lower_ascii(words)) != std::end(kFillers);
}

// "IMG-20260312-WA0007.jpg (file attached)", in any language: what Android calls pictures, films and sounds.
bool is_named_medium(std::string_view words) {
  constexpr std::string_view kKinds[] = {"IMG-", "VID-", "AUD-", "PTT-", "STK-", "GIF-"};
  const bool known =
      std::any_of(std::begin(kKinds), std::end(kKinds), [&](auto kind) { return words.starts_with(kind); });
  return known && words.substr(0, 20).find("-WA") == 12 && words.find(' ') >= words.find('.');
}

// The name in "<attached: 00000013-Invoice March.pdf>" where it is that of a document; "" for a picture, a film, a
// sound or a contact.
std::string attached_document(std::string_view raw) {
  const size_t begin = raw.rfind(std::string(kLeftToRight) + "<");
  if (begin == raw.npos || !raw.ends_with('>')) return {};
  std::string_view name = raw.substr(begin + kLeftToRight.size() + 1);
  name.remove_suffix(1);
  const size_t colon = name.find(": ");
  if (colon == name.npos) return {};
  name.remove_prefix(colon + 2);
  const size_t digits = name.find_first_not_of("0123456789");
  if (digits < name.size() && digits > 0 && name[digits] == '-') name.remove_prefix(digits + 1);
  constexpr std::string_view kOther = " opus m4a vcf heif heic jpe thumb ";
  const std::string ending = extension(name);
  const bool document = !ending.empty() && worth_opening(name) && kOther.find(" " + ending + " ") == kOther.npos;
  return document ? plain_chat_line(name) : std::string();
}

// "See you <This message was edited>": Android says so at the end, in any language. No tag and no address.
std::string_view without_edited(std::string_view words) {
  if (!words.ends_with('>')) return words;
  const size_t begin = words.rfind(" <");
  if (begin == words.npos) return words;
  const std::string_view said = words.substr(begin + 2, words.size() - begin - 3);
  const bool sentence = said.size() >= 10 && said.find_first_of("=/@<\"'") == said.npos &&
                        (said.front() < 0 || (said.front() >= 'A' && said.front() <= 'Z')) &&
                        (said.find(' ') != said.npos || said.front() < 0);
  return sentence ? trim(words.substr(0, begin)) : words;
}

bool is_bracketed(std::string_view words) {
  return words.starts_with('<') && words.ends_with('>') && words.find('<', 1) == words.npos;
}

}  // namespace

bool is_programs_own(std::string_view raw) {
  return trim(raw).starts_with(kLeftToRight);
}

std::string said_words(std::string_view raw) {
  raw = trim(raw);
  const std::string plain = plain_chat_line(raw);
  if (is_bracketed(raw)) return {};
  const bool own = raw.starts_with(kLeftToRight);
  const std::string document = attached_document(raw);
  if (!document.empty()) return own ? document : std::string(trim(plain)) + " (" + document + ")";
  // The link of a place is all that was said.
  if (own) return plain.find("https://") == plain.npos ? std::string() : plain;
  const std::string_view words = without_edited(trim(plain));
  if (is_bracketed(words) || is_filler(words) || is_named_medium(words)) return {};
  return std::string(words);
}

}  // namespace mneme::readers
