"""Words of languages that say nothing about what a text is about."""

from __future__ import annotations

from typing import Final

FUNCTION_WORDS: Final = {
    "danish": """
        aldrig allerede altid andet andre bare begge blandt dine dit endnu eneste enhver enten
        faktisk flere fleste foran fordi forrige før gennem helt hvem hver hvert hvilke hvilken
        hvilket hvordan hvorfor hvorimod hvornår ifølge imellem imod ingen intet jeres kun langs
        lidt lige mellem mens mere mest mindre måske nej næste næsten ofte omkring overfor samme
        samt seks selvom ser siden således tre trods uden udover ved vores
    """,
    "dutch": """
        aangaande aangezien achter achterna afgelopen aldus alhoewel allebei alleen alsnog ander
        anders anderzijds behalve beide beiden beneden bent betreffende bijna bijv binnen
        blijkbaar boven bovendien buiten daarbij daardoor daarin daarmee daarna daarnaast daarom
        daarop daaruit daarvan daarvoor deden deed derde derhalve dezelfde dikwijls doet drie
        echter eer eerder eerst eerste eigen eigenlijk elk elkaar elke enerzijds enig enige
        enigszins enkel enkele erg ergens etc eveneens evenwel gedurende gehad genoeg geworden
        hadden hare hebt heel hemzelf hen hetzelfde hierbij hierdoor hierin hiermee hierna
        hierom hierop hiervan hiervoor hoewel ieder iedere iedereen inclusief inderdaad
        inmiddels intussen inzake jezelf jij jijzelf jou jouw jouwe juist jullie konden
        krachtens kunt laatste later liever mag meerdere meest meestal mezelf middels mijzelf
        minder minstens misschien mits mocht mochten moest moesten moeten mogelijk mogen naast
        nabij nadat namelijk nergens niemand noch nogal nooit ofschoon ofwel omtrent ondanks
        ondertussen ongeveer onszelf onze ooit opnieuw overal overigens per precies rond rondom
        samen sedert sinds sindsdien slechts sommige soms steeds tamelijk tegelijk tegenover
        tenminste tenzij terwijl tevens thans tijdens totdat tussen twee tweede uiteindelijk
        vaak vanaf vanuit vanwege verder verschillende vervolgens via vier vijf voldoende
        volgens vooral vooralsnog voordat voorts vrij waarbij waardoor waarin waarmee waarna
        waarom waaronder waarop waarschijnlijk waaruit waarvan waarvoor wanneer wederom weer
        wegens weinig weldra welk welke werden wiens wijze wilde wilden willen word zelfs
        zichzelf zijne zoals zodat zodra zouden zowat zowel zulk zulke zullen zult
    """,
    "french": """
        afin ailleurs ainsi apres assez aucune aucunement aujourd auparavant auprès auquel
        autant autour autrefois autrement autrui auxquelles auxquels beaucoup bientôt celle
        celles celui cependant certain certaine certaines certains certes chacun chacune cinq
        combien davantage delà desormais desquelles desquels deuxième devra devraient divers
        diverses dix doivent dorénavant duquel déjà désormais enfin ensuite etc faisant façon
        grâce hui huit hélas jadis jamais jusqu laquelle lequel lesquelles lesquels longtemps
        lorsque mien mienne miennes miens mieux moindre mêmes naguère neuf nombreuses nombreux
        non notamment nul nulle néanmoins nôtre nôtres onze parfois partout peuvent peux plutôt
        pourra pourraient pourrait pourront pourtant pouvait presque près puisque puisse
        puissent quant quatre quelconque quelqu quelque quelques quiconque quoi quoique rien
        sein sept seul seule seules seuls sienne siennes siens sinon sitôt six souvent suite
        surtout tant tantôt tard tel telle telles tien tienne tiennes tiens toujours toute
        toutefois travers trois troisième voire vôtre vôtres également
    """,
    "german": """
        abermals acht achten allerdings allzu andererseits anfangs angesichts anhand anlässlich
        anscheinend ansonsten anstatt anstelle aufgrund ausschließlich ausser ausserdem
        ausserhalb außen außer außerdem außerhalb bald beide beiden beider beiderseits beides
        beim beinahe beispielsweise bereits besonders bestenfalls bevor bezüglich bisher
        bisherige bisherigen bislang bisweilen bloß bzw dabei dafür dagegen dahin dahinter
        damals danach daneben dank daran darauf daraufhin daraus darf darfst darin darunter
        darüber dasjenige davon davor dazwischen dementsprechend demgegenüber demgemäß demnach
        demzufolge denen dennoch derart deren derjenige derjenigen derzeit desto deswegen
        diejenige diejenigen diesbezüglich diesmal diesseits diverse diversen drei dritte
        dritten dritter drittes durchaus durfte durften dürfen dürft dürfte dürften eben
        ebenfalls ebenso ehe eher eigen eigene eigenen eigener eigenes eigentlich einander
        einerseits einigermaßen eins einschließlich einst einstweilen einzelne einzelnen
        einzelner entgegen entlang entsprechend entsprechende entsprechenden entsprechender
        entweder erneut erst erste ersten erster erstes etliche etlichen etwa etwaige etwaigen
        falls fast ferner folgend folgende folgenden folgender folgendes folglich freilich fünf
        ganz ganze ganzen ganzer ganzes gar gegebenenfalls gegenüber gehabt gemäß genau genug
        gerade gern gerne geworden gibt gleich gleichermaßen gleichfalls gleichwohl gleichzeitig
        hast her herab heran herauf heraus herbei herein herum herunter hervor heute hierauf
        hieraus hierbei hierdurch hierfür hierin hiermit hierunter hiervon hierzu hinab hinauf
        hinaus hinein hingegen hinsichtlich hinterher hinweg hinzu hätte hätten hättest
        höchstens immer immerhin indes indessen infolge infolgedessen inmitten innerhalb
        insbesondere insgesamt insofern insoweit inwiefern inwieweit inzwischen irgend irgendein
        irgendeine irgendwann irgendwas irgendwelche irgendwie irgendwo jedenfalls jederzeit
        jedoch jemals jemand jemandem jemanden jenseits jeweilige jeweiligen jeweiliger jeweils
        kaum keinerlei keineswegs konnte konnten könnten könntest kürzlich lange lediglich
        letzte letzten letztendlich letzter letztere letzteren letztes letztlich längst mag
        magst manchmal mangels mehr mehrere mehreren mehrerer mehrfach mehrmals meist meiste
        meisten meistens mindestens mithilfe mithin mitsamt mittels mittlerweile mitunter mochte
        mochten mussten möchte möchten möchtest mögen möglicherweise mögt müsst müsste müssten
        namens natürlich neben nebenbei nebst neuerdings neun nie niemals niemand niemandem
        niemanden nirgends nirgendwo normalerweise oben oberhalb obgleich obschon obwohl oft
        oftmals ohnehin rund samt schlichtweg schließlich schon sechs sei seien seit seitdem
        seitens seither selber selten seltsamerweise sieben sobald sodann sodass sofern sofort
        sogar sogenannte sogenannten sogenannter solange sollten somit sonstige sonstigen sooft
        soviel sowieso sowohl später spätestens statt stattdessen stets teils teilweise trotz
        trotzdem umgehend umso ungeachtet ungefähr unlängst unterdessen unterhalb unweit usw
        verschiedene verschiedenen verschiedener viele vielem vielen vieler vielerlei vielfach
        vielleicht vielmals vielmehr vier vollends voran vorbei vorerst vorher vorhin vormals
        völlig wart weder wegen weiteren weiterer weiteres weiterhin weitgehend wem wen wenig
        wenige wenigen weniger wenigstens wennschon wessen wiederum willst wirklich wobei
        wodurch wofür wogegen wohingegen wohl wollt wollten womit womöglich wonach woran worauf
        woraufhin woraus worden worin worum worüber wovon wovor wozu wurde wurden wurdest
        währenddem währenddessen wäre wären wärest wäret wärst würdest würdet zehn zeitweise
        ziemlich zudem zuerst zufolge zugleich zugunsten zuletzt zuliebe zumal zumeist zumindest
        zunächst zurück zusammen zusätzlich zuungunsten zuvor zuweilen zwecks zwei zweifellos
        zweite zweiten zweitens zweiter zweites zwölf öfter überall überdies überhaupt übrigens
    """,
    "italian": """
        abbastanza affinché alcuna alcune alcuni almeno altrimenti altrove altrui anzi anziché
        appena attraverso avanti avente aver benché bensì caso causa cento certa certe certi
        certo chiunque ciascun ciascuna ciascuno cioe cioè circa ciò coloro colui comunque così
        davanti davvero dovrebbe dovrebbero dovrà dovunque dovuto dunque ecc ella entrambe
        entrambi eppure essa esse essi esso fa finché finora forse già gliela gliele glieli
        glielo gliene grazie infatti infine inoltre insieme intanto intorno laddove lontano
        magari medesimo mediante meno mentre molte moltissimo nemmeno neppure nessun nessuna
        nessuno niente nondimeno nulla ognuna ognuno oppure ossia parecchi parecchie parecchio
        perchè perciò perfino persino piuttosto poche poiché possa possono poteva potrebbe
        potrebbero potrà presso propri propria proprie proprio purché purtroppo può qualcosa
        qualcuna qualora qualsiasi qualunque quando quantunque quel sebbene seppure siccome sin
        solito soltanto spesso stata state stessa tale tali talvolta troppo tuttavia ulteriore
        ulteriori vari varia varie vario vengono via vicino viene volta
    """,
    "portuguese": """
        abaixo acima ainda algo algum alguma algumas além ambas aonde apenas assim através
        bastante cerca cinco conforme contudo cuja cujas cujo cujos dali daquela daquelas
        daquele daqueles daquilo daí dessa dessas desse desses desta destas deste destes devido
        dez disso disto diversa diversas diversos duas embora entanto frente geralmente
        inclusive jamais junto logo longe lá mal mesma mesmas mesmos muita muitas nada naquela
        naquelas naquele naqueles nenhum nenhuma nessa nessas nesse nesses nesta nestas neste
        nestes ninguém nisso nisto nove numas nunca nuns oito ora outra outras outrora outros
        perto podem poder poderia poderiam poderão pois porquê portanto porém possivelmente
        pouca poucas pouco poucos primeira primeiras primeiro primeiros própria próprias próprio
        próprios próxima próximas próximo próximos pôde quais quaisquer quanta quantas quanto
        quantos quase quatro seguinte seguintes segunda seis sempre sendo sete sim sobretudo
        tais talvez tampouco tanta tantas tanto tantos terceira terceiro toda todas todavia todo
        três tudo tão vez vezes vindo vossa vossas vosso vossos várias vários
    """,
}
"""By language, between spaces and line ends: what the lists in the package `stop-words` lack.

They are pronouns, prepositions, conjunctions, auxiliaries, numbers, and adverbs. Words of content that
other lists hold, such as "Mensch" or "Zeit", are left out.
"""

