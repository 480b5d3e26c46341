// Spanish.
#include "rag/text/languages/document_words.h"

namespace mneme::rag::documents {

const DocumentWords kSpanish = {
    .kinds = {.document = {"documento archivo fichero", "documentos archivos ficheros"},
              .text = {"texto libro página capítulo carta", "textos libros páginas"},
              .invoice = {"factura", "facturas"},
              .receipt = {"recibo", "recibos"},
              .contract = {"contrato acuerdo", "contratos acuerdos"},
              .licence = {"licencia", "licencias"},
              .letter = {"carta", "cartas"},
              .mail = {"correo mensaje", "correos mensajes"},
              .report = {"informe", "informes"},
              .article = {"artículo", "artículos"},
              .policy = {"póliza", "pólizas"},
              .certificate = {"certificado", "certificados"},
              .statement = {"extracto", "extractos"},
              .minutes = {"acta", "actas"},
              .manual = {"manual", "manuales"},
              .offer = {"oferta presupuesto", "ofertas presupuestos"},
              .note = {"nota", "notas"},
              .recipe = {"receta", "recetas"},
              .form = {"formulario", "formularios"},
              .presentation = {"presentación", "presentaciones"},
              .cv = {"currículum", ""},
              .notice = {"aviso", "avisos"},
              .payslip = {"nómina", "nóminas"}},
    .lead =
        "cuál cuáles qué es son fue muéstrame muestra enséñame dame busca encuentra abre lista listar por favor el la "
        "los las mi mis nuestro nuestra todos todas todo de del en me ver quiero",
    .closing = "por favor",
    .articles = "el la los las un una mi mis del",
    .joins = "de del la el los las por sobre para a al con que en son es hay tengo",
    .of = "de del",
    .asking = "cuándo quién cómo dónde qué cuál",
    .newest =
        "más reciente, más recientes, última, último, últimas, últimos, más nueva, más nuevo, más nuevas, más "
        "nuevos",
    .oldest = "más antigua, más antiguo, más antiguas, más antiguos, más vieja, más viejo, más viejas, más viejos",
    .told =
        "total importe número fecha precio saldo nombre autor título página páginas suma alquiler sueldo dirección "
        "iva",
    .changed =
        "cambié cambiado modifiqué modificado modificados modificadas edité editado editados escribí escrito escritos "
        "guardé guardado creé creado creados cambiados cambiaron modificaron editaron modificó actualizaron",
    .taken_in = "añadí añadido añadidos agregué agregado agregados importé importados indexados",
    .doing = "he hemos yo que fueron han sido se",
    .last_done = "últimamente recientemente",
    .listing = "lista listar muestra muéstrame todos todas",
    .how_many = "cuántas, cuántos",
    .have = "tengo, tenemos, hay, tengo yo",
    .held = "cuántos # tengo, cuántos # hay, qué # tienes, qué # hay, lista todos los #, muestra todos los #",
    .which = "qué cuáles cuál lista muestra busca en",
    .telling =
        "mencionan, menciona, hablan de, hablan del, habla de, habla del, contienen, contiene, tratan de, tratan "
        "del, sobre, acerca de, se refieren a",
    .where_mentioned = "dónde se",
    .mentioned = "menciona mencionan mencionado mencionada",
    .finding = "busca, abre, encuentra, muéstrame, muestra, dónde está, dónde están",
    .writers =
        "quién me escribió sobre #, quién me escribió por #, quién me ha escrito sobre #, quién me ha escrito por #, "
        "quién nos escribió sobre #, quién nos ha escrito sobre #, quién nos ha escrito por #, quién me mandó un "
        "correo sobre #, quién me envió una carta sobre #, quién me escribió, quién me ha escrito, quién me escribió "
        "acerca de #, quién me ha escrito acerca de #",
    .gist =
        "de qué trata #, de qué tratan #, de qué habla #, resume el #, resume la #, resume los #, resume las #, resume "
        "mi #, resume este #, resumir #, resumen de #, resumen del #, resumen #, # resumen, qué dice #",
    .around = "por favor puedes un breve me en",
    .this_one = "esto eso este",
    .sections = "sección cláusula capítulo artículo párrafo apartado",
    .annexes = "anexo apéndice",
    .place_asking = "qué dice, qué contiene, qué pone, qué hay en",
    .page = "página",
    .showing = "lee muestra dice pone contenido contiene y más",
    .ordinals =
        "primero primera, segundo segunda, tercero tercera, cuarto cuarta, quinto quinta, sexto sexta, séptimo "
        "séptima, octavo octava",
    .last_one = "último última",
    .numbered = "número",
    .tasks =
        {.tasks = "tareas, lista de tareas, lista de pendientes, pendientes, cosas por hacer, por hacer, to do list, "
                  "todo list, todos pendientes",
         .headings = "por hacer, tareas pendientes, pendientes, puntos pendientes, pendiente, to do, todo",
         .open = "pendientes pendiente abiertas sin quedan queda falta faltan aún todavía",
         .done = "hechas terminadas terminada completadas acabadas hecho terminado listas realizadas ya",
         .all = "todas todos",
         .around = "tengo tenemos que he hemos hay me nos mi mis nuestra en de por hacer debo debemos qué cuáles son "
                   "es está están",
         .asking_open =
             "qué me queda por hacer, qué queda por hacer, qué nos queda por hacer, qué me falta por hacer, qué falta "
             "por hacer, qué tengo que hacer, qué tengo que hacer todavía, qué tengo pendiente, qué tenemos que hacer, "
             "qué tenemos pendiente, qué debo hacer todavía, qué hay que hacer, qué hay pendiente, qué está pendiente",
         .asking_done = "qué he hecho, qué he terminado, qué hice, qué terminé, qué está hecho, qué hemos hecho, qué "
                        "ya está hecho"},
};

}  // namespace mneme::rag::documents
