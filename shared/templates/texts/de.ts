export const ownName = 'Deutsch';

export const footerTexts = {
  help: 'Hilfe',
  terms: 'Nutzungsbedingungen',
  privacy: 'Datenschutz',
  language: 'Sprache',
};

export const loginTexts = {
  continueButton: 'Weiter',
  back: 'Zurück',
  cancelLogin: 'Abbrechen und zurück zu {app}',
  or: 'oder',
  moreWays: 'Weitere Wege',
  errorTitle: 'Fehler: {title}',

  signInHeading: 'Bei {app} anmelden',
  approveHeading: 'Zur Freigabe anmelden',
  signUpHeading: 'Bei {app} registrieren',
  signUpHint: 'Sie haben schon ein Konto? Mit denselben Schritten melden Sie sich an.',
  fieldLabel: {
    email: 'E-Mail-Adresse',
    phone: 'Telefonnummer',
    either: 'E-Mail-Adresse oder Telefonnummer',
  },
  countryLabel: 'Land',
  countryNone: 'Land auswählen',
  countryHint: 'Eine Nummer aus einem anderen Land? Beginnen Sie mit + und der Ländervorwahl.',
  countryHeading: 'Aus welchem Land ist Ihre Nummer?',
  sendCodeBySms: 'Code per SMS erhalten',
  sendLink: 'Link per E-Mail erhalten',
  usePasskey: 'Passkey verwenden',
  passkeyCancelled:
    'Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Weg.',
  passkeyExpired: 'Das hat zu lange gedauert. Verwenden Sie Ihren Passkey noch einmal.',
  passkeyInvalid:
    'Dieser Passkey passt hier nicht. Wählen Sie einen anderen oder melden Sie sich auf einem anderen Weg an.',
  passkeyUnsupported: 'Dieser Browser kann keine Passkeys verwenden. Wählen Sie einen anderen Weg.',
  passkeyNeedsScript:
    'Passkeys brauchen JavaScript, das in diesem Browser ausgeschaltet ist. Bitte wählen Sie einen anderen Weg.',
  registerHeading: 'Passkey hinzufügen',
  registerBody:
    'Beim nächsten Mal melden Sie sich bei {app} mit Fingerabdruck, Gesicht oder Displaysperre an.',
  factorNeeded: '{app} verlangt eine zweite Bestätigung, dass Sie es sind.',
  registerButton: 'Passkey hinzufügen',
  registerLater: 'Jetzt nicht',
  cannotGiveFactor: 'Ich kann nichts davon nutzen',
  registerBack: 'Abbrechen',
  registerCancelled:
    'Es wurde kein Passkey erstellt. Versuchen Sie es noch einmal, oder fahren Sie ohne fort.',
  registerExists: 'Auf diesem Gerät gibt es schon einen Passkey für Sie.',
  passkeyNotSaved:
    'Der Passkey konnte nicht gespeichert werden. Versuchen Sie es noch einmal, oder fahren Sie ohne fort.',
  approvalHeading: 'Prüfen Sie, was Sie freigeben',
  approvalTip: 'Nicht das, was Sie erwartet haben? Schließen Sie einfach diese Seite.',
  continueWith: 'Weiter mit {provider}',
  logInWith: 'Mit {provider} anmelden',

  checkEmailHeading: 'Prüfen Sie Ihre E-Mails',
  checkPhoneHeading: 'Prüfen Sie Ihre SMS',
  codeOnItsWay: 'Wenn {to} ein Konto hat, ist ein Code unterwegs.',
  linkOnItsWay: 'Wenn {to} ein Konto hat, ist ein Link unterwegs.',
  codeSent: 'Wir haben einen Code an {to} gesendet.',
  linkSent: 'Wir haben einen Link an {to} gesendet.',
  sentAgain: 'Wir haben um {time} einen neuen {what} an {to} gesendet.',
  onItsWayAgain: 'Wenn {to} ein Konto hat, ging um {time} ein neuer {what} hinaus.',
  codeWord: 'Code',
  linkWord: 'Link',
  codeLabel: 'Code',
  codeFormat: 'Der Code besteht nur aus Ziffern.',
  codesOffHeading: 'Codes funktionieren vorerst nicht',
  codeClosedHeading: 'Dieser Code ist gesperrt',
  codeClosedLink:
    'Wir haben ihn zu Ihrem Schutz gesperrt. Sie können sich weiterhin mit einem Link per E-Mail oder auf einem anderen Weg anmelden.',
  codeClosedOther:
    'Wir haben ihn zu Ihrem Schutz gesperrt. Sie können sich weiterhin auf einem anderen Weg anmelden.',
  linkTip: 'Öffnen Sie ihn in diesem Browser.',
  nothingThere: 'Nichts angekommen?',
  lookInSpam: 'Suchen Sie im Spam-Ordner nach einer E-Mail von {sender}.',
  resendCode: 'Neuen Code senden',
  resendLink: 'Neuen Link senden',
  resendWait: 'Möglich in {time}',
  resendReady: 'Sie können jetzt einen neuen anfordern.',
  change: 'Ändern',
  changeIdentifier: 'Andere Adresse oder anderer Weg',
  changeMethod: 'Andere Methode wählen',

  secondFactorHeading: 'Bestätigen Sie Ihre Identität',
  secondFactorBody: 'Wie möchten Sie das bestätigen?',
  secondFactorForPasskey: 'Bestätigen Sie, dass Sie es sind, um einen Passkey hinzuzufügen.',
  staleBody:
    '{provider} hat uns nicht mitgeteilt, dass Sie sich dort gerade angemeldet haben. Bitte bestätigen Sie auf einem anderen Weg.',
  staleOnlyBody:
    '{provider} hat uns nicht mitgeteilt, dass Sie sich dort gerade angemeldet haben. Melden Sie sich bei {provider} ab und versuchen Sie es noch einmal. Falls diese Seite wieder erscheint: Melden Sie sich auch hier ab, dann neu an, und fügen Sie auf Ihrer Kontoseite eine E-Mail-Adresse oder einen Passkey hinzu. Damit können Sie dann bestätigen.',
  aloneBody: 'Das allein öffnet Ihr Konto nicht. Bestätigen Sie auf einem weiteren Weg, dann öffnet es.',
  codeByEmail: 'Code per E-Mail',
  codeBySms: 'Code per SMS',
  linkByEmail: 'Link per E-Mail',
  passkey: 'Passkey',

  verifyEmailHeading: 'E-Mail-Adresse bestätigen',
  verifyEmailBody: 'Ihre E-Mail-Adresse ist noch nicht bestätigt. Bestätigen Sie sie, um fortzufahren.',

  phoneHeading: 'Telefonnummer hinzufügen',
  phoneBody: '{app} benötigt eine Telefonnummer. Sie erhalten einen Code per SMS, um sie zu bestätigen.',

  formPostHeading: 'Einen Moment…',
  formPostBody: 'Sie werden zurückgeleitet. Wenn nichts geschieht, drücken Sie die Schaltfläche.',
  leavingBody:
    'Sie werden zu {provider} weitergeleitet. Wenn nichts geschieht, drücken Sie die Schaltfläche.',

  identifierInvalid: {
    email: 'Geben Sie eine gültige E-Mail-Adresse ein.',
    phone: 'Wählen Sie das Land und geben Sie eine gültige Telefonnummer ein.',
    either: 'Geben Sie eine gültige E-Mail-Adresse oder eine Telefonnummer mit Ländervorwahl ein.',
  },
  numberNeeded:
    'Eine SMS geht an eine Telefonnummer, nicht an eine E-Mail-Adresse. Geben Sie Ihre Nummer ein.',
  emailUnmailable:
    'An diese Adresse können wir keine E-Mails senden. Vor dem @ sind nur Ziffern, Zeichen und Buchstaben ohne Umlaute und Akzente möglich. Geben Sie eine andere Adresse ein.',
  numberAmbiguous:
    'Haben Sie die Ländervorwahl mit eingegeben? Dann ist dies Ihre Nummer. Wenn nicht, korrigieren Sie sie und senden Sie den Code.',
  methodUnavailable: 'Diese Anmeldemethode ist nicht verfügbar. Wählen Sie eine andere.',
  sendFailed:
    'Die Nachricht konnte nicht gesendet werden. Versuchen Sie es erneut oder wählen Sie eine andere Methode.',
  codeWrong: 'Dieser Code stimmt nicht. Prüfen Sie ihn und versuchen Sie es erneut.',
  codeReplaced: 'Dieser Code stimmt nicht. Nehmen Sie den aus der neuesten Nachricht.',
  codeLast: 'Dieser Code stimmt nicht. Sie haben noch einen Versuch, danach sind Codes für {wait} gesperrt.',
  codeExpired: 'Dieser Code ist abgelaufen. Fordern Sie einen neuen an.',
  linkOver:
    'Dieser Link ist abgelaufen oder wurde ersetzt. Nutzen Sie die neueste E-Mail, oder fordern Sie eine neue an.',
  codesOff:
    'Codes funktionieren hier zurzeit nicht. Wählen Sie eine andere Methode oder bitten Sie um Hilfe.',
  formExpired: 'Diese Seite war zu lange geöffnet. Bitte versuchen Sie es erneut.',
  providerFailed:
    'Das hat nicht geklappt oder wurde abgebrochen. Versuchen Sie es noch einmal oder wählen Sie einen anderen Weg.',
  accountExists:
    'Sie haben schon ein Konto mit dieser E-Mail-Adresse. Melden Sie sich auf einem anderen Weg an.',
  accountUnknown: 'Zu dieser Anmeldung gibt es kein Konto. Wählen Sie einen anderen Weg.',
  rateLimited: 'Zu viele Anfragen. Versuchen Sie es in {wait} erneut.',
  locked: 'Zu viele falsche Codes. Versuchen Sie es in {wait} erneut.',
};

