"""What asked.py has to know of English: verbs and their forms, little words, names, words that may stand for others.

No tagger is at hand, so a word is a verb only if it stands here: that misses sentences, and seldom takes a noun for a verb.
"""
import re

# base past participle; the participle is left out where it is the past form.
IRREGULAR = """become became become;begin began begun;bring brought;build built;buy bought;catch caught;choose chose chosen;come came come;
draw drew drawn;drive drove driven;eat ate eaten;fall fell fallen;feed fed;feel felt;fight fought;find found;flee fled;fly flew flown;
forbid forbade forbidden;forget forgot forgotten;freeze froze frozen;get got;give gave given;go went gone;grow grew grown;have had;hear heard;
hide hid hidden;hold held;keep kept;know knew known;lay laid;lead led;learn learned;leave left;lend lent;lose lost;make made;mean meant;
meet met;pay paid;ride rode ridden;rise rose risen;run ran run;say said;see saw seen;seek sought;sell sold;send sent;shake shook shaken;
shoot shot;show showed shown;sing sang sung;sink sank sunk;sit sat;sleep slept;speak spoke spoken;spend spent;stand stood;steal stole stolen;
strike struck;swear swore sworn;swim swam swum;take took taken;teach taught;tell told;think thought;throw threw thrown;understand understood;
wear wore worn;win won;write wrote written;undergo underwent undergone;overcome overcame overcome;break broke broken;bear bore born;
withdraw withdrew withdrawn;oversee oversaw overseen;arise arose arisen;shrink shrank shrunk;spring sprang sprung;lie lay lain;dig dug;
hang hung;bind bound;blow blew blown;wake woke woken;rebuild rebuilt;forgive forgave forgiven;tear tore torn"""
SAME = "put set cut hit let shut cost spread cast split read beat hurt"      # past like the base: taken for a verb behind a name only
REGULAR = """abandon abolish absorb accept accompany accuse achieve acquire act adapt add address adjust administer admit adopt advance
advise affect agree aid aim air allow alter announce appeal appear apply appoint approach approve argue arrange arrest arrive ascend ask
assassinate assemble assign assist assume attach attack attain attempt attend attract award ban base belong bomb border borrow bury
calculate call campaign cancel capture carry cause celebrate challenge change charge circulate claim classify climb close coach collapse collect
colonize combine command commission commit compare compete compile complete compose comprise conceive concern conclude conduct confirm connect
conquer consider consist construct consume contain continue contribute control convert convince cook cooperate copy cover crash create cross
crown damage dance date deal debut decide declare decline decorate decrease dedicate defeat defend define deliver demand demolish deny depart
depend depict deploy derive descend describe design designate destroy detect determine develop devise devote die differ direct disappear discover
discuss display dissolve distribute divide divorce dominate donate double drop earn edit educate elect eliminate emerge employ enable encounter
encourage end endorse engage enjoy enlist ensure enter equip erect escape establish estimate evolve examine exceed exchange execute exhibit exist
expand expect experience explain explode explore export express extend face fail feature fill film finance finish fire fix flow follow force form
found free function fund gain gather generate govern graduate grant guard guide handle happen head help help help hire host house
identify illustrate import impose improve include incorporate increase indicate influence inherit initiate injure inspire install intend
interview introduce invade invent invest investigate invite involve issue join judge jump kick kidnap kill label lack land last launch license
like limit link list live locate look love lower maintain manage manufacture march mark marry measure mention merge migrate monitor mount move
murder name narrate nominate note notice number obtain occupy occur offer open operate oppose order organize originate own paint park
participate pass perform permit pick place plan plant play point portray possess post power practice praise predict prefer prepare present preserve prevent
print proceed process proclaim produce prohibit promise promote propose prosecute protect prove provide publish pull purchase pursue push qualify
raise range rank rate reach realize receive recognize recommend record recover reduce refer reflect refuse regain regard register reign reject
relate release rely remain remember remove rename renew replace report represent require rescue reserve reside resign resist resolve respond rest restore
restrict result retain retire return reveal revise rule sail save score search secure select separate serve settle shape share shift sign
smoke solve sponsor start star state stay stop store stretch study submit succeed suffer suggest supervise supply support surrender surround survive
suspend switch talk target tend test tour trace trade train transfer transform translate transmit transport travel treat try turn unify
unite unveil use value vary view visit voice vote vow wait walk want warn wash watch widen wish witness work worship yield
accumulate bake boil borrow exclude excrete secrete stimulate regulate attribute baptize ordain canonize excavate dub enact ratify repeal amend
adjoin overlook span extend rhyme premiere relocate reopen redesign remake remix cofound co-write co-produce co-found"""
DOUBLED = "stop drop ban plan admit commit refer permit prefer transfer submit occur rely"
BE = {"is": "is", "are": "are", "was": "was", "were": "were"}
HAVE, MODALS = {"has", "have", "had"}, {"will", "can", "could", "would", "should", "may", "might", "must"}
ADVERBS = set("""also first originally later then now often usually still currently officially soon eventually finally initially recently
successfully primarily mainly widely generally previously formerly subsequently commonly largely again once always already immediately 
typically sometimes actually briefly quickly publicly formally jointly just only ever long""".split())


