// Korean.
#include "rag/text/languages/language_facts.h"

namespace mneme::rag::languages {

const LanguageFacts kKorean = {
    .language = Language::kKorean,
    .notes = &notes::kKorean,
    .documents = &documents::kKorean,
    .thanks = "감사합니다, 고마워요, 고맙습니다, 고마워, 알겠습니다",
    .greetings = "안녕하세요, 안녕",
    .numbered =
        "한 대, 한 마리, 한 명, 한 개, 한 번, 한 달, 한 주, 한 장, 한 병, 한 잔, 한 모, 한 큰술, 한 작은술, 한 봉지, "
        "한 시간, 한 살, 한 권, 두 대, 두 마리, 두 명, 두 개, 두 번, 두 달, 두 주, 두 장, 두 병, 두 잔, 두 모, 두 "
        "큰술, 두 작은술, 두 봉지, 두 시간, 두 살, 두 권, 세 대, 세 마리, 세 명, 세 개, 세 번, 세 달, 세 주, 세 장, 세 "
        "병, 세 잔, 세 모, 세 큰술, 세 작은술, 세 봉지, 세 시간, 세 살, 세 권, 네 대, 네 마리, 네 명, 네 개, 네 번, 네 "
        "달, 네 주, 네 장, 네 병, 네 잔, 네 모, 네 큰술, 네 작은술, 네 봉지, 네 시간, 네 살, 네 권, 다섯 대, 다섯 "
        "마리, 다섯 명, 다섯 개, 다섯 번, 다섯 달, 다섯 주, 다섯 장, 다섯 병, 다섯 잔, 다섯 모, 다섯 큰술, 다섯 "
        "작은술, 다섯 봉지, 다섯 시간, 다섯 살, 다섯 권, 여섯 대, 여섯 마리, 여섯 명, 여섯 개, 여섯 번, 여섯 달, 여섯 "
        "주, 여섯 장, 여섯 병, 여섯 잔, 여섯 모, 여섯 큰술, 여섯 작은술, 여섯 봉지, 여섯 시간, 여섯 살, 여섯 권, 반 "
        "대, 반 마리, 반 명, 반 개, 반 번, 반 달, 반 주, 반 장, 반 병, 반 잔, 반 모, 반 큰술, 반 작은술, 반 봉지, 반 "
        "시간, 반 살, 반 권, 하루, 이틀, 사흘, 나흘, 열흘, 일주일, 보름",
    .time_units = "달 전, 일 이내, 주간, 이틀, 사흘, 나흘, 열흘, 일주일, 하루, 개월, 두 달, 한 달, 세 달",
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
    .place_labels = "장소 주소 소재지",
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
        "교사, 자동차 차량, 보증금 전세금, 쓰레기 폐기물, 크기 면적, 평수 면적, 이사 퇴거, 수리 보수, 요금 비용, "
        "아파트 건물",
    .payments = {.spent = "썼나요, 썼어, 썼습니까, 썼는지, 지출했, 지출 합계",
                 .received = "벌었, 수입 합계",
                 .otherwise = "평균, 가장, 제일",
                 .amount_columns = "금액 합계 가격 지출 출금",
                 .balance_columns = "잔액",
                 .received_columns = "수입 입금"},
    .periods =
        {
            .today = "오늘",
            .yesterday = "어제",
            .days = "일",
            .months = "월",
            .years = "년",
            .this_week = "이번 주, 이번주, 금주",
            .last_week = "지난주, 지난 주, 저번 주",
            .this_month = "이번 달, 이번달",
            .last_month = "지난달, 지난 달",
            .this_year = "올해, 금년",
            .last_year = "작년, 지난해",
            .since = "이후",
            .until = "이전",
        },
};

}  // namespace mneme::rag::languages