export const logoutTexts = {
  signOutHeading: 'Von {app} abmelden?',
  signOutBody: 'Sie werden in diesem Browser abgemeldet.',
  signOutButton: 'Abmelden',
  signOutTip: 'Sie wollten sich nicht abmelden? Schließen Sie einfach diese Seite.',
  signedOutHeading: 'Sie sind abgemeldet',
  signedOutBody: 'Sie können diese Seite jetzt schließen.',
};

export const linkTexts = {
  continueHeading: 'Bei {app} anmelden',
  continueBody: 'Sie haben einen Anmeldelink geöffnet. Fahren Sie fort, um die Anmeldung abzuschließen.',
  resumeBody: 'Fahren Sie fort, um zu {app} zurückzukehren.',
  continueButton: 'Weiter',
  continueTo: 'Sie werden weitergeleitet zu',
  continueWarning: 'Sie haben diesen Link nicht angefordert? Schließen Sie einfach diese Seite.',
  switchBody: 'Sie sind als {from} angemeldet. Fahren Sie fort, um sich stattdessen als {to} anzumelden.',
  switchWarning: 'Haben Sie das nicht erwartet? Schließen Sie einfach diese Seite.',
};

export const connectTexts = {
  heading: '{provider} verbinden',
  body: 'Melden Sie sich bei {provider} mit dem Konto an, das Ihres hier öffnen soll. Von da an ist es eine weitere Art, sich anzumelden.',
};

