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
    .refusal = "Los documentos no lo dicen.",
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
    .free_of_charge = "gratuito, gratuita, gratuitos, gratuitas, incluido, incluida",
    .percent = "por ciento",
    .rents = "alquiler mensualidad mensualidades",
    .currencies = "pesos",
};

}  // namespace mneme::rag::languages
