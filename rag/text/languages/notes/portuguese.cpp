// Portuguese.
#include "rag/text/languages/notes.h"

namespace mneme::rag::notes {

const NoteTexts kPortuguese = {
    .digit_groups = ".",
    .not_said = "Os documentos não o dizem.",
    .parts_not_said = "Os documentos não o dizem: {parts}",
    .rows_not_reckoned = "São citadas linhas, nada é calculado a partir delas",
    .rows_added_up = "Linhas somadas: {n}",
    .rows_counted_once = "Linhas que estão em vários documentos, contadas uma vez: {n}",
    .payments_compared = "Pagamentos comparados: {n}",
    .payments_averaged = "Pagamentos da média: {n}",
    .bills_added_up = "Faturas somadas: {n}",
    .no_payments = "nem tabelas nem faturas falam de tais pagamentos",
    .only_quoted = "Só citações: {why}",
    .no_such_source = "A resposta indica [{n}], que não é nenhuma fonte",
    .listed_about = "{n} de {all} documentos que falam disso; `mneme search` encontra os outros",
    .listed_dated = "{n} de {all} documentos",
    .listed_tasks = "{n} de {all} tarefas",
    .no_task_open = "Nada disto está por fazer",
    .by_file_date = "«alterado»: o documento não indica data, em seu lugar está a da última alteração do ficheiro",
    .dated = "com data {date}",
    .named = "segundo o nome {date}",
    .changed = "alterado {date}",
    .taken_in = "adicionado {date}",
    .held = "{collection}: documentos: {documents}, trechos: {passages}, de {folders}.",
    .gist_read = "Foram lidos {n} dos {all} trechos de {document}: o início e outros a distâncias iguais",
    .also_called = "Também se chamam assim: {others}",
    .which_document = "Não está claro de que documento se trata; indique o título ou o ficheiro",
    .no_page = "{document} não tem página {page}",
    .not_all_with = "Nada responde a toda a pergunta com «{word}»; procurou-se «{other}»",
    .no_passage_says = "Nenhum trecho diz «{word}»; procurou-se «{other}»",
    .looked_for = "Procurou-se «{other}»",
    .no_vectors =
        "A coleção {collection} ainda não tem vetores de {embedder}; enquanto são criados, procura-se só por palavras; "
        "`mneme index` cria-os já",
    .not_reranked = "Não reordenado por {by}: {why}",
    .no_date = "{filter} não é uma data (AAAA-MM-DD, AAAA-MM ou AAAA), por isso foi procurado como palavras",
    .no_filter = "{filter} não indica nada por que filtrar, por isso foi procurado como palavras",
    .repeats_left_out = "Trechos omitidos por quase repetirem outros melhores: {n}",
    .no_match = "Nenhum documento corresponde a {filters}",
    .either = " ou a ",
    .no_match_of_all = "Nenhum documento corresponde ao mesmo tempo a {filters}",
    .no_passage_of_match = "Nos documentos que correspondem a {filters}, nenhum trecho condiz com estas palavras",
    .nothing_goes_with = "Nada condiz com estas palavras; tente outras.",
    .collection_empty = "A coleção {collection} ainda não contém documentos.",
    .nothing_indexed = "Ainda não foi lido nenhum documento; `mneme index PASTA` acrescenta-os.",
    .welcome = "De nada.",
    .greeting = "Olá! O que gostaria de saber?",
    .caches_not_measured =
        "As caches deste modelo ainda não foram medidas, por isso tudo foi calculado; `mneme model add FICHEIRO` "
        "mede-as uma vez",
    .being_tried_out =
        "Este modelo está a ser experimentado, por isso tudo foi calculado; as próximas respostas começarão mais cedo",
    .caches_differ =
        "Este modelo responde de outra forma a partir de caches reparadas (KL {kl}, {percent} % dos tokens mais "
        "prováveis iguais com uma parte de {share}), por isso tudo é calculado; --recompute R ignora isso",
    .goal_had_no_say = "O objetivo de tempo não teve efeito, porque tudo foi calculado",
    .ends_in_middle = "A resposta para a meio: {why}",
    .still_thinking =
        "O modelo não chegou a nenhuma resposta com os {n} tokens que pode pensar; faça uma pergunta mais concreta ou "
        "use um modelo que responda logo",
    .turns_left_out = "Trocas anteriores omitidas por falta de espaço: {n}",
    .passages_left_out = "{n} de {all} trechos não cabiam no contexto do modelo e foram omitidos",
    .passage_cut = "O primeiro trecho foi reduzido a {n} de {all} tokens para caber no contexto do modelo",
    .cache_recomputed = "Uma cache KV guardada não pôde ser usada e foi calculada de novo: {why}",
};

}  // namespace mneme::rag::notes