export const newAddressTexts = {
  heading: 'Ihre neue E-Mail-Adresse',
  phoneHeading: 'Ihre neue Telefonnummer',
  replaces: 'Ersetzt {address}.',
  replacesProven: 'Ersetzt {address}; dort lässt sich die Änderung 7 Tage lang rückgängig machen.',
  sendCode: 'Code senden',
  sendLink: 'Link senden',
};

export const recoveryPageTexts = {
  heading: 'Zweiten Faktor verloren?',
  body: 'Sie können beantragen, einen neuen hinzuzufügen. Wir benachrichtigen alle bestätigten Adressen und Nummern Ihres Kontos, und jede kann es stoppen. Es gilt in {duration}.',
  button: 'Jetzt beantragen',
  tip: 'Doch gefunden? Gehen Sie einfach zurück.',
  startedHeading: 'Wir haben alle Ihre Adressen benachrichtigt',
  startedBody:
    'Melden Sie sich in {duration} wieder an: Dann können Sie 3 Tage lang einen neuen zweiten Faktor hinzufügen. Eine Anmeldung mit dem verlorenen stoppt das.',
  undoBody:
    'Wir können die Änderung ohne ihn rückgängig machen. Wir benachrichtigen alle bestätigten Adressen und Nummern Ihres Kontos, und jede kann es stoppen. Es gilt in {duration}.',
  undoStartedBody:
    'Öffnen Sie in {duration} den Link der E-Mail noch einmal: Dann genügt er, 3 Tage lang. Eine Anmeldung auf einem anderen Weg stoppt das.',
  impossibleHeading: 'Das ist hier nicht möglich',
  impossibleBody: 'Keine Adresse Ihres Kontos ist bestätigt. Bitte wenden Sie sich an {app}.',
  elsewhereBody:
    'Das geht bei {app} nicht, denn es bietet zu wenige Ihrer Anmeldewege. Machen Sie es auf Ihrer Kontoseite bei {place}.',
  anotherApp: 'einer anderen Anwendung',
};

export const lossTexts = {
  heading: 'Ein Anmeldeweg wurde als verloren gemeldet',
  body: 'Am {since} wurden diese Anmeldewege Ihres Kontos als verloren oder gefährdet gemeldet: {kinds}. Ab {from} fragen wir nicht mehr danach.',
  stop: 'Stoppen',
  tip: 'Waren Sie das nicht? Dann stoppen Sie es, und wir fragen weiterhin danach.',
  kinds: { mail: 'E-Mail-Adresse', phone: 'Telefonnummer', passkey: 'Passkey', social: 'verbundene Konten' },
};

export const commandLineTexts = {
  heading: 'otl auf diesem Computer für Sie handeln lassen',
  body: 'Fahren Sie nur fort, wenn Sie gerade selbst {command} auf diesem Computer gestartet haben. Das Programm kann danach alles tun, was Sie als Operator dürfen.',
  button: 'otl für mich handeln lassen',
};

export const consentTexts = {
  heading: '{client} bittet um Zugriff',
  body: 'Es möchte bei {app} für Sie handeln.',
  goesOn: 'Danach geht es bei {target} weiter.',
  onDevice:
    'Danach geht es in einer App auf diesem Gerät weiter. Erlauben Sie es nur, wenn Sie das gerade selbst in der App begonnen haben.',
  signedIn: 'Sie sind angemeldet als {person}.',
  may: 'Was es darf',
  openid: 'Wissen, dass Sie es sind',
  profile: 'Ihren Namen sehen',
  email: 'Ihre E-Mail-Adresse sehen',
  phone: 'Ihre Telefonnummer sehen',
  secondFactor: 'Verlangt eine zweite Bestätigung, dass Sie es sind',
  stay: 'Verbunden bleiben, auch wenn Sie nicht da sind',
  allow: 'Erlauben',
  deny: 'Ablehnen',
  tip: 'Sie können das jederzeit auf Ihrer Kontoseite beenden.',
};

