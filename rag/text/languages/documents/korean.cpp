// Korean.
#include "rag/text/languages/document_words.h"

namespace mneme::rag::documents {

const DocumentWords kKorean = {
    .kinds = {.document = {"문서 파일 자료"},
              .text = {"책 페이지 텍스트"},
              .invoice = {"청구서 고지서"},
              .receipt = {"영수증"},
              .contract = {"계약서 계약 합의서"},
              .letter = {"편지"},
              .mail = {"메일 이메일 메시지"},
              .report = {"보고서"},
              .article = {"기사 논문"},
              .policy = {"보험증권"},
              .certificate = {"증명서"},
              .statement = {"명세서"},
              .minutes = {"회의록"},
              .manual = {"설명서 안내서"},
              .offer = {"견적서"},
              .note = {"메모 노트"},
              .recipe = {"레시피 조리법"},
              .form = {"양식 신청서"},
              .presentation = {"발표자료 슬라이드"},
              .cv = {"이력서"},
              .payslip = {"급여명세서"}},
    .lead =
        "무엇인가요 무엇이야 무엇입니까 뭐야 뭐예요 뭔가요 인가요 보여줘 보여주세요 보여 찾아줘 열어줘 알려줘 "
        "알려주세요 주세요 어떤 어느 내가 나의 내 제 있나요 있어 있습니까 있어요 있는 들 에서 에 온 의 은 는 을 를 이 "
        "가 "
        "했나요 했어 했지 한 개 장 통 가장 것",
    .newest = "최신, 가장 최근, 최근, 가장 새로운, 마지막",
    .oldest = "가장 오래된, 제일 오래된, 최초",
    .changed = "수정 변경 편집 고친 작성 저장",
    .taken_in = "추가 가져온 등록",
    .last_done = "최근에 마지막으로",
    .listing = "모든 모두 전부 목록",
    .how_many = "몇 개, 몇 장, 몇 통, 몇 건, 몇",
    .telling = "언급하나요, 언급하는, 언급해, 언급된, 나오는, 나오나요, 관한, 다루는, 다루나요",
    .gist =
        "#은 무슨 내용이야, #는 무슨 내용이야, #은 무슨 내용인가요, #는 무슨 내용인가요, #은 무슨 내용, #는 무슨 내용, "
        "#의 요약, # 요약, #에 대해 요약",
    .this_one = "이 이것",
    .page = "쪽 페이지",
    .tasks = {.tasks = "할 일 목록, 할일 목록, 할 일, 할일, 작업 목록, 과제",
              .headings = "할 일, 할일, 할 일 목록, 미완료",
              .open = "남은 남아 미완료 끝나지 않은 아직",
              .done = "완료된 완료한 완료 끝난 끝낸",
              .all = "모든 전부",
              .around = "에서 에 의 아직",
              .asking_open = "아직 해야 할, 해야 할, 해야 하는, 무엇이 남았",
              .asking_done = "무엇을 끝냈, 무엇을 완료했, 무엇을 했"},
};

}  // namespace mneme::rag::documents
