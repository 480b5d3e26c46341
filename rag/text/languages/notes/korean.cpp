// Korean.
#include "rag/text/languages/notes.h"

namespace mneme::rag::notes {

const NoteTexts kKorean = {
    .digit_groups = ",",
    .not_said = "문서에 나와 있지 않습니다.",
    .parts_not_said = "문서에 나와 있지 않은 질문: {parts}",
    .rows_not_reckoned = "행을 인용할 뿐 계산하지는 않습니다",
    .rows_added_up = "더한 행 수: {n}",
    .rows_counted_once = "여러 문서에 있어 한 번만 센 행 수: {n}",
    .payments_compared = "비교한 결제: {n}",
    .payments_averaged = "평균을 낸 결제: {n}",
    .bills_added_up = "합산한 청구서: {n}",
    .no_payments = "표에도 청구서에도 그런 결제가 없습니다",
    .only_quoted = "인용만 보입니다: {why}",
    .no_such_source = "답변의 [{n}]에 해당하는 출처가 없습니다",
    .listed_about = "이를 다룬 문서 {all}개 중 {n}개입니다. 나머지는 `mneme search`로 찾을 수 있습니다",
    .listed_dated = "문서 {all}개 중 {n}개입니다",
    .listed_tasks = "할 일 {all}건 중 {n}건",
    .no_task_open = "남은 것이 없습니다",
    .by_file_date = "“수정”: 문서에 날짜가 없어 파일이 마지막으로 바뀐 날짜를 보입니다",
    .dated = "날짜 {date}",
    .named = "파일 이름의 날짜 {date}",
    .changed = "수정 {date}",
    .taken_in = "추가 {date}",
    .held = "{collection}: 문서 {documents}개, 단락 {passages}개, 위치 {folders}.",
    .gist_read = "{document}의 단락 {all}개 중 {n}개를 읽었습니다. 처음 부분과 같은 간격으로 고른 부분입니다",
    .also_called = "이름이 같은 문서: {others}",
    .which_document = "어느 문서인지 분명하지 않습니다. 제목이나 파일 이름을 알려 주세요",
    .no_page = "{document}에는 {page}쪽이 없습니다",
    .not_all_with = "“{word}”(으)로는 질문 전체에 답하는 내용이 없어 “{other}”을(를) 찾았습니다",
    .no_passage_says = "“{word}”이(가) 나오는 단락이 없어 “{other}”을(를) 찾았습니다",
    .looked_for = "대신 “{other}”을(를) 찾았습니다",
    .no_vectors =
        "모음 {collection}에는 아직 {embedder}의 벡터가 없어, 만들어질 때까지 낱말로만 찾습니다. `mneme index`로 바로 "
        "만들 수 있습니다",
    .not_reranked = "{by}(으)로 다시 정렬하지 못했습니다: {why}",
    .no_date = "{filter}은(는) 날짜(YYYY-MM-DD, YYYY-MM, YYYY)가 아니어서 낱말로 찾았습니다",
    .no_filter = "{filter}에 거를 내용이 없어 낱말로 찾았습니다",
    .repeats_left_out = "더 나은 단락과 거의 같아 뺀 단락: {n}개",
    .no_match = "{filters}에 맞는 문서가 없습니다",
    .either = " 또는 ",
    .no_match_of_all = "{filters}에 모두 맞는 문서가 없습니다",
    .no_passage_of_match = "{filters}에 맞는 문서에는 이 낱말에 맞는 단락이 없습니다",
    .nothing_goes_with = "이 낱말에 맞는 내용이 없습니다. 다른 낱말로 찾아 보세요.",
    .collection_empty = "모음 {collection}에는 아직 문서가 없습니다.",
    .nothing_indexed = "아직 읽은 문서가 없습니다. `mneme index 폴더`로 읽을 수 있습니다.",
    .welcome = "천만에요.",
    .greeting = "안녕하세요! 무엇을 알고 싶으신가요?",
    .caches_not_measured = "이 모델의 캐시를 아직 재지 않아 모두 계산했습니다. `mneme model add 파일`이 한 번 잽니다",
    .being_tried_out = "이 모델을 시험하는 중이라 모두 계산했습니다. 다음 답변부터는 더 빨리 시작됩니다",
    .caches_differ =
        "이 모델은 고친 캐시로는 다르게 답하므로(KL {kl}, 비율 {share}에서 가장 유력한 토큰의 {percent} %가 같음) 모두 "
        "계산합니다. --recompute R로 무시할 수 있습니다",
    .goal_had_no_say = "모두 계산했으므로 시간 목표는 반영되지 않았습니다",
    .ends_in_middle = "답변이 중간에 끊겼습니다: {why}",
    .still_thinking =
        "모델이 생각할 수 있는 토큰 {n}개 안에 답에 이르지 못했습니다. 질문을 좁히거나 바로 답하는 모델을 쓰세요",
    .turns_left_out = "자리가 없어 뺀 이전 대화: {n}개",
    .passages_left_out = "단락 {all}개 중 {n}개는 모델의 문맥에 들어가지 않아 뺐습니다",
    .passage_cut = "첫 단락은 모델의 문맥에 맞도록 토큰 {all}개에서 {n}개로 줄였습니다",
    .cache_recomputed = "저장된 KV 캐시를 쓸 수 없어 다시 계산했습니다: {why}",
};

}  // namespace mneme::rag::notes