export const accountTexts = {
  heading: 'Ihr Konto',
  scope: 'Es gilt für alle Anwendungen von {tenant}.',
  back: 'Zurück zu {app}',
  saved: 'Gespeichert.',
  isNow: 'Ihr Konto verwendet jetzt {address}.',
  emailRemoved: 'Ihre E-Mail-Adresse ist entfernt.',
  phoneRemoved: 'Ihre Telefonnummer ist entfernt.',
  ended: 'Dort abgemeldet.',
  expired: 'Die Seite war zu alt. Bitte versuchen Sie es noch einmal.',
  confirmed: 'Danke, Sie sind es. Sie können die Änderung jetzt vornehmen.',
  refused:
    'Es wurde nichts geändert. Entweder haben Sie nicht bestätigt, dass Sie es sind, oder Ihre Angabe gehört bereits zu einem anderen Konto. Wenn Sie die Änderung hier nicht vornehmen können, wenden Sie sich an {app}.',
  signIn: 'Anmelden',
  signInBody: 'Melden Sie sich an, um Ihr Konto zu sehen.',
  details: 'Name und Sprache',
  addresses: 'E-Mail und Telefon',
  name: 'Name',
  email: 'E-Mail',
  phone: 'Telefon',
  unconfirmed: 'nicht bestätigt',
  passkeys: 'Passkeys',
  noPasskeys: 'Sie haben keine.',
  unnamed: 'Passkey',
  deviceKeys: 'Geräte, die freigeben',
  identities: 'Verbundene Konten',
  consents: 'Verbundene Apps',
  added: 'Hinzugefügt am {date}',
  used: 'Zuletzt benutzt am {date}',
  sessions: 'Wo Sie angemeldet sind',
  thisBrowser: 'Dieser Browser',
  since: 'Seit {date}',
  endSession: 'Dort abmelden',
  endOthers: 'Überall sonst abmelden',
  last: 'Das ist Ihr einziger Weg zur Anmeldung. Fügen Sie erst einen anderen hinzu.',
  firstName: 'Vorname',
  lastName: 'Nachname',
  noLanguage: 'Die des Browsers',
  edit: 'Name oder Sprache ändern',
  changeEmail: 'E-Mail-Adresse ändern',
  addEmail: 'E-Mail-Adresse hinzufügen',
  changePhone: 'Telefonnummer ändern',
  addPhone: 'Telefonnummer hinzufügen',
  save: 'Speichern',
  addPasskey: 'Passkey hinzufügen',
  rename: 'Umbenennen',
  newName: 'Neuer Name',
  remove: 'Entfernen',
  disconnect: 'Trennen',
  connect: '{provider} verbinden',
  activity: 'Was zuletzt geschah',
  noActivity: 'Noch nichts.',
  data: 'Ihre Daten',
  dataBody: 'Alles, was über Sie gespeichert ist, als Datei.',
  download: 'Herunterladen',
};

export const deviceText = '{browser} auf {system}';

export const accountDeletionTexts = {
  section: 'Konto löschen',
  sectionBody: 'Sie können es 7 Tage lang rückgängig machen.',
  open: 'Mein Konto löschen',
  heading: 'Ihr Konto löschen?',
  scope: 'Es wird bei allen Anwendungen von {tenant} gelöscht.',
  now: 'Sie werden sofort überall abgemeldet, und niemand kann sich mehr bei Ihrem Konto anmelden.',
  later: 'Am {time} wird es endgültig gelöscht, mit allem, was dazu gehört.',
  toldByMail: 'Bis dahin können Sie es rückgängig machen: Wir senden einen Link an {to}.',
  toldByText: 'Bis dahin können Sie es rückgängig machen: Wir senden einen Link per SMS an {to}.',
  untold:
    'Sie haben keine bestätigte Adresse, an die wir einen Link senden können. Bis dahin kann es nur {app} rückgängig machen.',
  dataFirst: 'Möchten Sie Ihre Daten? Laden Sie sie vorher herunter.',
  keep: 'Konto behalten',
  doneHeading: 'Ihr Konto wird gelöscht',
  doneBody: 'Sie sind überall abgemeldet. Am {time} wird Ihr Konto endgültig gelöscht.',
  doneLink: 'Haben Sie es sich anders überlegt? Nutzen Sie den Link, den wir Ihnen gesendet haben.',
};

export const accountEventTexts = {
  'login.succeeded': 'Anmeldung',
  'login.failed': 'Fehlgeschlagene Anmeldung',
  'login.locked': 'Zu viele falsche Codes',
  'login.new_device': 'Anmeldung von einem neuen Gerät',
  'session.ended': 'Abmeldung',
  'session.binding_failed': 'Kopierte Anmeldung beendet',
  'user.email_added': 'E-Mail-Adresse hinzugefügt',
  'user.email_changed': 'E-Mail-Adresse geändert',
  'user.email_restored': 'E-Mail-Adresse zurückgeändert',
  'user.phone_added': 'Telefonnummer hinzugefügt',
  'user.phone_changed': 'Telefonnummer geändert',
  'user.undo_requested': 'Rücknahme einer Änderung beantragt',
  'user.recovery_requested': 'Zweiten Faktor als verloren gemeldet',
  'user.recovery_granted': 'Neuer zweiter Faktor erlaubt',
  'user.recovery_cancelled': 'Wiederherstellung gestoppt',
  'user.erasure_requested': 'Konto gelöscht',
  'user.erasure_cancelled': 'Löschung des Kontos rückgängig gemacht',
  'passkey.added': 'Passkey hinzugefügt',
  'passkey.removed': 'Passkey entfernt',
  'device_key.added': 'Gerät hinzugefügt',
  'device_key.removed': 'Gerät entfernt',
  'identity.removed': 'Konto getrennt',
  'identity.added': 'Konto verbunden',
  'grant.given': 'App verbunden',
  'grant.ended': 'App getrennt',
};

