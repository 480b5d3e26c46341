// Spanish.
#include "rag/text/languages/language_facts.h"

namespace mneme::rag::languages {

const LanguageFacts kSpanish = {
    .language = Language::kSpanish,
    .grammar =
        "la un que se el los las una unos y o de del en con por para como donde cual quien cuando es son su sus al lo "
        "no cuanto cuanta cuantos cuantas quienes cuales adonde mi mis nuestro nuestra tengo tiene tienen tenemos hay "
        "debo debe deben puedo puede fue ha han hemos muy hasta desde entre soy esta estan tener haber ser hacer hace "
        "pueden podemos debemos significa",
    .telling = "a le les unas hora dia dias quedan llevar era sin sobre tu tus me nos cada si mas",
    .marked_letters = "áíóúñ¿¡",
    .notes = &notes::kSpanish,
    .documents = &documents::kSpanish,
    .papers = &papers::kSpanish,
    .thanks = "gracias, muchas gracias, vale, perfecto",
    .greetings = "hola, buenos días, buenas tardes",
    .numbers = "dos tres cuatro cinco seis siete ocho nueve diez doce quince veinte treinta cien",
    .months = {{{"enero"},
                {"febrero"},
                {"marzo"},
                {"abril"},
                {"mayo"},
                {"junio"},
                {"julio"},
                {"agosto"},
                {"septiembre"},
                {"octubre"},
                {"noviembre"},
                {"diciembre"}}},
    .weekdays = "lunes, martes, miercoles, jueves, viernes, sabado, domingo",
    .recurring_days = "de cada mes, fin de mes",
    .time_units = "segundos, minutos, hora, horas, dia, dias, semanas, mes, meses, ano, anos, semana",
    .often = "cada, veces, vez, todos los, todas las, diario, diariamente, semanal, mensual, anual",
    .within = "dentro de, en el plazo, antes de",
    .until = "hasta, antes, a mas tardar, plazo, dentro de, vence, durante, valido",
    .asking_hour = "que hora",
    .asking_deadline = "hasta cuando, hasta que fecha, hasta que dia, antes de cuando",
    .asking =
        {
            .date = "cuando, que fecha, que dia, que hora, que ano, que mes",
            .number = "cuanto, cuanta, cuantos, cuantas, que precio, que cantidad",
            .duration = "cuanto tiempo, cuanto dura, cuanto duran",
            .frequency = "cada cuanto, cada cuantos, cada cuantas, que frecuencia, cuantas veces al, cuantas veces por",
            .person = "quien, quienes",
            .place = "donde, adonde",
            .reason = "por que, ^porque",
            .manner = "como",
            .steps = "que hacer, que hago",
            .list = "ingredientes, que hay que llevar, que tengo que llevar, que tienen que llevar, que deben llevar, "
                    "que se necesita, que necesito",
            .definition = "que significa, que es",
            .difference = "diferencia entre",
        },
    .date_labels = "fecha cuándo",
    .place_labels = "lugar dirección dónde",
    .takes_time = "dura duran",
    .free_of_charge = "gratuito, gratuita, gratuitos, gratuitas, incluido, incluida, nada que pagar, sin coste",
    .percent = "por ciento",
    .rents = "alquiler mensualidad mensualidades",
    .currencies = "pesos",
    .price = {.asking = "cuánto cuesta, cuánto cuestan, cuánto costó, cuánto vale, qué precio",
              .how_much = "cuánto",
              .words = "cuesta cuestan costo pago pagar pagamos",
              .earning = "gana cobra cobro",
              .reckoning = "en total, suma, promedio, media de, gastado, gastamos"},
    .rules = {.asking_may = "puedo, podemos, se puede, se pueden, está permitido, está prohibido, es posible",
              .asking_must = "tengo que, tenemos que, debo, hay que",
              .permits = "permitido permitidos permitida permitidas prohibido prohibidos prohibida prohibidas",
              .may_rules = "puede, pueden, podrá, prohibido, prohibida, prohibidos, prohíben, permite, permiten, "
                           "admite, admiten, permitido, permitida, autorización, permiso, excluido, excluida",
              .must_rules = "debe, deben, obligatorio, obligatoria, hay que, tiene que, necesario",
              .light_deeds = "tener usar poner llevar traer"},
    .asking_state =
        "qué le pasa a #, qué le pasa al #, qué tiene #, qué está roto en #, qué está mal en #, qué no funciona en #, "
        "qué problema tiene #, qué defectos tiene #, qué está roto, en qué estado está #, qué está averiado en #, cuál "
        "es el problema con #, cuál es el problema de #",
    .payments = {.spent = "gastado, gasté, gastamos, pagado en total, pagué en total, pagamos en total, gastos "
                          "totales, total de gastos, suma de gastos",
                 .received = "ganado, gané, ganamos, cobrado, ingresado, total de ingresos, ingresos totales",
                 .otherwise = "promedio, media, más, menos",
                 .average = "promedio, de media, en promedio, por término medio, media",
                 .weekly = "por semana, cada semana, a la semana, semanalmente",
                 .monthly = "por mes, al mes, cada mes, mensualmente",
                 .yearly = "por año, al año, cada año, anualmente",
                 .most = "más caro, más cara, mayor, más alto, más alta, más grande, lo máximo",
                 .least = "más barato, más barata, menor, más bajo, más baja, lo mínimo",
                 .expenses = "gasto gastos compra compras pago pagos factura cargo",
                 .paid = "pagado pagué pagamos gastado gasté comprado",
                 .spending = "gastamos",
                 .paying = "he pagado, hemos pagado, pagué, pagamos",
                 .paying_for = "por",
                 .amount_columns = "importe monto suma total precio coste cargo gasto debe",
                 .balance_columns = "saldo",
                 .received_columns = "abono ingreso haber"},
    .periods =
        {
            .today = "hoy",
            .yesterday = "ayer",
            .current = "este esta",
            .past = "pasado pasada pasados pasadas último última últimos últimas",
            .days = "día días",
            .weeks = "semana semanas",
            .months = "mes meses",
            .years = "año años",
            .around = "de del en el la los las durante a",
            .since = "desde",
            .until = "antes hasta anteriores anterior",
            .after = "después posteriores posterior",
            .numbers = "uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
            .weekdays = "lunes, martes, miércoles, jueves, viernes, sábado, domingo",
        },
};

}  // namespace mneme::rag::languages
