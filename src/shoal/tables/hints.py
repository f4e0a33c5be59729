"""What the name of a column gives away, in English, German, French and Spanish."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

# `=name` is the whole column name, `birth*` the start of a word, `*datum` its end; all without accents.
DIRECT = {
    "ssn": (
        "ssn, social security*, nino, sozialversicherungsnummer, svnr, ahv*, numero securite sociale, "
        "insee, numero seguridad social, nss"
    ),
    "medical-record": (
        "mrn, medical record*, patient id, patient no, patient nr, patient number, patient key, "
        "patientennummer, patientennr, patienten id, case number, fallnummer, fallnr, chart number, nhs "
        "number, numero dossier, id patient, id paciente, historia clinica"
    ),
    "health-plan": (
        "health plan*, insurance number, insurance no, insurance id, beneficiary*, policy number, policy "
        "no, member id, member number, versichertennummer, versicherungsnummer, kvnr, numero assure, carte "
        "vitale, numero poliza, poliza"
    ),
    "plate": (
        "plate, license plate, licence plate, plate number, kennzeichen, kfz*, immatriculation, matricula, "
        "vehicle id, vin"
    ),
    "licence": (
        "license number, licence number, license no, licence no, =license, =licence, certificate number, "
        "certificate no, passport*, reisepass*, ausweis*, personalausweis*, fuhrerschein*, passeport, "
        "permis, pasaporte, dni, nie, driver* licen*"
    ),
    "device": (
        "device id, device number, serial, serial no, serial number, imei, imsi, mac address, seriennummer, "
        "geratenummer, numero serie, numero de serie"
    ),
    "account": (
        "account number, account no, account id, =account, acct, iban, card number, customer id, customer "
        "no, customer number, kontonummer, konto nr, kundennummer, kundennr, kreditkartennummer, numero "
        "compte, numero client, numero cuenta, =cuenta, tarjeta, id cliente"
    ),
    "biometric": (
        "biometric*, fingerprint*, fingerabdruck*, iris scan, retina scan, voiceprint*, voice print, "
        "empreinte*, huella*"
    ),
    "fax": "fax, *fax, fax number, telecopie",
    "phone": (
        "phone, *phone, phone number, tel, mobile, cell, handy, handynummer, mobil, mobilnummer, "
        "mobiltelefon, *telefon, telefon*, portable, telefono, movil"
    ),
    "person-code": (
        "person id, person no, person key, user id, client id, employee id, employee no, employee number, "
        "student id, student number, subject id, participant id, respondent id, worker id, individual id, "
        "citizen id, voter id, national id, tax id, pseudonym*, personalnummer, personalnr, personennummer, "
        "matrikelnummer, matrikelnr, steuernummer, steuer id, matricule, nif, id persona, numero empleado, "
        "numero etudiant"
    ),
    "address": "address*, street*, adress*, anschrift, *strasse, strasse*, rue, calle, direccion, domicilio",
    "name": (
        "=name, =names, =patient, full name, first name, last name, middle name, maiden name, family name, "
        "given name, forename*, surname*, person name, patient name, customer name, employee name, "
        "vorname*, nachname*, familienname, =nom, prenom*, nom famille, nom complet, =nombre, nombres, "
        "nombre completo, apellido*"
    ),
    "code": (
        "id, ids, uid, guid, key, nr, no, nummer, *nummer, number, identifier, kennung, schlussel, "
        "identifiant, numero, clave, hash, token"
    ),
}
QUASI = {
    "date": (
        "date, dates, dob, birth*, born, datum, *datum, geburt*, naissance, fecha, nacimiento, day, tag, "
        "jour, dia"
    ),
    "year": "year, yob, jahr, *jahr, jahrgang, annee, ano, anio",
    "age": "age, ages, alter, alter*gruppe, lebensalter, edad",
    "sex": "sex, gender, geschlecht, sexe, genre, sexo, genero",
    "zip": (
        "zip*, post code, postcode, postal, postal code, plz, postleitzahl, code postal, =cp, codigo postal"
    ),
    "marital status": (
        "marital*, marriage*, civil status, familienstand, zivilstand, etat civil, situation familiale, "
        "statut marital, estado civil"
    ),
    "place": (
        "city, town, place, state, county, region, district, country, province, location, municipality, "
        "neighbourhood, neighborhood, residence, latitude, longitude, lat, lon, lng, ort, *ort, stadt, "
        "land, bundesland, gemeinde, kreis, landkreis, wohnort, ville, pays, departement, commune, lieu, "
        "ciudad, pais, provincia, estado, municipio, comunidad, lugar"
    ),
    "occupation": (
        "occupation*, job*, profession*, employer, workclass, work class, industry, beruf*, tatigkeit, "
        "arbeitgeber, branche, metier, emploi, employeur, profesion, ocupacion, oficio, empleo, trabajo"
    ),
    "origin": (
        "race, ethnic*, origin, nationality, citizenship, ancestry, native, immigrant, nationalitat, "
        "staatsangehorigkeit, herkunft, ethnie, nationalite, origine, raza, etnia, nacionalidad, origen"
    ),
    "education": (
        "education*, degree, school*, qualification, bildung*, schulabschluss, abschluss, diplome, niveau "
        "etudes, formation, educacion, estudios, titulo"
    ),
    "household": (
        "household*, family size, children, kids, relationship, dependents, haushalt*, kinder, kinderzahl, "
        "enfants, menage, hijos, hogar"
    ),
    "language": "language, mother tongue, muttersprache, sprache, langue, idioma, lengua",
    "body": "height, weight, hair, eye, eyes, grosse, gewicht, taille, poids, altura, peso",
}
SENSITIVE = {
    "health": (
        "diagnos*, disease*, illness*, ill, condition, symptom*, disorder*, icd, icd*, medication*, drug*, "
        "din, prescription*, treatment*, therap*, procedure*, surgery, blood*, hiv*, allerg*, disabilit*, "
        "bmi, smoker, smoking, alcohol*, krankheit*, erkrankung*, befund*, medikament*, behandlung*, "
        "behinderung*, maladie*, traitement*, medicament*, symptome*, handicap, enfermedad*, diagnostico*, "
        "medicamento*, tratamiento*, discapacidad"
    ),
    "money": (
        "income*, salary*, salaries, wage*, earnings, debt*, loan*, credit*, balance, wealth, tax, rent, "
        "einkommen*, gehalt*, lohn*, schulden, vermogen, kredit*, revenu*, salaire*, dette*, ingreso*, "
        "salario*, sueldo*, deuda*, renta"
    ),
    "belief": (
        "religio*, faith, confession, politic*, party, vote, union, konfession, glaube, partei, "
        "gewerkschaft*, croyance*, parti, syndicat, creencia*, partido, sindicato"
    ),
    "sexual life": "sexual*, sexual orientation, orientation, sexuell*, orientierung, orientacion",
    "crime": (
        "crime*, criminal*, conviction*, offence*, offense*, arrest*, straftat*, vorstrafe*, verurteilung*, "
        "condamnation*, delito*, condena*"
    ),
    "genes": "gene, genes, genetic*, genom*, dna, mutation*, erbgut, adn",
    "judgement": "grade, grades, score, rating*, performance, evaluation, zensur, bewertung*, calificacion*",
}

_FIRST_NAMES = """
james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony
mark steven paul andrew george kenneth kevin brian edward ronald timothy jason jeffrey ryan jacob gary
eric stephen larry frank scott alan albert bill fred henry douglas peter hans karl klaus jürgen wolfgang
stefan andreas martin jan lukas felix max jean pierre michel philippe alain nicolas louis luc antoine
josé juan antonio manuel francisco carlos luis javier miguel pedro pablo mohammed ahmed ali omar mary
patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty margaret sandra
ashley emily donna michelle carol amanda melissa deborah stephanie rebecca laura helen anna alice emma
julia marie maria monika ursula sabine petra claudia renate heike katharina sophie isabelle nathalie
catherine françoise camille carmen ana isabel dolores pilar lucía elena rosa fatima aisha wei mei yuki
priya raj
"""
FIRST_NAMES = frozenset(_FIRST_NAMES.split())


def words(column: str) -> str:
    """A column name as plain words: `DateOfBirth`, `date_of_birth` and `DATE-OF-BIRTH` are one."""
    spaced = re.sub(r"(?<=[a-zäöüß0-9])(?=[A-Z])", " ", column).replace("ß", "ss")
    plain = unicodedata.normalize("NFKD", spaced).encode("ascii", "ignore").decode()
    return " ".join(re.findall(r"[a-z0-9]+", plain.lower()))


def hinted(column: str, hints: str) -> bool:
    """Whether a column name holds one of the hints, which are separated by commas."""
    return _expression(hints).search(f" {words(column)} ") is not None


def topic(column: str, topics: dict[str, str]) -> str | None:
    """The first topic whose hints are in a column name."""
    return next((name for name, hints in topics.items() if hinted(column, hints)), None)


@cache
def _expression(hints: str) -> re.Pattern[str]:
    branches = []
    for hint in (part.strip() for part in hints.split(",")):
        body = hint.removeprefix("=").replace("*", "[a-z0-9]*").replace(" ", " ?")
        branches.append(f"^ {body} $" if hint.startswith("=") else f" {body} ")
    return re.compile("|".join(branches))