export const noticeLinkTexts = {
  address: {
    heading: 'Ihre E-Mail-Adresse bei {app} zurückholen?',
    body: 'Ihr Konto bekommt die E-Mail-Adresse zurück, an die dieser Link ging. Alle Geräte werden abgemeldet.',
    button: 'Zurückholen',
    tip: 'Sie haben die Adresse selbst geändert? Schließen Sie einfach diese Seite.',
    doneHeading: 'Ihre E-Mail-Adresse ist zurück',
    doneBody:
      'Alle Geräte sind abgemeldet. Melden Sie sich mit dieser Adresse an und entfernen Sie Passkeys und Geräte, die Sie nicht kennen.',
  },
  change: {
    heading: 'Änderung bei {app} rückgängig machen?',
    body: 'Adressen und Passkeys Ihres Kontos sind wieder wie vor der Änderung, und was seitdem hinzukam, öffnet es nicht mehr. Alle Geräte werden abgemeldet.',
    button: 'Rückgängig machen',
    tip: 'Waren Sie das selbst? Schließen Sie einfach diese Seite.',
    doneHeading: 'Die Änderung ist rückgängig gemacht',
    doneBody:
      'Alle Geräte sind abgemeldet. Melden Sie sich an wie zuvor, und entfernen Sie Passkeys und Geräte, die Sie nicht kennen.',
  },
  reclaimed: {
    heading: 'Soll diese Adresse Ihr Konto bei {app} wieder öffnen?',
    body: 'Eine andere Adresse oder Nummer Ihres Kontos wurde bestätigt, und diese Adresse öffnet es nicht mehr. Bestätigen Sie beide in diesem Browser, erst diese Adresse und dann die andere: Dann öffnen es beide.',
    button: 'Weiter',
    tip: 'Nicht Ihr Konto? Schließen Sie einfach diese Seite.',
  },
  recovery: {
    heading: 'Die Wiederherstellung bei {app} stoppen?',
    body: 'Jemand gibt an, den zweiten Faktor Ihres Kontos nicht nutzen zu können. Stoppen Sie das, wenn Sie es nicht waren.',
    button: 'Stoppen',
    tip: 'Waren Sie es? Schließen Sie einfach diese Seite.',
    doneHeading: 'Die Wiederherstellung ist gestoppt',
    doneBody:
      'Wenn Sie sie nicht angefordert haben, liest vielleicht jemand Ihre Nachrichten: Ändern Sie das Passwort Ihres Postfachs und entfernen Sie Passkeys und Geräte, die Sie nicht kennen.',
  },
  erasure: {
    heading: 'Ihr Konto bei {app} behalten?',
    body: 'Ihr Konto ist geschlossen und wird gelöscht. Wenn Sie es behalten, können Sie sich wieder anmelden wie zuvor.',
    button: 'Konto behalten',
    tip: 'Soll es gelöscht werden? Schließen Sie einfach diese Seite.',
    doneHeading: 'Ihr Konto bleibt bestehen',
    doneBody:
      'Sie können sich wieder anmelden. Wenn Sie es nicht selbst gelöscht haben, entfernen Sie auf Ihrer Kontoseite Passkeys und Geräte, die Sie nicht kennen.',
  },
  takenHeading: 'Ein anderes Konto hat diese Adresse',
  takenBody:
    'Ein anderes Konto nutzt inzwischen die Adresse oder Nummer. Sie lässt sich nicht zurückholen. Bitte wenden Sie sich an {app}.',
  overHeading: 'Dieser Link wurde schon benutzt',
  overBody:
    'Oder er wird nicht mehr gebraucht. Wenn mit Ihrem Konto etwas nicht stimmt, wenden Sie sich an {app}.',
};

