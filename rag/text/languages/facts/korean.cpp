// Korean.
#include "rag/text/languages/language_facts.h"

namespace mneme::rag::languages {

const LanguageFacts kKorean = {
    .language = Language::kKorean,
    .refusal = "문서에 나와 있지 않습니다.",
};

}  // namespace mneme::rag::languages
