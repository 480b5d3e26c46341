// Portuguese.
#include "rag/text/languages/document_words.h"

namespace mneme::rag::documents {

const DocumentWords kPortuguese = {
    .kinds = {.document = {"documento arquivo ficheiro", "documentos arquivos ficheiros"},
              .text = {"texto livro página capítulo", "textos livros páginas"},
              .invoice = {"fatura factura", "faturas facturas"},
              .receipt = {"recibo", "recibos"},
              .contract = {"contrato acordo", "contratos acordos"},
              .licence = {"licença", "licenças"},
              .letter = {"carta", "cartas"},
              .mail = {"mensagem email", "mensagens emails"},
              .report = {"relatório", "relatórios"},
              .article = {"artigo", "artigos"},
              .policy = {"apólice", "apólices"},
              .certificate = {"certificado", "certificados"},
              .statement = {"extrato", "extratos"},
              .minutes = {"ata", "atas"},
              .manual = {"manual", "manuais"},
              .offer = {"orçamento oferta", "orçamentos ofertas"},
              .note = {"nota", "notas"},
              .recipe = {"receita", "receitas"},
              .form = {"formulário", "formulários"},
              .presentation = {"apresentação", "apresentações"},
              .cv = {"currículo", "currículos"},
              .notice = {"aviso", "avisos"}},
    .own_kinds = "ata atas",
    .lead =
        "qual quais que é são foi mostre mostre-me mostra me dê encontre procure abra liste listar por favor o a os as "
        "meu minha meus minhas nosso nossa todos todas todo de do em ver quero",
    .closing = "por favor",
    .articles = "o a os as um uma meu minha meus minhas do da",
    .joins = "de do da dos das o a os as por sobre para ao à com que em são é há tenho",
    .of = "de do da dos das",
    .asking = "quando quem como porque onde qual",
    .newest =
        "mais recente, mais recentes, última, último, últimas, últimos, mais nova, mais novo, mais novas, mais "
        "novos",
    .oldest = "mais antiga, mais antigo, mais antigas, mais antigos, mais velha, mais velho",
    .told = "total valor número data preço saldo nome autor título página páginas soma aluguel salário endereço iva",
    .changed =
        "alterei alterado alterados alteradas mudei modifiquei modificado modificados editei editado editados escrevi "
        "escrito escritos salvei salvos criei criado criados modificadas editadas mudaram",
    .taken_in = "adicionei adicionado adicionados importei importados indexados",
    .doing = "eu nós que foram tenho temos",
    .last_done = "recentemente ultimamente",
    .listing = "liste listar mostre mostra todos todas",
    .how_many = "quantas, quantos",
    .have = "tenho, temos, há, eu tenho, existem",
    .held = "quantos # tenho, quantos # há, quais # tens, quais # há, liste todos os #, mostre todos os #",
    .which = "quais que qual liste mostre encontre em",
    .telling =
        "mencionam, menciona, falam de, falam do, falam da, fala de, fala do, contêm, contém, tratam de, tratam "
        "do, tratam da, sobre, acerca de",
    .where_mentioned = "onde é, onde são, onde se",
    .mentioned = "mencionado mencionada mencionados mencionadas menciona mencionam",
    .finding = "encontre, procure, abra, mostre me, mostre, onde está, onde estão",
    .writers =
        "quem me escreveu sobre #, quem me escreveu por causa de #, quem me escreveu acerca de #, quem nos escreveu "
        "sobre #, quem me mandou um email sobre #, quem me enviou uma carta sobre #, quem me escreveu, quem nos "
        "escreveu",
    .gist =
        "do que trata #, do que fala #, de que trata #, sobre o que é #, resume o #, resume a #, resume os #, resume "
        "as #, resume este #, resuma #, resumo de #, resumo do #, resumo da #, resumo #, o que diz #",
    .around = "por favor podes pode um breve me em",
    .this_one = "isto isso",
    .sections = "secção seção cláusula capítulo artigo parágrafo",
    .annexes = "anexo apêndice",
    .place_asking = "o que diz, o que contém, o que há, o que está",
    .page = "página",
    .showing = "lê leia mostra diz conteúdo contém e mais",
    .ordinals =
        "primeiro primeira, segundo segunda, terceiro terceira, quarto quarta, quinto quinta, sexto sexta, sétimo "
        "sétima, oitavo oitava",
    .last_one = "último última",
    .numbered = "número",
    .tasks = {.tasks = "tarefas, lista de tarefas, afazeres, coisas a fazer, por fazer, a fazer, pendências, to do "
                       "list, todo, todos",
              .headings = "a fazer, por fazer, tarefas pendentes, pendências, pontos em aberto, to do, todo",
              .open = "pendentes pendente abertas aberto falta faltam restantes ainda",
              .done = "feitas concluídas terminadas acabadas feito concluído terminado prontas já",
              .all = "todas todos",
              .around = "tenho temos que eu nós há meu minha minhas meus na no em para fazer devo preciso o quais são "
                        "é está estão",
              .asking_open = "o que falta fazer, o que me falta fazer, o que ainda falta fazer, o que tenho de fazer, "
                             "o que tenho que fazer, o que ainda tenho de fazer, o que ainda tenho que fazer, o que "
                             "preciso fazer, o que ainda preciso fazer, o que devo fazer ainda, o que está por fazer, "
                             "o que está pendente, o que há para fazer, o que resta fazer, o que temos de fazer",
              .asking_done = "o que já fiz, o que fiz, o que terminei, o que já terminei, o que está feito, o que já "
                             "está feito, o que foi feito, o que fizemos"},
};

}  // namespace mneme::rag::documents