CLAUSE_WORDS: Final = {
    "danish": """
        anvendes blev bliver bruges er findes fordi fortalte fortæller giver gør har havde hvis
        hvor hvordan hvorfor ifølge indeholder kan kunne meddelte når oplyser oplyste sagde sige
        siger skal som spurgte svarede udtaler udtalte understøtter var vil
    """,
    "dutch": """
        aldus als bevat biedt gebruikt geeft gezegd had hadden hebben heeft hoe is kan kunnen kunt
        maakt meldde meldt moet moeten omdat ondersteunt verklaarde verteld vertelde vertelt
        volgens vroeg waar waarom wanneer waren was werd werden worden wordt zal zeggen zegt zei
        zeiden zijn zou
    """,
    "english": """
        according added allow allowing allows am announced are argued asked be because been being
        can claimed consider contain contains could declared did do does had has have how if
        include includes including is may mentioned might must olds provide provides providing
        replied reported said saying says shall should shows stated suggested tell telling tells
        that told using warned was were what when where whether which who whose why will would
    """,
    "french": """
        affirme affirmé agit ait ajoute ajouté annonce annoncé avaient avait comment contient dire
        disait disent dit doit doivent dont déclare déclaré est estime explique expliqué font
        fournit fut indique indiqué ont permet permettant permettent peut peuvent pourquoi propose
        quand que qui raconte selon sera si sont utilisant utilise va étaient était
    """,
    "german": """
        basiert beinhaltet berichtet berichtete bietet darf dass enthält erklärt erklärte erlaubt
        ermöglicht erzählt erzählte gesagt haben hat hatte hatten ist kann können laut meldet
        meldete mitteilte muss musste müssen ob sagen sagt sagte sagten sind soll sollen sollte
        sollten stellt teilte unterstützt verwendet waren warum weil wenn werden wie wird wurde
        wurden zufolge äußerte
    """,
    "italian": """
        afferma affermato aggiunto annunciato che chiesto come consente contengono contiene detto
        dice diceva dichiara dichiarato dicono disse erano fa fornisce fu ha hanno perché permette
        possono può quando raccontato riferito se secondo sono spiega spiegato supporta utilizza
        vengono viene è
    """,
    "portuguese": """
        acrescentou afirma afirmou anunciou como contou contém declarou disse disseram dito diz
        dizem eram está estão explicou foi foram fornece inclui onde perguntou permite pode podem
        porque quando que relatou se segundo tem tinha têm utiliza é
    """,
    "spanish": """
        afirma afirmó agregó anunció añadió como contiene contó cuando cómo declaró decía dice
        dicen dicho dijeron dijo donde eran es está están explicó fue fueron ha han hay incluye
        permite permiten porque preguntó proporciona puede pueden que según señaló si son tiene
        tienen utiliza
    """,
}
"""By language, likewise: words that make a clause of what could be a phrase.

They are auxiliaries, relative pronouns, words that begin clauses, verbs that introduce what follows,
such as "provides" and "including", verbs of speech, and what is left of "19-year-olds". Those that are
words of content in the same language, as "following" is in "path following", or often in English, as
"war", are left out.
"""

OF_MARKUP: Final = frozenset({"amp", "href", "https", "nbsp", "quot", "www"})
"""What is left of addresses and of characters written in HTML."""
