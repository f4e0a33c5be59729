"""Words in column names by what they speak of, in English, German, French, Spanish and some other languages.

Those of the north of Europe are in a file of their own and are added at the end.

`=name` is the whole column name, `birth*` the start of a word, `*datum` its end, `{person}` any word for a
person; all without accents. Words that belong together may also be written as one.
"""

from __future__ import annotations

from shoal.tables.discovery import nordic_names as nordic

PERSON = (
    "person, patient, pt, subject, participant, respondent, individual, customer, cust, client, buyer, "
    "member, user, account holder, subscriber, employee, emp, staff, worker, manager, supervisor, "
    "applicant, borrower, candidate, student, pupil, teacher, parent, father, fathers, mother, mothers, "
    "guardian, spouse, partner, child, kin, doctor, physician, nurse, provider, officer, driver, "
    "passenger, rider, owner, tenant, host, guest, reviewer, author, contact, donor, contributor, voter, "
    "citizen, resident, inmate, defendant, offender, suspect, victim, witness, player, athlete, "
    "beneficiary, insured, card holder, visitor, victim, sender, recipient, mitarbeiter, kunde, kunden, "
    "patienten, schuler, studenten, mieter, client, salarie, eleve, etudiant, assure, cliente, paciente, "
    "empleado, alumno, trabajador, pacjent, klient, uczen, pracownik, lekarz, paziente, studente, "
    "dipendente, funcionario, aluno, klant, medewerker, examiner, lecturer, professor, tutor, instructor"
)
DIRECT = {
    "ssn": (
        "ssn, ssn*, social security*, soc sec*, nino, national insurance*, sozialversicherungsnummer, "
        "svnr, ahv*, securite sociale, numero secu, nir, insee, seguridad social, nss, cpf, pesel, bsn, "
        "aadhaar, curp"
    ),
    "medical-record": (
        "mrn, medical record*, patient id*, patient no, patient nr, patient nbr, patient num*, "
        "patient key, patient code, patienten*nummer, patienten nr, patientennr, patienten id, "
        "fallnummer, fallnr, chart number, chart no, nhs, nhs no, nhs number, numero dossier, "
        "id patient, id paciente, historia clinica, nhc, hadm id, encounter id, stay id, visit id, "
        "admission id"
    ),
    "health-plan": (
        "health plan id, health plan no, health plan num*, insurance num*, insurance no, insurance id, "
        "beneficiary id, beneficiary no, beneficiary num*, beneficiary code, policy number, policy no, "
        "policy id, member id, member number, versichertennummer, versicherungsnummer, kvnr, "
        "numero assure, carte vitale, numero poliza, poliza"
    ),
    "case": (
        "case num*, case no, case nbr, case id, docket*, court case*, court number, file number, "
        "booking num*, booking id, incident num*, incident id, report num*, dossier num*, aktenzeichen, "
        "geschaftszeichen, numero affaire, expediente*"
    ),
    "plate": (
        "plate, license plate, licence plate, plate num*, plate no, kennzeichen, *kennzeichen, kfz*, "
        "immatriculation, matricula, vehicle id, vin"
    ),
    "licence": (
        "license num*, licence num*, license no, licence no, =license, =licence, certificate num*, "
        "certificate no, passport*, reisepass*, ausweis*, personalausweis*, fuhrerschein*, passeport, "
        "permis, pasaporte, dni, nie, driver* licen* no, driver* licen* num*, driver* license, "
        "driver* licence, hack license, =drivers, id card*"
    ),
    "device": (
        "device id, device num*, device uuid, serial, serial no, serial num*, device serial, imei, imsi, "
        "mac address, seriennummer, geratenummer, numero serie, numero de serie, advertising id, idfa, "
        "cookie*"
    ),
    "account": (
        "account num*, account no, account id, =account, acct, acct num*, iban, card num*, card no, "
        "cc num*, customer id, customer no, customer num*, customer unique id, kontonummer, konto nr, "
        "kundennummer, kundennr, kreditkartennummer, numero compte, numero client, numero cuenta, "
        "=cuenta, tarjeta, id cliente"
    ),
    "biometric": (
        "biometric*, fingerprint*, fingerabdruck*, iris scan, retina scan, voiceprint*, voice print, "
        "face id, empreinte*, huella*"
    ),
    "fax": "fax, *fax, fax number, telecopie",
    "phone": (
        "phone, *phone, phone num*, phone no, tel, tel no, mobile, cell, cellphone, handy, handynummer, "
        "mobil, mobilnummer, mobiltelefon, *telefon, telefon*, portable, telefono, movil, whatsapp, "
        "contact tel, komorka, nr tel*, cellulare, telefone, celular, telefoonnummer"
    ),
    "person-code": (
        "{person} id, {person} ids, {person} no, {person} nr, {person} nbr, {person} num*, {person} key, "
        "{person} code, {person} identifier, {person} uid, {person} hash, {person} reg num*, "
        "id {person}, national id*, tax id, tax no, pseudonym*, personalnummer, personalnr, "
        "personennummer, matrikelnummer, matrikelnr, steuernummer, steuer id, identifikationsnummer, "
        "matricule, matric, matric*no, matr, matrikel, nif, id persona, numero empleado, numero etudiant, "
        "registration no, nr karty, nr pacjenta, nr klienta, nr albumu, nr indeksu, numer pacjenta, "
        "numer klienta, codice fiscale, matricola, burgerservicenummer, klantnummer, personeelsnummer, "
        "registration num*, unique pid, pid"
    ),
    "address": (
        "address, addresses, *address, address line*, address 1, address 2, street*, adress, adresse*, "
        "anschrift, *anschrift, *strasse, strasse*, rue, calle, direccion, domicilio"
    ),
    "user-name": (
        "username, user name, login, login name, nick*, handle, screen name, twitter, instagram, benutzername"
    ),
    "name": (
        "=name, =names, =patient, =first, =last, =middle, =fname, =lname, =mname, =ename, =maiden, "
        "full name*, first name*, last name*, middle name*, midl name, maiden name, family name, "
        "given name*, forename*, surname*, sur name, birth name, {person} name*, {person} full name, "
        "{person} first name, {person} last name, first nm, last nm, initials, vorname*, nachname*, "
        "familienname*, geburtsname*, rufname*, =nom, prenom*, nom famille, nom de famille, nom complet, "
        "nom naissance, =nombre, nombres, nombre completo, apellido*, nom de jeune fille, imie*, imiona, "
        "nazwisk*, =nome, nome completo, cognome*, sobrenome*, apelido*, voornaam*, achternaam*, =naam, "
        "volledige naam"
    ),
    "code": (
        "id, ids, uid, guid, key, nr, no, num, nummer, *nummer, number, identifier, kennung, schlussel, "
        "identifiant, numero, clave, hash, token"
    ),
}
QUASI = {
    "date": (
        "date, dates, datetime, timestamp, dob, birth*, born, datum, *datum, geburt*, naissance, fecha, "
        "nacimiento, day, tag, jour, dia, month, monat, mois, mes, since, dt, dttm"
    ),
    "year": "year, yob, jahr, *jahr, jahrgang, annee, ano, anio",
    "age": (
        "age, ages, alter, alter*gruppe, lebensalter, edad, agep, ageyr, ridageyr, anchor age, senior*, "
        "elderly, generation"
    ),
    "sex": "sex, gender, gendr, *gendr, geschlecht, sexe, genre, sexo, genero, male, female, plec",
    "zip": (
        "zip*, post code, postcode, postal, postal code, plz, postleitzahl, code postal, =cp, "
        "codigo postal, kod pocztowy, =cap"
    ),
    "marital status": (
        "marital*, marriage*, married, =mar, *martl, civil status, personal status, familienstand, "
        "zivilstand, etat civil, situation familiale, statut marital, estado civil"
    ),
    "form of address": (
        "salutation, honorific, anrede, name suffix, name prefix, suffix, name sufx*, civilite"
    ),
    "place": (
        "city, town, place, state, county, region, district, country, province, location*, municipality, "
        "neighbo*, residen*, latitude, longitude, lat, lon, lng, gps*, geo*, coordinates, borough, "
        "precinct*, ward, =room, room no, room num*, cabin, tract, census tract, census block, puma, "
        "area, zone, fips, village, suburb, parish, hometown, home dest, destination, birthplace, pobp, "
        "=st, =addr, travel*, urban*, rural*, hospital, clinic, facility, cong dist*, constituency, "
        "timezone, ort, *wohnort, *tsort, standort, tatort, stadt, land, bundesland, *kreis, gemeinde, "
        "ortsteil, bezirk, ville, pays, departement, commune, quartier, lieu, ciudad, pais, provincia, "
        "estado, municipio, comunidad, lugar, barrio, miasto, miejscowosc, gmina, powiat, wojewodztwo, kraj"
    ),
    "occupation": (
        "occupation*, occp, job*, *job, profession*, employ*, emp length, emp title, work*, industry, "
        "department, dept, position*, company, companies, organi*ation, org, manager*, supervisor, "
        "career, rank, seniority, mgr, tutor, agency, tenure, hired, hire, hours per week, wkhp, =cow, "
        "dev type, beruf*, tatigkeit, arbeitgeber, abteilung, branche, stelle, metier, emploi, "
        "employeur, poste, profesion, ocupacion, oficio, empleo, trabajo, puesto"
    ),
    "origin": (
        "race, races, ethnic*, hispanic*, hisp, latino, latina, latinx, origin, nationality, citizen*, "
        "=cit, ancestry, descent, native, immigra*, migra*, foreign*, tribe, tribal, indigenous, "
        "aboriginal, skin colo*, caste, minority, rac 1 p, ridreth*, reth, raceth, nationalitat, "
        "staatsangehorigkeit, staatsburgerschaft, herkunft, migrations*, ethnie, nationalite, origine, "
        "raza, etnia, nacionalidad, origen"
    ),
    "education": (
        "education*, edu, *edu, *educ, ed level, edlevel, *educ 2, degree, school*, schl, college, "
        "university, diploma, qualification, major, grade level, years code*, bildung*, schul*, "
        "schulabschluss, abschluss, studium, diplome, niveau etudes, formation, ecole, educacion, "
        "estudios, titulo, escuela"
    ),
    "household": (
        "household*, family*, fam size, famsize, fam, children, child, kids, relationship, relp, "
        "partner, spouse, husband, wife, sib sp, parch, siblings, guardian, parent*, pstatus, mother, "
        "father, dependents, num dependents, housing, home ownership, home owner*, haushalt*, kinder, "
        "kinderzahl, *kinder, enfants, menage, hijos, hogar, offspring"
    ),
    "language": (
        "language*, lang, mother tongue, eal, speaks, muttersprache, sprache, langue, idioma, lengua"
    ),
    "body": (
        "height*, weight*, hair*, eye, eyes, eye colo*, tattoo*, body build*, body type, scar, scars, "
        "*bmxht, *bmxwt, grosse, gewicht, taille, poids, altura, peso, estatura, korpergrosse"
    ),
    "insurance": "insurance, insurer, payer*, krankenkasse, mutuelle, seguro, versicherung",
    "vehicle": "vehicle make, vehicle model, vehicle*, car make, car model, fahrzeug*, vehicule",
}
SENSITIVE = {
    "health": (
        "health*, *hlth, diagnos*, diag, diag*, dx, *dx, disease*, illness*, ill, sick*, condition, "
        "conditions, symptom*, syndrome*, disorder*, icd, icd*, snomed*, comorbid*, chronic*, rozpoznani*, "
        "choroba, choroby, lek, leki, leczenie, "
        "medication*, medicine*, meds, drug*, din, dose*, dosage, prescri*, treatment*, therap*, "
        "procedure*, surger*, surgical, implant*, transplant*, blood*, hiv*, aids, hepatitis, allerg*, "
        "disab*, =dis, impair*, handicap*, handcap, bmi, *bmi, obes*, smok*, smq*, tobacco, nicotine, "
        "alcohol*, dalc, walc, drink*, addict*, substance*, test result*, lab result*, lab, labs, "
        "laborat*, biops*, positive, fever, cough*, sore throat, throat, breath*, headache*, head ache, "
        "nausea, fatigue, pain, pains, rash, diabet*, hypertens*, stroke, heart*, cardi*, cancer*, "
        "tumo*, oncolog*, asthma, copd, anemi*, anaemi*, arthrit*, pneumon*, covid*, corona*, infect*, "
        "vaccin*, immuni*, intub*, icu, ventilat*, mental*, depress*, anxi*, psych*, suicid*, autis*, "
        "adhd, dement*, mood, pregnan*, menstru*, contracep*, abort*, fertil*, glucose*, glu, glyc*, "
        "insulin, metformin, a1 c*, hba 1c, cholest*, lipid*, cig*, maternity*, renal*, kidney*, hdl, "
        "ldl, bp, bpx*, =bp, sysbp, sys bp, dia bp, diabp, high bp, *chol, chd, hyp, systolic, "
        "diastolic, pulse, resting*, lbx*, medical*, clinical*, patholog*, radiolog*, hospitali*, "
        "admission type, readmi*, disposition, triage, severity, injur*, wound*, fracture*, trauma*, "
        "death*, dead, died, deceas*, surviv*, expire*, mortal*, cause of death, =cause, outcome, "
        "prognos*, nursing, krank*, erkrank*, *erkrankung*, befund*, medikament*, arznei*, behandlung*, "
        "behinder*, *behindert*, blut*, fieber, husten, schmerz*, raucher*, impf*, schwanger*, "
        "gesundheit*, pflege*, todes*, verstorben*, maladie*, sante, traitement*, medicament*, "
        "symptome*, sang, sanguin*, fumeur*, enceinte, grossesse, fievre, douleur, deces, invalidite, "
        "groupe sanguin, enfermedad*, salud, tratamiento*, medicamento*, sintoma*, neumon*, asma, epoc, "
        "tabaq*, resultado*, uci, cronic*, sangr*, sangui*, fumador*, embaraz*, fiebre, dolor, alergi*, "
        "vacuna*, hipertens*, tension arterial, discapacidad*, fallec*"
    ),
    "money": (
        "income*, *income, inc, pincp, indfmpir, salary*, salaries, wage*, earn*, pay, paid, payment, "
        "payments, pymnt*, *pymnt, pay rate, daily rate, hourly rate, monthly rate, compensation, "
        "comp total, *comp yearly, bonus*, stock option*, pension*, debt*, dti, loan, loan status, "
        "loan am*, credit*, fico*, balance, bal, saving*, checking, default, delinq*, bankrupt*, "
        "foreclos*, mortgage*, lien*, installment*, int rate, interest rate, wealth, asset*, property*, "
        "capital*, net worth, tax, taxes, rent, charges, cost, costs, bill, bills, billing am*, "
        "bill am*, expens*, spend*, fare, tip, donat*, welfare, poverty, benefits, lunch, fsm, "
        "scholarship*, pupil premium, garnish*, =sal, =comm, einkommen*, gehalt*, *gehalt, lohn*, "
        "brutto*, netto*, schulden, vermogen, kredit*, saldo, miete, rente, steuerklasse, bonitat, "
        "revenu*, salaire*, dette*, solde, loyer, impot*, pret, bours*, ingreso mensual, ingresos*, "
        "salario*, sueldo*, deuda*, renta, hipoteca, prestamo, nomina, beca"
    ),
    "belief": (
        "religio*, faith, church*, kirche*, *kirche, eglise*, iglesia*, mosque, synagogue, confession, "
        "denominat*, politic*, ideolog*, party, vote, voted, ballot*, union, konfession, glaube*, "
        "religion*, partei*, gewerkschaft*, betriebsrat*, croyance*, parti, syndi*, creencia*, partido*, "
        "sindicato*, votado, voto"
    ),
    "sexual life": (
        "sexual*, orientation, =trans, transgender, lgbt*, gay, romantic*, sexuell*, orientierung, "
        "orientacion"
    ),
    "crime": (
        "crime*, crm, criminal*, conviction*, convict*, offen*, arrest*, recid*, *recid, prior, priors*, "
        "felon*, fel, misd*, juv fel*, juv misd*, jail*, prison*, custody*, inmate*, incarcer*, "
        "detention, sentence*, parole*, probation*, charge, charge deg*, charge desc*, violation*, "
        "citation*, warrant*, gang*, contraband*, frisk*, knife*, demeano*, search conducted, fraud*, "
        "weapon*, armed, dui, decile*, homicide*, murder*, theft*, assault*, abuse*, violen*, straftat*, "
        "vorstrafe*, verurteil*, haft*, gefangnis*, condamn*, infraction*, casier*, delito*, condena*, "
        "penal, penales, carcel, detenid*"
    ),
    "legal status": "asylum*, refugee*, undocumented*, visa*, deport*, asyl*, asile, asilo",
    "genes": "gene, genes, genetic*, genom*, genotype*, allele*, dna, mutation*, brca*, erbgut, adn",
    "judgement": (
        "grade, grades, score*, *score, gpa, g1, g2, g3, =g 3, exam*, marks, iq, rating*, perf, "
        "performance*, evaluation*, appraisal*, ranking, satisfaction, *satisfaction, engagement*, "
        "absen*, lateness, attendance, attain*, behavio*, exclusion*, exclu*, days late*, fail*, iep*, "
        "special ed*, special needs, sen, looked after*, safeguard*, disciplin*, suspension*, attrition, "
        "termd, term reason, terminat*, dismiss*, denial*, denied, action taken, vulnerab*, zensur*, "
        "bewertung*, fehltage, abmahnung*, kundigung*, beurteilung*, moyenne*, sanction*, licenci*, "
        "calificacion*, nota media, despido*"
    ),
}
REMARKS = (
    "comment*, remark*, note, notes, memo*, free text, narrative*, feedback, description, details, "
    "bemerkung*, anmerkung*, notiz*, kommentar*, freitext, beschreibung*, remarque*, commentaire*, "
    "observation*, observacion*, comentario*, nota, notas, descripcion*, uwag*, opis, komentarz*, "
    "message*, msg, wish*, special request*, wunsch*, souhait*"
)
# What says that a column is about a thing or a business rather than about a person.
HARMLESS = {
    "a product or a service": (
        "product*, item*, sku, article*, category, brand, qty, quantity, price, unit price, currency, "
        "discount*, coupon*, contract*, service, services, streaming*, internet*, multiple lines, "
        "subscription*, delivery*, shipping status, vendor*, produkt*, artikel*, menge, preis*, "
        "produit*, prix, quantite, producto*, precio*, cantidad"
    ),
    "how data were collected": (
        "survey*, version*, app version, browser*, os, op sys*, channel*, lead source, source, "
        "campaign*, batch*, file, row, record type, visit num*, study id*, sample weight*, created by, "
        "updated by, contact, quelle, kanal"
    ),
}
# How a reason names a topic: "the column name suggests …".
SAID = {
    "money": "income or other money matters",
    "belief": "religion, politics or a union",
    "crime": "crime or police matters",
    "judgement": "how somebody was judged",
    "zip": "a postal code",
    "place": "a place",
    "date": "a date or time",
    "year": "a year",
    "body": "how somebody looks",
    "origin": "race, ethnic origin or nationality",
    "household": "family or household",
    "insurance": "an insurance company",
    "vehicle": "a vehicle",
}

PERSON = f"{PERSON}, {nordic.PERSON}"
REMARKS = f"{REMARKS}, {nordic.REMARKS}"
DIRECT, QUASI, SENSITIVE = (
    {about: f"{hints}, {more[about]}" if about in more else hints for about, hints in known.items()}
    for known, more in ((DIRECT, nordic.DIRECT), (QUASI, nordic.QUASI), (SENSITIVE, nordic.SENSITIVE))
)
