// Spanish.
#include "rag/text/languages/notes.h"

namespace mneme::rag::notes {

const NoteTexts kSpanish = {
    .digit_groups = ".",
    .not_said = "Los documentos no lo dicen.",
    .parts_not_said = "Los documentos no lo dicen: {parts}",
    .rows_not_reckoned = "Se citan filas, no se calcula nada con ellas",
    .rows_added_up = "Filas sumadas: {n}",
    .rows_counted_once = "Filas que están en varios documentos, contadas una vez: {n}",
    .payments_compared = "Pagos comparados: {n}",
    .payments_averaged = "Pagos promediados: {n}",
    .bills_added_up = "Facturas sumadas: {n}",
    .no_payments = "ni tablas ni facturas hablan de tales pagos",
    .only_quoted = "Solo citas: {why}",
    .no_such_source = "La respuesta menciona [{n}], que no es ninguna fuente",
    .listed_about = "{n} de {all} documentos que hablan de ello; `mneme search` encuentra los demás",
    .listed_dated = "{n} de {all} documentos",
    .listed_tasks = "{n} de {all} tareas",
    .no_task_open = "No queda nada de esto por hacer",
    .by_file_date = "«modificado»: el documento no indica fecha, en su lugar figura la del último cambio del archivo",
    .dated = "con fecha {date}",
    .named = "según su nombre {date}",
    .changed = "modificado {date}",
    .taken_in = "añadido {date}",
    .held = "{collection}: documentos: {documents}, pasajes: {passages}, de {folders}.",
    .gist_read = "Se leyeron {n} de los {all} pasajes de {document}: el principio y otros a distancias iguales",
    .also_called = "También se llaman así: {others}",
    .which_document = "No está claro de qué documento se trata; indique su título o su archivo",
    .no_page = "{document} no tiene página {page}",
    .not_all_with = "Nada responde a toda la pregunta con «{word}»; se buscó «{other}»",
    .no_passage_says = "Ningún pasaje dice «{word}»; se buscó «{other}»",
    .looked_for = "Se buscó «{other}»",
    .no_vectors =
        "La colección {collection} aún no tiene vectores de {embedder}; mientras se crean se busca solo por palabras; "
        "`mneme index` los crea enseguida",
    .not_reranked = "Sin reordenar por {by}: {why}",
    .no_date = "{filter} no es una fecha (AAAA-MM-DD, AAAA-MM o AAAA), así que se buscó como palabras",
    .no_filter = "{filter} no indica nada por lo que filtrar, así que se buscó como palabras",
    .repeats_left_out = "Pasajes omitidos por repetir casi otros mejores: {n}",
    .no_match = "Ningún documento cumple {filters}",
    .either = " o ",
    .no_match_of_all = "Ningún documento cumple a la vez {filters}",
    .no_passage_of_match = "En los documentos que cumplen {filters}, ningún pasaje corresponde a estas palabras",
    .nothing_goes_with = "Nada corresponde a estas palabras; pruebe con otras.",
    .collection_empty = "La colección {collection} aún no contiene documentos.",
    .nothing_indexed = "Aún no se ha leído ningún documento; `mneme index CARPETA` los añade.",
    .welcome = "De nada.",
    .greeting = "¡Hola! ¿Qué quiere saber?",
    .caches_not_measured =
        "Las cachés de este modelo aún no se han medido, por eso se calculó todo; `mneme model add ARCHIVO` las mide "
        "una vez",
    .being_tried_out = "Este modelo se está probando, por eso se calculó todo; las próximas respuestas empezarán antes",
    .caches_differ =
        "Este modelo responde de otra manera con cachés reparadas (KL {kl}, {percent} % de los tokens más probables "
        "iguales con una parte de {share}), por eso se calcula todo; --recompute R lo pasa por alto",
    .goal_had_no_say = "El objetivo de tiempo no tuvo efecto, porque se calculó todo",
    .ends_in_middle = "La respuesta se corta a la mitad: {why}",
    .still_thinking =
        "El modelo no llegó a ninguna respuesta con los {n} tokens que puede pensar; haga una pregunta más concreta o "
        "use un modelo que responda enseguida",
    .turns_left_out = "Turnos anteriores omitidos por falta de espacio: {n}",
    .passages_left_out = "{n} de {all} pasajes no cabían en el contexto del modelo y se omitieron",
    .passage_cut = "El primer pasaje se recortó a {n} de {all} tokens para que cupiera en el contexto del modelo",
    .cache_recomputed = "Una caché KV guardada no servía y se calculó de nuevo: {why}",
};

}  // namespace mneme::rag::notes