export const messageTexts = {
  link: {
    subject: 'Bei {app} anmelden',
    headerText: 'Bei {app} anmelden',
    bodyText: 'Melden Sie sich mit der Schaltfläche an. Ein Passwort brauchen Sie nicht.',
    infoText: 'Der Link funktioniert nur einmal und läuft in {duration} ab.',
    footerText: 'Wenn Sie diese E-Mail nicht angefordert haben, können Sie sie ignorieren.',
  },
  code: {
    subject: 'Ihr Code für {app}',
    headerText: 'Ihr Anmeldecode',
    bodyText: 'Geben Sie diesen Code ein, um sich bei {app} anzumelden:',
    infoText: 'Der Code funktioniert nur einmal und läuft in {duration} ab.',
    footerText:
      'Geben Sie den Code nicht weiter: Wir fragen nie danach. Wenn Sie diese E-Mail nicht angefordert haben, können Sie sie ignorieren.',
  },
  openWhereBegan: 'Öffnen Sie ihn in dem Browser, in dem Sie begonnen haben.',
  linkText: 'Anmelden',
  signUp: {
    link: {
      subject: 'Ihr Konto bei {app}',
      headerText: 'Ihr Konto bei {app}',
      bodyText:
        'Diese Adresse hat bei {app} noch kein Konto. Mit der Schaltfläche erstellen Sie eins. Ein Passwort brauchen Sie nicht.',
    },
    code: {
      headerText: 'Ihr Registrierungscode',
      bodyText:
        'Diese Adresse hat bei {app} noch kein Konto. Geben Sie diesen Code ein, um eins zu erstellen:',
    },
    linkText: 'Konto erstellen',
  },
  confirm: {
    title: 'Bestätigen Sie Ihre neue Adresse bei {app}',
    byLink: 'Bestätigen Sie mit der Schaltfläche, dass diese Adresse bei {app} Ihnen gehört.',
    byCode: 'Geben Sie diesen Code ein, um zu bestätigen, dass diese Adresse bei {app} Ihnen gehört:',
    linkText: 'Bestätigen',
  },
  orLink: 'Oder nutzen Sie die Schaltfläche in dem Browser, in dem Sie begonnen haben:',
  eitherOnce:
    'Eins von beiden genügt, und es funktioniert einmal. Der Code läuft in {code} ab, die Schaltfläche in {link}.',
  requestedAt: 'Angefordert am {time}.',
  requestedOn: 'Angefordert am {time} mit {device}.',
  linkFallback: 'Die Schaltfläche funktioniert nicht? Kopieren Sie diese Adresse in Ihren Browser:',
  approving: 'Sie bestätigen',
  approval: {
    link: {
      subject: 'Freigabe bei {app}',
      headerText: 'Freigabe bei {app}',
      bodyText: 'Prüfen Sie die Angaben und nutzen Sie die Schaltfläche nur, wenn Sie sie freigeben.',
    },
    code: {
      subject: 'Ihr Freigabecode für {app}',
      headerText: 'Ihr Freigabecode',
      bodyText: 'Prüfen Sie die Angaben und geben Sie den Code nur ein, wenn Sie ihnen zustimmen.',
    },
    linkText: 'Freigeben',
  },
  letInBody:
    'Mit diesem Code öffnet Ihre Adresse Ihr Konto bei {app} wieder. Geben Sie ihn nur ein, wenn Sie das möchten:',
};

export const codeSmsText = '{code} ist Ihr Code für {app}. Geben Sie ihn nicht weiter.';

