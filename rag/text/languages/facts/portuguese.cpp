// Portuguese.
#include "rag/text/languages/language_facts.h"

namespace mneme::rag::languages {

const LanguageFacts kPortuguese = {
    .language = Language::kPortuguese,
    .grammar =
        "que se o de por para como da quando os um uma do dos em no na nos nas com qual quais onde sao quanto quanta "
        "deve posso quem quantos quantas porque ao aos meu minha meus minhas nosso nossa tenho tem temos pode pelo "
        "pela foi numa das uns ser podemos ter haver fazer significa",
    .own_grammar =
        "tempo faço fazer fazem aparecer tempo a as umas e ou esta estão sem sobre devo me não mais muito há é era "
        "foram à às pelos pelas este isto isso aquele lhe seu sua seus suas ele ela eles elas quero podem de fica "
        "ficam quê",
    .telling = "custa sai mês autocarro você apólice significa",
    .marked_letters = "áâãçéêíóôõú",
    .notes = &notes::kPortuguese,
    .documents = &documents::kPortuguese,
    .papers = &papers::kPortuguese,
    .thanks = "obrigado, obrigada, muito obrigado, muito obrigada",
    .greetings = "olá, bom dia, boa tarde",
    .numbers = "nove quatro sete oito dez doze vinte trinta cinco dois duas três seis onze meia",
    .months = {{{"janeiro"},
                {"fevereiro"},
                {"", "marco"},
                {"abril"},
                {"maio"},
                {"junho"},
                {"julho"},
                {"agosto"},
                {"setembro"},
                {"outubro"},
                {"novembro"},
                {"dezembro"}}},
    .months_beside_numbers = "marco",
    .weekdays = "sabado, domingo, segunda feira, terca feira, quarta feira, quinta feira, sexta feira",
    .time_units = "semana, semanas, segundos, minutos, hora, horas, dia, dias, mes, meses, ano, anos",
    .often = "vezes, todos os, todas as, cada, vez",
    .within = "dentro de, antes de, no prazo de, ate",
    .until = "antes, dentro de, vence, durante, valido, ate, prazo, vencimento",
    .asking_hour = "que horas",
    .asking_deadline = "ate quando, ate que dia",
    .asking =
        {
            .date = "quando, que horas, que data, que dia, que mes, que ano",
            .number = "quanto, quanta, quantos, quantas",
            .duration = "quanto tempo, quanto dura, quanto duram",
            .frequency = "que frequencia, quantas vezes por",
            .person = "quem",
            .place = "onde, aonde",
            .reason = "por que, ^porque",
            .manner = "como",
            .steps = "o que fazer",
            .list = "o que levar, o que e preciso, ingredientes",
            .definition = "o que e, o que significa",
            .difference = "diferenca entre",
        },
    .own_asking = {.steps = "o que faço, o que devo fazer, que faço",
                   .list = "o que devem levar, o que têm de levar, o que levam, o que é preciso levar",
                   .definition = "que significa, o que quer dizer"},
    .areas = "área superfície",
    .heat = "graus temperatura",
    .values = "valor montante quantia",
    .sums = "renda caução prémio franquia salário propina",
    .date_labels = "data quando",
    .place_labels = "local lugar morada endereço onde",
    .lasting = "dura demora válido válida vale",
    .free_of_charge = "gratuito, gratuita, gratuitos, gratuitas, incluso, nada a pagar, por minha conta",
    .percent = "por cento",
    .rents = "aluguel alugueis",
    .currencies = "reais",
    .price = {.asking = "quanto custa, quanto custam, quanto custou",
              .words = "custa custam custou",
              .earning = "ganha",
              .reckoning = "no total, soma, gasto"},
    .rules = {.asking_may = "posso, pode se, podem se, é permitido",
              .asking_must = "devo, tenho que, preciso",
              .permits = "proibido proibidos proibida",
              .may_rules = "pode, podem, proibido, proibida, proibidos, autorização, permitidos",
              .must_rules = "devem, é preciso",
              .light_deeds = "ter levar"},
    .talk = {.continuing = "e mas", .pronouns = "ele ela eles elas dele dela"},
    .families =
        "começar começou começa início inicia, acabar acaba termina fim termo, volta voltam regressa regressam "
        "regresso, parte partem partida sai saem saída, entregar entregue entrega, avariado avaria avarias, enviar "
        "enviadas envio, acompanha acompanham acompanhante",
    .synonyms =
        "mês mensal mensais mensalmente, ano anual anuais, começar começou começa início inicia, acabar acaba termina "
        "fim, sai parte partem partida saída, volta regressa regresso, cão cães animais, gato gatos animais, demora "
        "duração dura, escoamento esgoto, diretor diretora, renda mensalidade",
    .asking_state =
        "o que se passa com #, o que há de errado com #, qual é o problema com #, qual é o problema do #, qual é o "
        "problema da #, o que está partido em #, o que está estragado em #, o que não funciona em #, que defeitos tem "
        "#, o que tem #, o que está avariado, o que está partido, em que estado está #",
    .payments = {.spent = "gastei, gastámos, gastamos, foi gasto, paguei no total, pagámos no total, gastos totais, "
                          "total de despesas, soma das despesas",
                 .received = "ganhei, ganhámos, recebi no total, total de receitas, receitas totais",
                 .otherwise = "média, mais, menos",
                 .average = "em média, média",
                 .weekly = "por semana, cada semana",
                 .monthly = "por mês, ao mês, cada mês, mensalmente",
                 .yearly = "por ano, ao ano, cada ano, anualmente",
                 .most = "mais caro, mais cara, maior, mais alto, mais alta, o máximo",
                 .least = "mais barato, mais barata, menor, mais baixo, mais baixa, o mínimo",
                 .expenses = "despesa despesas gasto gastos compra compras pagamento pagamentos fatura",
                 .paid = "paguei pagámos pagamos gastei comprei pago",
                 .spending = "gastamos",
                 .paying = "paguei, pagámos, pagamos",
                 .paying_for = "por pelo pela",
                 .amount_columns = "montante valor soma total preço custo débito despesa",
                 .balance_columns = "saldo",
                 .received_columns = "crédito receita entrada"},
    .periods =
        {
            .today = "hoje",
            .yesterday = "ontem",
            .current = "este esta neste nesta deste desta",
            .past = "passado passada último última últimos últimas",
            .days = "dia dias",
            .weeks = "semana semanas",
            .months = "mês meses",
            .years = "ano anos",
            .around = "de do da em no na o a os as nos nas durante a ao",
            .since = "desde",
            .until = "antes até anteriores anterior",
            .after = "depois após posteriores posterior",
            .numbers = "um dois três quatro cinco seis sete oito nove dez onze doze",
            .weekdays = "segunda, terça, quarta, quinta, sexta, sábado, domingo",
        },
};

}  // namespace mneme::rag::languages