def _past(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in "aeou":
        return base[:-1] + "ied"
    return base + (base[-1] if base in DOUBLED.split() and not base.endswith("y") else "") + "ed"


def _third(base: str) -> str:
    if base in ("have", "do", "go"):
        return {"have": "has", "do": "does", "go": "goes"}[base]
    if base.endswith("y") and base[-2] not in "aeou":
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")


BASE_OF_PAST, PAST_OF_PARTICIPLE, PARTICIPLE_OF_PAST, BASE_OF_THIRD = {}, {}, {}, {}
for _line in IRREGULAR.split(";"):
    _forms = _line.split()
    _base, _p, _pp = _forms[0], _forms[1], _forms[-1]
    BASE_OF_PAST[_p], PAST_OF_PARTICIPLE[_pp], PARTICIPLE_OF_PAST[_p], BASE_OF_THIRD[_third(_base)] = _base, _p, _pp, _base
for _base in REGULAR.split():
    _p = _past(_base)
    BASE_OF_PAST[_p] = _base
    PAST_OF_PARTICIPLE[_p] = PARTICIPLE_OF_PAST[_p] = _p
    BASE_OF_THIRD[_third(_base)] = _base
for _base in SAME.split():
    PAST_OF_PARTICIPLE[_base] = PARTICIPLE_OF_PAST[_base] = _base
BASE_OF_PAST["found"] = "find"      # founded is found's own form
BASES = set(BASE_OF_THIRD.values())
for _word in ("born", "bore", "bound", "left", "united", "lay"):
    BASE_OF_PAST.pop(_word, None)
BASE_OF_PAST["left"] = "leave"
# Third persons that are plural nouns more often, so no verbs behind anything but a name.
NOUNS_TOO = set("""plays works names states forms uses stars records results schools supports covers ends houses ranks heads hosts lists marks
films tours shows runs places parks offers orders plants points posts powers prints processes ranges rates reports rules sails scores sets signs
starts studies supplies tests trades trains transfers turns values views visits voices votes walks watches changes charges claims closes
controls copies costs crosses dances dates deals demands designs drops estimates exports features fires fixes flows forces functions funds gains grants
guards guides helps imports increases influences interviews issues jumps judges kicks labels lacks lands limits links loves measures moves murders notes
numbers opens aims acts attacks attempts awards bans bases bombs borders calls causes challenges aids appeals approaches addresses advances
addresses experiences exchanges exhibits faces""".split())

PREPOSITIONS = set("""in on at by from to with for of as during after before since until under over between among near against into through about
within without along across around behind above below beyond despite towards toward upon throughout via following per outside inside off onto""".split())
BREAKS = set("""that which who whom whose where when while although though because if whether but however so unless than since how what why
until whereas""".split())
PRONOUNS = set("he she it they his her its their him them this these those that we our us i you your my me himself herself itself themselves there here one ones such both each other others another same".split())
DETERMINERS = set("the a an his her its their this that these those some any no all most many several each every both another".split())
STOP = PREPOSITIONS | BREAKS | PRONOUNS | DETERMINERS | set(BE) | HAVE | MODALS | ADVERBS | set("and or not did does do been being be it's".split())

MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
YEAR = r"(?:1[0-9]{3}|20[0-2][0-9])"
DATE = re.compile(rf"(?:the )?(?:(?:early|late|mid)[- ])?(?:\d{{1,2}} (?:{MONTHS})(?: {YEAR})?|(?:{MONTHS}) \d{{1,2}}(?:, {YEAR})?|(?:{MONTHS}) {YEAR}|(?:the )?{YEAR}s?|"
                  rf"(?:the )?\d\d(?:st|nd|rd|th) century|(?:(?:spring|summer|autumn|fall|winter) of )?{YEAR})(?: BC| AD)?$")
SPOKEN = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty hundred".split()
NUMBER = re.compile(r"(?:\$|£|€)?\d[\d,.]*$|(?:" + "|".join(SPOKEN) + r")$", re.I)
UNITS = {"years": "how long", "months": "how long", "weeks": "how long", "days": "how long", "hours": "how long", "minutes": "how long",
         "miles": "how far", "kilometres": "how far", "kilometers": "how far", "km": "how far"}

ROLES = set("""president king queen emperor director author writer composer founder leader chairman chief minister governor mayor captain commander
coach manager editor producer owner head secretary ambassador bishop archbishop pope ruler sultan prince princess duke earl
creator inventor designer architect singer drummer guitarist bassist vocalist host presenter wife husband father mother son daughter brother sister
winner champion capital headquarters successor predecessor speaker principal dean chancellor patron judge sponsor publisher developer""".split())
JOBS = set("""actor actress singer songwriter writer author poet novelist politician diplomat footballer player coach director screenwriter producer composer
musician painter artist architect lawyer engineer scientist physicist chemist mathematician philosopher economist journalist historian
soldier officer general admiral king queen prince princess emperor bishop priest cardinal monk businessman businesswoman entrepreneur dancer model
comedian cricketer swimmer cyclist boxer wrestler golfer racer driver skier athlete runner judge teacher professor explorer inventor
statesman nobleman noblewoman aristocrat theologian sculptor illustrator photographer cinematographer editor conductor pianist violinist
guitarist drummer rapper saxophonist trumpeter presenter broadcaster activist civil-servant biologist botanist zoologist geologist
astronomer psychologist physician surgeon critic scholar translator playwright dramatist filmmaker""".split())
NATIONS = set("""American British English Scottish Welsh Irish French German Italian Spanish Portuguese Dutch Belgian Swiss Austrian Danish Swedish Norwegian
Finnish Icelandic Russian Polish Czech Slovak Hungarian Romanian Bulgarian Greek Turkish Serbian Croatian Slovene Slovenian Ukrainian Indian
Pakistani Bangladeshi Chinese Japanese Korean Thai Vietnamese Indonesian Malaysian Filipino Australian Canadian Mexican Brazilian Argentine
Chilean Peruvian Colombian Venezuelan Cuban Egyptian Iranian Persian Iraqi Israeli Lebanese Syrian Moroccan Algerian Nigerian Ghanaian Kenyan
Ethiopian Roman Estonian Latvian Lithuanian Georgian Armenian Albanian""".split())
LANGUAGES = set("English French German Italian Spanish Portuguese Dutch Danish Swedish Norwegian Finnish Russian Polish Czech Hungarian Greek Turkish Hindi Telugu Tamil Malayalam Kannada Bengali Marathi Punjabi Urdu Chinese Mandarin Cantonese Japanese Korean Thai Arabic Persian Hebrew Latin".split())
WORKS = set("film movie song album novel book series show play opera musical poem single game story episode painting comedy drama thriller documentary western horror".split())
ORGANISATION = set("""University College Company Inc Corporation Club Party Army Navy Association Council Committee Government Ministry Court Congress Parliament
Senate Union League Society Institute Foundation Bank Group Records Studios Pictures Church Agency Department Board Commission Federation Team
United School Orchestra Band Press Entertainment Network Company Brothers Airlines Force Police Office""".split())
PLACE_WORDS = set("""River Lake Mount Mountain City County Island Islands Street Park Bay Valley Sea Ocean Bridge Road Castle Palace Hall Square Airport
Station Hospital Cathedral Town Village Province District Region Desert Peninsula Canal Avenue Beach Hill Hills Mountains Coast Territory Stadium
Theatre Cemetery House Museum Building Tower Center Centre Arena""".split())
PLACES = set("""England Scotland Wales Ireland Britain France Germany Italy Spain Portugal Netherlands Belgium Switzerland Austria Denmark Sweden Norway Finland
Iceland Russia Poland Hungary Romania Bulgaria Greece Turkey Serbia Croatia Slovenia Ukraine India Pakistan Bangladesh China Japan Korea Thailand
Vietnam Indonesia Malaysia Philippines Singapore Australia Canada Mexico Brazil Argentina Chile Peru Colombia Venezuela Cuba Egypt Iran Iraq Israel Lebanon
Syria Morocco Algeria Nigeria Ghana Kenya Ethiopia Africa Asia Europe America London Paris Berlin Rome Madrid Vienna Moscow Tokyo Beijing Shanghai Delhi
Mumbai York Angeles Chicago Boston Washington Philadelphia California Texas Florida Virginia Pennsylvania Ohio Illinois Massachusetts
Michigan Georgia Carolina Jersey Maryland Louisiana Kentucky Tennessee Alabama Mississippi Missouri Indiana Wisconsin Minnesota Iowa Kansas Nebraska Dakota
Colorado Utah Nevada Arizona Oregon Montana Idaho Wyoming Oklahoma Arkansas Maine Vermont Hampshire Connecticut Hawaii Alaska Ontario Quebec Toronto
Montreal Vancouver Sydney Melbourne Zealand Edinburgh Glasgow Dublin Manchester Liverpool Birmingham Oxford Cambridge Amsterdam Brussels Milan Venice Florence
Naples Prague Budapest Warsaw Stockholm Copenhagen Oslo Helsinki Munich Hamburg Istanbul Cairo Jerusalem States Kingdom Hollywood Brooklyn Manhattan Dallas Houston
Atlanta Seattle Detroit Miami Havana Hong Kong Taiwan Siberia""".split())
PLACE_VERBS = set("born located situated died based live lived held buried educated filmed shot built headquartered found moved settled raised emigrated grew opened set resided retired lies stands arrived landed studied baptized built founded established".split())
FIRST_NAMES = set("""John James Robert William Charles George Thomas Henry Edward Richard David Michael Joseph Peter Paul Mark Daniel Stephen Steven Andrew
Anthony Brian Kevin Martin Simon Frank Frederick Fred Albert Alfred Arthur Harry Jack Walter Louis Samuel Benjamin Alexander Nicholas Philip Patrick
Mary Anne Anna Elizabeth Margaret Jane Sarah Catherine Katherine Alice Emma Helen Maria Marie Susan Linda Barbara Nancy Julia Laura Emily
Charlotte Victoria Diana Grace Ruth Rose Lucy Kate Karen Lisa Jennifer Jessica Amy Rachel Rebecca Hans Karl Franz Friedrich Wilhelm Johann
Heinrich Otto Jean Pierre Jacques François Henri Claude Marcel Giovanni Giuseppe Antonio Marco Luigi Carlo José Juan Carlos Luis Miguel Pedro Francisco
Vladimir Ivan Nikolai Sergei Boris Alexei Mikhail Ali Mohammed Muhammad Ahmed Hassan Kumar Raj Tom Tim Bob Bill Jim Joe Ben Sam Dan Matt Chris Mike Steve
Jeff Ed Ted Tony Billy Bobby Jimmy Johnny Eric Adam Alan Allen Carl Roger Ronald Donald Kenneth Larry Jerry Gary Scott Ryan Jason Justin Oliver Stanley
Ralph Roy Leonard Lawrence Howard Harold Herbert Hugh Edgar Edmund Eugene Ernest Francis Graham Gordon Douglas Dennis Craig Colin Christian Christopher""".split())
PERSONS = set("""man men woman women boy boys girl girls person people child children stranger doctor gentleman gentlemen lady ladies inhabitant servant
friend guest visitor clerk peasant sailor nurse maid butler inspector policeman officer sergeant lieutenant lad fellow youth widow uncle aunt
cousin nephew niece parent patient traveller traveler merchant farmer hunter chief pilot driver lawyer attorney member student pupil worker crowd
researcher critic voter citizen player fan viewer resident settler owner creature baby baron baroness count countess abbot vicar parson
landlord landlady housekeeper cook coachman messenger spy thief prisoner giant wizard witch scientist investigator author defender striker
goalkeeper captain candidate band crew company team army government husband wife father mother son daughter brother sister king queen pope emperor
police committee family group consumer firm household buyer seller economist manager employee""".split())
NO_SUBJECT = set("early only even then thus here now everywhere meanwhile instead both not yet still perhaps maybe indeed consequently likewise none half just".split())
HONOURS = set("Mr. Mrs. Miss Dr. Sir Lord Lady King Queen Prince Princess President Pope Saint St. Captain General Professor Emperor Judge Senator Father Colonel Count Duke Major Aunt Uncle Madame Monsieur".split())

# Words a question may use for those of the text; several may be right, none must change what is meant.
SYNONYMS = {"film": ["movie"], "movie": ["film"], "novel": ["book"], "founded": ["started", "established", "set up"], "established": ["founded", "set up", "created"],
            "constructed": ["built"], "located": ["situated", "found"], "situated": ["located"], "purchased": ["bought"], "assassinated": ["killed", "murdered"],
            "murdered": ["killed"], "began": ["started"], "begin": ["start"], "commenced": ["began"], "started": ["began"], "produced": ["made"], "created": ["made", "came up with"],
            "approximately": ["about"], "received": ["got"], "receive": ["get"], "obtained": ["got"], "obtain": ["get"], "won": ["won"],
            "defeated": ["beat"], "defeat": ["beat"], "portrayed": ["played"], "portray": ["play"], "portrays": ["plays"], "television": ["tv"], "United States": ["us", "usa", "america"],
            "United Kingdom": ["uk", "britain"], "attended": ["went to"], "attend": ["go to"], "resides": ["lives"], "resided": ["lived"],
            "wed": ["married"], "relocated": ["moved"], "relocate": ["move"], "concluded": ["ended"], "conclude": ["end"], "elected": ["chosen"], "captured": ["taken", "seized"],
            "erected": ["built", "put up"], "erect": ["build"], "destroyed": ["ruined"], "appointed": ["named", "made"], "largest": ["biggest"],
            "principal": ["main"], "primary": ["main"], "children": ["kids"], "individuals": ["people"], "persons": ["people"], "assisted": ["helped"], "assist": ["help"],
            "utilized": ["used"], "required": ["needed"], "require": ["need"], "requires": ["needs"], "acquired": ["bought", "got"], "acquire": ["buy", "get"],
            "introduced": ["brought in"], "introduce": ["bring in"], "developed": ["made", "created"], "invented": ["came up with"], "initiated": ["started"], "discovered": ["found"],
            "discover": ["find"], "performed": ["played"], "select": ["choose"], "selected": ["chosen"], "nominated": ["put forward"], "residence": ["home"],
            "automobile": ["car"], "aircraft": ["plane"], "physician": ["doctor"], "attorney": ["lawyer"], "vessel": ["ship"], "location": ["place"], "occurred": ["happened", "took place"],
            "occur": ["happen", "take place"], "commander": ["leader"], "remained": ["stayed"], "remain": ["stay"], "entered": ["went into"], "departed": ["left"], "depart": ["leave"],
            "constitutes": ["makes up"], "comprises": ["is made up of"], "premiered": ["came out"], "manufactured": ["made"], "designed": ["created"], "big": ["large"],
            "renamed": ["called"], "titled": ["called"], "entitled": ["called"], "inhabitants": ["people"], "residents": ["people"], "soccer": ["football"], "replaced": ["took the place of"],
            "approved": ["accepted"], "demolished": ["torn down"], "retained": ["kept"], "retain": ["keep"], "reside": ["live"], "assumed": ["took"], "ascended": ["came to"], "achieved": ["reached"],
            "achieve": ["reach"], "contains": ["has", "holds"], "contain": ["have", "hold"], "consists": ["is made up"], "possessed": ["had"], "possesses": ["has"], "possess": ["have"],
            "provides": ["gives"], "provided": ["gave"], "provide": ["give"], "sought": ["wanted"], "mother": ["mom"], "father": ["dad"],
            "wrote": ["penned"], "married": ["wed"], "marry": ["wed"], "war": ["conflict"], "battle": ["fight"], "city": ["town"], "village": ["place"], "company": ["firm"],
            "firm": ["company"], "song": ["track"], "album": ["record"], "show": ["series"], "series": ["show"], "house": ["home"], "picture": ["image"],
            "said": ["stated"], "stated": ["said"], "told": ["informed"], "informed": ["told"], "asked": ["wanted to know from"], "wanted": ["wished"], "looked": ["gazed"],
            "look": ["gaze"], "returned": ["came back", "went back"], "return": ["come back", "go back"], "moved": ["went to live"], "travelled": ["went"], "traveled": ["went"],
            "arrived": ["came"], "arrive": ["come"], "reached": ["got to"], "reach": ["get to"], "placed": ["put"], "place": ["put"], "kept": ["held on to"], "carried": ["took along"],
            "carry": ["take along"], "threw": ["tossed"], "seized": ["grabbed"], "struck": ["hit"], "strike": ["hit"], "spoke": ["talked"], "speak": ["talk"], "quickly": ["fast"],
            "large": ["big"], "great": ["big"], "small": ["little"], "little": ["small"], "ancient": ["old"], "entire": ["whole"], "whole": ["entire"],
            "important": ["major"], "major": ["important"], "famous": ["well known"], "difficult": ["hard"], "rapid": ["fast"], "beautiful": ["pretty"], "huge": ["giant"], "additional": ["extra"],
            "initial": ["first"], "final": ["last"], "average": ["mean"], "annual": ["yearly"], "worldwide": ["around the world"], 
            "increased": ["went up", "raised"], "decreased": ["went down", "reduced"], "reduces": ["lowers"], "reduced": ["lowered"], "reduce": ["lower"], "shows": ["displays"],
            "showed": ["revealed"], "show": ["reveal"], "revealed": ["showed"], "suggests": ["hints at"], "suggested": ["proposed"], "proposed": ["suggested"], "propose": ["suggest"],
            "uses": ["employs"], "used": ["employed"], "supports": ["backs"], "supported": ["backed"], "support": ["back"], "prevents": ["stops"], "prevent": ["stop"], "prevented": ["stopped"],
            "causes": ["leads to", "brings about"], "caused": ["led to", "brought about"], "cause": ["lead to", "bring about"], "produces": ["makes"], "produce": ["make"],
            "forms": ["makes up"], "formed": ["created", "set up"], "form": ["make up"], "connects": ["links", "joins"], "connected": ["linked", "joined"], "connect": ["link", "join"],
            "surrounded": ["enclosed"], "controlled": ["run"], "controls": ["runs"], "commanded": ["led"], "governed": ["ruled"], "ruled": ["governed"], "joined": ["became a member of"],
            "join": ["become a member of"], "resigned": ["stepped down"], "resign": ["step down"], "retired": ["stopped working"], "retire": ["stop working"], "invaded": ["attacked"], "invade": ["attack"],
            "conquered": ["took over"], "conquer": ["take over"], "employs": ["hires"], "employed": ["hired"], "employ": ["hire"], "announced": ["made known"], "announce": ["make known"],
            "abandoned": ["given up"], "completed": ["finished"], "complete": ["finish"], "finished": ["completed"], "finish": ["complete"], "opened": ["started up"], "closed": ["shut"],
            "close": ["shut"], "called": ["named"], "named": ["called"], "known as": ["called"], "described": ["portrayed"], "considered": ["thought"], "consider": ["think of"],
            "regarded": ["seen"], "allows": ["lets"], "allowed": ["let"], "allow": ["let"], "needs": ["requires"], "wants": ["wishes for"], "chose": ["picked"], "choose": ["pick"],
            "recorded": ["taped"], "record": ["tape"], "debuted": ["first appeared"], "debut": ["first appear"], "appear": ["show up"], "starred": ["acted"],
            "star": ["act"], "served": ["worked"], "serve": ["work"], "taught": ["gave lessons in"], "studied": ["learned"], "study": ["learn about"], "earned": ["got"], "earn": ["get"],
            "bought": ["purchased"], "buy": ["purchase"], "destroy": ["ruin"], "injured": ["hurt"], "injure": ["hurt"],
            "permitted": ["allowed"], "permit": ["allow"], "prohibited": ["banned"], "prohibit": ["ban"], "adopted": ["taken up"], "adopt": ["take up"],
            "expanded": ["grown"], "expand": ["grow"], "declared": ["proclaimed"], "declare": ["proclaim"], "organized": ["arranged"], "organize": ["arrange"], 
            "launched": ["started"], "launch": ["start"], "derived": ["taken"], "originated": ["came"], "originate": ["come"], "boundary": ["border"], "border": ["boundary"], "ocean": ["sea"], "road": ["street"],
            "street": ["road"], "shop": ["store"], "forest": ["woods"], "soldiers": ["troops"], "troops": ["soldiers"], "illness": ["disease"], "disease": ["illness"], "medicine": ["drug"],
            "baby": ["infant"], "spouse": ["partner"], "career": ["working life"], "role": ["part"], "character": ["figure"], "award": ["prize"], "prize": ["award"], "match": ["game"],
            "championship": ["title"], "season": ["year"], "goal": ["aim"], "method": ["way"], "nation": ["country"], "country": ["nation"], 
            "area": ["region"], "region": ["area"], "capital city": ["capital"], "income": ["earnings"], "prices": ["costs"], "price": ["cost"], "money": ["cash"], "workers": ["employees"],
            "employees": ["workers"], "goods": ["products"], "firms": ["companies"], "companies": ["firms"], "patients": ["sick people"], "wife": ["spouse"], "husband": ["spouse"]}
for _word in "place show support cause form record star close look strike study debut permit asked season state serve chose wants used".split():
    SYNONYMS.pop(_word, None)                   # as often a noun, or another verb's sense
PASSIVE_ONLY = {"taken up", "given up", "grown", "seen", "run", "enclosed", "banned", "chosen", "taken", "torn down", "situated", "found"}        # stand for participles only
ACTIVE_ONLY = {"went up", "went down", "came back", "went back", "went", "came", "became a member of", "stepped down", "stopped working", "took along", "penned", "went to live", "first appeared", "wanted to know from", "gave lessons in", "got to", "held on to", "started up", "took over", "made up", "got", "wrote", "beat", "took the place of", "came up with", "came out", "gave", "went to", "kept"}