export const noticeTexts = {
  titles: {
    new_device: 'Neue Anmeldung bei {app}',
    binding_failed: 'Eine kopierte Anmeldung bei {app} wurde beendet',
    locked: 'Zu viele falsche Codes bei {app}',
    passkey_added: 'Ein Passkey wurde bei {app} hinzugefügt',
    passkey_removed: 'Ein Passkey wurde bei {app} entfernt',
    device_key_added: 'Ein Gerät wurde bei {app} hinzugefügt',
    device_key_removed: 'Ein Gerät wurde bei {app} entfernt',
    identity_added: 'Ein weiterer Weg zur Anmeldung bei {app}',
    identity_removed: 'Ein Konto wurde bei {app} getrennt',
    client_connected: 'Eine App wurde bei {app} verbunden',
    email_added: 'Eine E-Mail-Adresse wurde bei {app} hinzugefügt',
    email_changed: 'Ihre E-Mail-Adresse bei {app} wurde geändert',
    email_restored: 'Die Änderung Ihrer E-Mail-Adresse bei {app} wurde rückgängig gemacht',
    phone_added: 'Eine Telefonnummer wurde bei {app} hinzugefügt',
    phone_changed: 'Ihre Telefonnummer bei {app} wurde geändert',
    recovery_requested: 'Wiederherstellung Ihres Kontos bei {app}',
    recovery_granted: 'Die Wiederherstellung Ihres Kontos bei {app} wurde gewährt',
    recovery_cancelled: 'Die Wiederherstellung Ihres Kontos bei {app} wurde gestoppt',
    undo_requested: 'Eine Änderung bei {app} soll rückgängig gemacht werden',
    reclaimed: 'Diese Adresse öffnet Ihr Konto bei {app} nicht mehr',
    erasure_requested: 'Ihr Konto bei {app} wird gelöscht',
    erasure_cancelled: 'Ihr Konto bei {app} bleibt bestehen',
    erasure_waits: 'Ihr Konto bei {app} wartet auf seine Löschung',
  },
  bodies: {
    new_device: 'Jemand hat sich mit einem Gerät, das wir noch nicht kennen, bei Ihrem Konto angemeldet.',
    binding_failed:
      'Jemand wollte eine Anmeldung bei Ihrem Konto ohne das Gerät fortsetzen, zu dem sie gehört. Wir haben diese Anmeldung beendet.',
    locked:
      'Jemand hat für Ihr Konto mehrmals einen falschen Code eingegeben. Die Anmeldung mit Code ist dort für einige Zeit gesperrt.',
    passkey_added: 'Ihrem Konto wurde ein Passkey hinzugefügt. Wer ihn besitzt, kann sich damit anmelden.',
    passkey_removed:
      'Ein Passkey wurde aus Ihrem Konto entfernt. Eine Anmeldung damit ist nicht mehr möglich.',
    device_key_added:
      'Ihrem Konto wurde der Schlüssel eines Geräts hinzugefügt. Er kann in Ihrem Namen freigeben.',
    device_key_removed:
      'Der Schlüssel eines Geräts wurde aus Ihrem Konto entfernt. Er gibt nichts mehr frei.',
    identity_added:
      'Ihr Konto wurde mit einem Konto bei einem anderen Anbieter verbunden. Wer es besitzt, kann sich damit anmelden.',
    identity_removed:
      'Ein Konto bei einem anderen Anbieter wurde von Ihrem Konto getrennt. Es meldet nicht mehr an.',
    client_connected:
      'Sie haben einer App erlaubt, für Sie zu handeln. Ihre Kontoseite zeigt, was sie darf, und beendet es.',
    email_added: 'Ihr Konto hat jetzt eine E-Mail-Adresse. Bisher hatte es keine.',
    email_changed:
      'Diese Adresse gehört nicht mehr zu Ihrem Konto. Sie erhalten hier keine E-Mails zur Anmeldung mehr.',
    email_restored:
      'Die frühere Adresse Ihres Kontos hat die Änderung rückgängig gemacht. Sie erhalten hier keine E-Mails zur Anmeldung mehr.',
    phone_added: 'Ihr Konto hat jetzt eine Telefonnummer. Bisher hatte es keine.',
    phone_changed: 'Die Telefonnummer Ihres Kontos wurde geändert oder entfernt.',
    recovery_requested:
      'Jemand gibt an, dass Anmeldewege Ihres Kontos verloren sind, oder sie wurden als gefährdet gemeldet. Ab der unten genannten Zeit wird nicht mehr danach gefragt.',
    recovery_granted: 'Ab jetzt genügt 3 Tage lang ein Faktor, um Ihrem Konto einen weiteren hinzuzufügen.',
    recovery_cancelled: 'Wir fragen weiterhin nach den Anmeldewegen, die als verloren gemeldet waren.',
    undo_requested:
      'Jemand mit dem Link einer früheren E-Mail möchte eine Änderung Ihres Kontos rückgängig machen und gibt an, es auf keinem anderen Weg bestätigen zu können. Ab der unten genannten Zeit genügt dieser Link.',
    reclaimed:
      'Ihrem Konto wurde eine andere Adresse oder Nummer hinzugefügt und bestätigt. Seitdem öffnet diese Adresse es nicht mehr.',
    erasure_requested:
      'Ihr Konto ist geschlossen: Niemand kann sich dort anmelden. Zum Zeitpunkt unten wird es endgültig gelöscht, mit allem, was dazu gehört.',
    erasure_cancelled: 'Ihr Konto wird nicht gelöscht. Sie können sich anmelden wie zuvor.',
    erasure_waits:
      'Jemand möchte sich bei Ihrem Konto anmelden. Es ist geschlossen und wird zum unten genannten Zeitpunkt endgültig gelöscht. Behalten Sie es mit dem Link, dann können Sie sich wieder anmelden.',
  },
  changedByOperator:
    'Der Support von {app} hat eine E-Mail-Adresse oder Telefonnummer Ihres Kontos geändert.',
  opensFrom:
    'Bis zum unten genannten Zeitpunkt kann man sich damit nur zusammen mit einer anderen Anmeldemethode Ihres Kontos anmelden, danach auch ohne sie.',
  time: 'Zeit',
  device: 'Gerät',
  client: 'Anwendung',
  provider: 'Anbieter',
  passkey: 'Passkey',
  takesEffect: 'Gilt ab',
  erasedAt: 'Endgültig gelöscht',
  footerText:
    'Wenn Sie das waren, brauchen Sie nichts zu tun. Wenn nicht, wenden Sie sich auf dem gewohnten Weg an {app}. Diese E-Mail enthält keine Links.',
  accountText: 'Ihr Konto ansehen',
  accountFooterText:
    'Wenn Sie das waren, brauchen Sie nichts zu tun. Wenn nicht, sehen Sie sich Ihr Konto an und wenden Sie sich auf dem gewohnten Weg an {app}. Der Link in dieser E-Mail führt zu {host} und nirgendwo anders hin. Wir bitten Sie nie, einen Code weiterzugeben.',
  undoText: 'Das war ich nicht',
  undoFooterText:
    'Wenn Sie das waren, brauchen Sie nichts zu tun. Wenn nicht, benutzen Sie den Link innerhalb von 7 Tagen: Ihr Konto ist wieder wie zuvor, und alle Geräte werden abgemeldet.',
  stopRecovery: 'Wenn Sie das waren, brauchen Sie nichts zu tun. Wenn nicht, stoppen Sie sie mit dem Link.',
  keepText: 'Konto behalten',
  keepFooterText:
    'Wenn Sie das wollen, müssen Sie nichts tun. Wenn nicht, nutzen Sie den Link vor diesem Zeitpunkt.',
  letInText: 'Wieder zulassen',
  letInFooterText:
    'Wenn das Konto Ihnen gehört, benutzen Sie den Link innerhalb von 7 Tagen und bestätigen Sie beide Adressen. Wenn Sie diese Adresse dort nicht mehr wollen, brauchen Sie nichts zu tun.',
};

