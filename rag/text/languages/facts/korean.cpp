// Korean.
#include "rag/text/languages/language_facts.h"

namespace mneme::rag::languages {

const LanguageFacts kKorean = {
    .language = Language::kKorean,
    .notes = &notes::kKorean,
    .thanks = "감사합니다, 고마워요, 고맙습니다, 고마워, 알겠습니다",
    .greetings = "안녕하세요, 안녕",
    .time_units = "달 전, 일 이내, 주간",
    .often = "매일, 매주, 매월, 매달, 매년, 마다",
    .within = "이내",
    .until = "까지, 이내",
    .hours = "시",
    .asking_hour = "몇 시, 몇시",
    .asking_deadline = "언제까지, 며칠까지, 몇 시까지, 몇시까지",
    .own_asking =
        {.date = "언제, 몇 시, 몇시, 며칠, 무슨 요일, 몇 월, 몇월, 어느 날",
         .number = "얼마, 몇",
         .duration = "얼마나 걸, 얼마 동안, 몇 분, 몇 시간, 몇 년, 몇 개월, 몇 달, 몇 주, 며칠 동안, 얼마 전, 몇 일 전",
         .frequency = "얼마나 자주, 몇 번",
         .person = "누구, 누가",
         .place = "어디",
         .reason = "왜 , 이유",
         .manner = "어떻게",
         .list = "준비물, 재료, 챙겨",
         .definition = "무슨 뜻, 뜻이"},
    .date_labels = "일시 날짜 기간",
    .own_price = {.asking = "얼마예요, 얼마에요, 얼마인가, 얼마야, 얼마죠, 얼마입니까, 얼마 내, 비용"},
    .own_rules = {.asking_may = "도 되, 도 돼, 도 될, 수 있나, 수 있어, 수 있을, 가능한가, 가능해, 금지인가",
                  .asking_must = "해야 하나, 해야 되나, 해야 해, 내야 하나",
                  .may_rules = "수 없, 수 있, 허용, 금지, 가능, 불가, 안 된다, 안 됩니다, 동의",
                  .must_rules = "해야, 필수, 의무"},
    .causes = "때문, 위해, 않으면, 므로, 따라서",
    .contact = {.asking = "전화 번호, 연락처", .words = "전화번호 연락처"},
    .families = "휴대폰 휴대전화 핸드폰",
    .synonyms =
        "휴대폰 휴대전화, 핸드폰 휴대전화, 강아지 반려동물 애완동물, 집주인 임대인, 세입자 임차인, 월세 임대료, 선생님 "
        "교사, 자동차 차량, 보증금 전세금, 쓰레기 폐기물",
};

}  // namespace mneme::rag::languages
