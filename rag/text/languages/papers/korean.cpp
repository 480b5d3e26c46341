// Korean.
#include "rag/text/languages/paper_words.h"

namespace mneme::rag::papers {

const PaperWords kKorean = {
    .salutations = "존경하는, 친애하는, 안녕하세요, 안녕하십니까, 님께, 귀하, 사랑하는, 에게, 께",
    .closings = "드림, 올림, 배상, 감사합니다, 안녕히 계세요, 사랑을 담아",
    .totals = "합계, 총액, 총 금액, 청구 금액, 결제 금액, 납부 금액, 총계",
    .defects =
        "고장, 결함, 하자, 파손, 손상, 깨졌, 깨진, 금이, 균열, 샌다, 누수, 헐거, 느슨, 없음, 빠졌, 끼었, 걸려, 막혔, "
        "막힘, 깜빡, 삐걱, 냄새, 곰팡이, 마모, 닳, 긁힘, 얼룩, 수리, 교체, 안 된다, 안 됨, 않는다, 않음, 안 켜, 안 닫",
};

}  // namespace mneme::rag::papers