export const noticeSmsTexts = {
  account_changed:
    'Die Anmeldung bei Ihrem Konto bei {app} wurde geändert. Waren Sie das nicht? Dann wenden Sie sich an {app}.',
  number_removed:
    'Diese Nummer gehört nicht mehr zu Ihrem Konto bei {app}. Waren Sie das nicht? Dann wenden Sie sich an {app}.',
  recovery:
    'Jemand meldet den zweiten Faktor Ihres Kontos bei {app} als verloren. Waren Sie das nicht? Melden Sie sich damit an: das stoppt es.',
  shut_out:
    'Diese Nummer öffnet Ihr Konto bei {app} nicht mehr. Waren Sie das nicht? Dann wenden Sie sich an {app}.',
  account_erased: 'Ihr Konto bei {app} wird in 7 Tagen gelöscht. Behalten:',
  factor_enrolled: 'Ihr Konto bei {app} hat einen neuen zweiten Faktor. Nicht von Ihnen? Rückgängig machen:',
  changed_by_operator:
    'Der Support hat eine Adresse oder Nummer Ihres Kontos bei {app} geändert. Nicht von Ihnen? Stoppen:',
};

export const deadEndWords = {
  retryIn: 'Versuchen Sie es in {wait} erneut.',
  home: 'Weiter zu {app}',
  requestId: 'Anfrage-ID',
  signOut: 'Hier abmelden',
  report: 'Wenn das wieder passiert, senden Sie dem Anbieter der App die Angaben unten.',
};

export const deadEnds = {
  codeElsewhere: {
    heading: 'Geben Sie den Code dort ein, wo Sie begonnen haben',
    body: 'Diese Anmeldung wurde in einem anderen Browser oder auf einem anderen Gerät begonnen. Geben Sie dort den Code aus der E-Mail ein.',
    hint: 'Oder gehen Sie zurück zur App oder Website und beginnen Sie in diesem Browser neu.',
  },
  cookiesNeeded: {
    heading: 'Cookies werden benötigt',
    body: 'Ihr Browser blockiert hier Cookies. Deshalb können wir nicht erkennen, ob Sie es noch sind.',
    hint: 'Erlauben Sie Cookies für diese Website, gehen Sie zurück zur App oder Website und melden Sie sich erneut an.',
  },
  hintBroken: {
    heading: 'Sie sind noch angemeldet',
    body: 'Die App oder Website wollte Sie abmelden. Was sie dazu über Ihre Anmeldung geschickt hat, ist aber fehlerhaft.',
    hint: 'Gehen Sie dorthin zurück und melden Sie sich erneut ab.',
  },
  linkUnknown: {
    heading: 'Dieser Link funktioniert nicht',
    body: 'Vielleicht ist er unvollständig oder zu alt.',
    hint: 'Öffnen Sie die App oder Website noch einmal und fordern Sie einen neuen Link an.',
  },
  loginDone: {
    heading: 'Sie sind angemeldet',
    body: 'Diese Anmeldung ist abgeschlossen. Sie können diese Seite schließen.',
    hint: 'Oder gehen Sie zurück zur App oder Website.',
  },
  loginExpired: {
    heading: 'Diese Anmeldung ist abgelaufen',
    body: 'Sie hat zu lange gedauert oder ist bereits abgeschlossen.',
    hint: 'Gehen Sie zurück zur App oder Website und melden Sie sich erneut an.',
  },
  notFound: {
    heading: 'Hier ist nichts',
    body: 'Vielleicht ist die Adresse unvollständig, oder die Seite ist umgezogen.',
    hint: 'Prüfen Sie die Adresse, oder gehen Sie zurück zur App oder Website, von der Sie kommen.',
  },
  rateLimited: {
    heading: 'Zu viele Anfragen',
    body: 'Aus Ihrem Netzwerk kamen in kurzer Zeit zu viele Versuche.',
    hint: 'Warten Sie eine Minute und versuchen Sie es erneut.',
  },
  redirectNotAllowed: {
    heading: 'Von hier können wir Sie nicht zurückleiten',
    body: 'Die Adresse, zu der Sie weitergeleitet würden, ist für diese App nicht registriert. Zu Ihrem Schutz halten wir hier an.',
    hint: 'Gehen Sie zurück zur App oder Website und versuchen Sie es erneut.',
  },
  requestWrong: {
    heading: 'Diese Seite lässt sich so nicht öffnen',
    body: 'Die App oder Website, die Sie hierher geschickt hat, hat in ihrer Anfrage einen Fehler gemacht.',
    hint: 'Gehen Sie dorthin zurück und versuchen Sie es erneut.',
  },
  serverError: {
    heading: 'Etwas ist schiefgegangen',
    body: 'Der Fehler liegt bei uns, nicht bei Ihnen.',
    hint: 'Warten Sie einen Moment, gehen Sie zurück zur App oder Website und melden Sie sich erneut an.',
  },
  wrongBrowser: {
    heading: 'Diese Anmeldung gehört zu einem anderen Browser',
    body: 'Sie wurde in einem anderen Browser oder auf einem anderen Gerät begonnen und kann nur dort abgeschlossen werden. Kopieren Sie den Link, der Sie hierher geführt hat, und öffnen Sie ihn dort.',
    hint: 'Oder gehen Sie zurück zur App oder Website und beginnen Sie in diesem Browser neu.',
  },
};
