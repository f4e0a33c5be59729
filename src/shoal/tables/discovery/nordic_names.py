"""Words in column names in Swedish, Norwegian, Danish and Finnish, written as in `name_vocabulary`."""

from __future__ import annotations

PERSON = (
    "brukare, bruker, borger, pasient, elev, kund, medlem, medarbetare, medarbeider, medarbejder, "
    "ansatt, anstalld, potilas, asiakas, oppilas, jasen, handlaggare, saksbehandler, sagsbehandler, "
    "larare, laerer, lakare, opettaja"
)
REMARKS = (
    "anteckning*, merknad*, bemaerkning*, notat*, anmarkning*, onskemal*, ovrigt, fritext, fritekst, "
    "huomautus*, lisatie*, muistiinpano*"
)
DIRECT = {
    "medical-record": ("journalnummer, journal nr, journalnr, patientnummer, pasientnummer, potilasnumero"),
    "case": (
        "arende nr, arendenr, arendenummer, diarienr, diarienummer, saksnr, saksnummer, sagsnr, "
        "sagsnummer, asianumero"
    ),
    "plate": ("regnr, reg nr, registreringsnummer, nummerplade, rekisterinumero"),
    "account": ("kontonr, kundnr, kundnummer, kundenr, kundenummer, kortnummer, tilinumero, asiakasnumero"),
    "phone": ("tlf, tlf nr, tlfnr, tel nr, telnr, mobil nr, mobilnr, puhelin*, *puhelin"),
    "person-code": (
        "personnr, person nr, personnummer, pnr, fodselsnummer, fodselsnr, fnr, cpr, cpr nr, cprnr, cpr "
        "nummer, henkilotunnus, hetu, kennitala, samordningsnummer, medlemsnr, medlemsnummer, elevnr, "
        "elevnummer, ansattnr, ansattnummer, anstallningsnummer, jasennumero, opiskelijanumero"
    ),
    "address": ("*adress, *adresse, osoite, *osoite, gata, heimilisfang"),
    "user-name": ("anvandarnamn, brukernavn, brugernavn, unilogin, kayttajanimi, kayttajatunnus"),
    "name": (
        "=namn, =navn, =nimi, fornamn*, efternamn*, mellannamn*, tilltalsnamn*, fornavn*, efternavn*, "
        "etternavn*, mellomnavn*, mellemnavn*, etunim*, sukunim*, kutsumanim*, fullstandigt namn, fullt "
        "navn, fulde navn, *initial, initialer, god man, verge, vaerge, vardnadshavare, foresatt*, "
        "anhorig*, parorende*, huoltaja, kontaktperson, handlaggare, saksbehandler, sagsbehandler, "
        "larare, laerer, lakare, fastlege, laege, opettaja, laakari"
    ),
}
QUASI = {
    "date": (
        "dato, *dato, fodd, fodt, fodelsedag, fodselsdag, syntymaaika, *paiva, paivamaara, pvm, tidpunkt, "
        "tidspunkt"
    ),
    "year": ("fodelsear, fodselsar, argang, syntymavuosi, vuosi"),
    "age": ("alder, aldersgrupp*, ika, ikaryhma"),
    "sex": ("kon, kjonn, koen, sukupuoli, kyn"),
    "zip": ("post nr, postnr, postnummer, postinumero"),
    "marital status": ("civilstand, civilstatus, sivilstand, sivilstatus, siviilisaaty"),
    "place": (
        "kommun, kommune, kommunkod, kommunenr, kommunenummer, hemkommun, bokommune, bopaelskommune, "
        "postort, poststed, bostadsort, bosted, bopael, =lan, fylke, =by, sogn, stadsdel, bydel, *omrade, "
        "*distrikt, kunta, kotikunta, kaupunki, paikkakunta, maakunta, =maa"
    ),
    "occupation": (
        "yrke*, stilling*, befattning*, arbetsgivare, arbeidsgiver, arbejdsgiver, erhverv, avdelning, "
        "avdeling, afdeling, ammatti*, tyonantaja, osasto"
    ),
    "origin": (
        "medborgarskap, statsborgerskap, statsborgerskab, fodelseland, fodeland, fodested, hemland, "
        "harkomst, opprinnelse*, oprindelse*, etnisitet, etnicitet, kansalaisuus, syntymamaa"
    ),
    "education": (
        "utbildning*, utdanning*, uddannelse*, koulutus*, klass, klasse, arskurs, klassetrin*, skola, "
        "skole, koulu, luokka"
    ),
    "household": ("hushall*, husstand*, husholdning*, barn, ektefelle, aegtefaelle, perhe*, lapset, lapsia"),
    "language": ("sprak, sprog, modersmal, morsmal, hemsprak, kieli, aidinkieli, tolk*"),
    "body": ("langd, hoyde, hojde, vikt, vekt, vaegt, pituus, paino"),
}
SENSITIVE = {
    "health": (
        "sjuk*, sykdom*, sykmeld*, sygdom*, sygemeld*, sairau*, lakemedel*, legemid*, laegemid*, "
        "laakity*, medisin*, behandling*, funktionsned*, funktionshin*, funksjonsned*, helse*, halsa*, "
        "halso*, helbred*, terveys*, vardbehov, vardniva, omsorgsniva, omsorgsbehov, plejebehov, insats, "
        "insatser, bistand*, stotte*, saerlig stotte, sarskilt stod, dodsorsak*, dodsarsak*, kuolinsyy"
    ),
    "money": (
        "inkomst*, inntekt*, indkomst*, lonn*, manadslon, arslon, timlon, manedslon*, ytelse*, ydelse*, "
        "forsorjnings*, sosialhjelp*, kontanthjelp*, dagpenge*, skulder, gjeld, gaeld, formogenhet*, "
        "formue*, tulot, palkka*, velka*, elake*"
    ),
    "belief": (
        "trossam*, livssyn, kyrka, folkekirke, fackforbund*, fackforening*, fagforening*, fagforbund*, "
        "uskon*, kirkko*, ammattiliit*"
    ),
    "crime": ("brott*, forbrytelse*, forbrydelse*, straff*, lovbrudd*, lovovertraed*, rikos*, tuomio*"),
    "legal status": (
        "uppehallstillst*, oppholdstill*, opholdstill*, flykting*, flyktning*, flygtning*, oleskelulu*, "
        "turvapaik*"
    ),
    "judgement": ("betyg*, karakter, karakterer, fravaer*, franvaro*, arvosana*, poissaolo*, eksamen*"),
}
