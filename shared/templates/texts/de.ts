import type { LoginTexts } from './login-texts.ts';

export const de: LoginTexts = {
  continueButton: 'Weiter',
  back: 'Zurück',
  cancelLogin: (app) => `Abbrechen und zurück zu ${app}`,
  or: 'oder',
  errorTitle: (title) => `Fehler: ${title}`,

  signInHeading: (app) => `Bei ${app} anmelden`,
  signUpHeading: (app) => `Bei ${app} registrieren`,
  signUpHint: 'Sie haben schon ein Konto? Dann melden dieselben Schritte Sie an.',
  fieldLabel: {
    email: 'E-Mail-Adresse',
    phone: 'Telefonnummer',
    either: 'E-Mail-Adresse oder Telefonnummer',
  },
  phoneHint:
    'Eine Telefonnummer kann mit + und der Ländervorwahl beginnen, zum Beispiel +49. Sonst fragen wir im nächsten Schritt nach dem Land.',
  countryLabel: 'Land',
  countryNone: 'Land auswählen',
  countryHint: 'Eine Nummer aus einem anderen Land? Beginnen Sie mit + und der Ländervorwahl.',
  countryHeading: 'Aus welchem Land ist Ihre Nummer?',
  sendCodeBySms: 'Code per SMS erhalten',
  sendLink: 'Link per E-Mail erhalten',
  usePasskey: 'Passkey verwenden',
  passkeyCancelled:
    'Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Weg.',
  passkeyInvalid:
    'Dieser Passkey passt hier nicht. Wählen Sie einen anderen oder melden Sie sich auf einem anderen Weg an.',
  passkeyUnsupported: 'Dieser Browser kann keine Passkeys verwenden. Wählen Sie einen anderen Weg.',
  passkeyNeedsScript:
    'Passkeys brauchen JavaScript, das in diesem Browser ausgeschaltet ist. Bitte wählen Sie einen anderen Weg.',
  registerHeading: 'Passkey hinzufügen',
  registerBody: (app) =>
    `Beim nächsten Mal melden Sie sich bei ${app} mit Fingerabdruck, Gesicht oder Displaysperre an. Ohne Codes, ohne sich etwas zu merken.`,
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
  continueWith: (provider) => `Weiter mit ${provider}`,
  logInWith: (provider) => `Mit ${provider} anmelden`,

  checkEmailHeading: 'Prüfen Sie Ihre E-Mails',
  checkPhoneHeading: 'Prüfen Sie Ihre SMS',
  codeOnItsWay: (toHtml) => `Wenn es ein Konto für ${toHtml} gibt, ist ein Code unterwegs.`,
  linkOnItsWay: (toHtml) => `Wenn es ein Konto für ${toHtml} gibt, ist ein Link unterwegs.`,
  codeToAll: (toHtml) => `Wenn ${toHtml} hier verwendet werden kann, ist ein Code unterwegs.`,
  linkToAll: (toHtml) => `Wenn ${toHtml} hier verwendet werden kann, ist ein Link unterwegs.`,
  codeSent: (toHtml) => `Wir haben einen Code an ${toHtml} gesendet.`,
  linkSent: (toHtml) => `Wir haben einen Link an ${toHtml} gesendet.`,
  codeOrLink: 'Geben Sie ihn hier ein, oder öffnen Sie in diesem Browser den Link aus derselben E-Mail.',
  codeLabel: 'Code',
  codeFormat: 'Der Code besteht nur aus Ziffern.',
  codeTip: 'Geben Sie diesen Code nicht weiter: Wir fragen nie danach.',
  codeSubmitsItself: 'Mit der letzten Ziffer wird er von selbst gesendet.',
  codeClosedHeading: 'Dieser Code ist gesperrt',
  codeClosedLink:
    'Wir haben ihn zu Ihrem Schutz gesperrt. Ein Link per E-Mail funktioniert jetzt, ebenso ein anderer Weg.',
  codeClosedOther: 'Wir haben ihn zu Ihrem Schutz gesperrt. Ein anderer Weg funktioniert jetzt.',
  linkTip:
    'Öffnen Sie ihn in diesem Browser. Es kann eine Minute dauern; sehen Sie auch im Spam-Ordner nach.',
  resendCode: 'Neuen Code senden',
  resendLink: 'Neuen Link senden',
  resendWait: (time) => `Möglich in ${time}`,
  resendReady: 'Sie können jetzt einen neuen anfordern.',
  changeIdentifier: 'Falsche Adresse oder Nummer? Ändern',
  changeMethod: 'Andere Methode wählen',

  secondFactorHeading: 'Bestätigen Sie Ihre Identität',
  secondFactorBody: 'Noch ein Schritt zum Schutz Ihres Kontos. Wie möchten Sie bestätigen?',
  secondFactorForPasskey:
    'Bestätigen Sie Ihre Identität, um einen Passkey hinzuzufügen. Wie möchten Sie bestätigen?',
  aloneBody: 'Das allein öffnet Ihr Konto nicht. Bestätigen Sie auf einem weiteren Weg, dann öffnet es.',
  codeByEmail: 'Code per E-Mail',
  codeBySms: 'Code per SMS',
  linkByEmail: 'Link per E-Mail',
  passkey: 'Passkey',

  verifyEmailHeading: 'E-Mail-Adresse bestätigen',
  verifyEmailBody: 'Ihre E-Mail-Adresse ist noch nicht bestätigt. Bestätigen Sie sie, um fortzufahren.',

  phoneHeading: 'Telefonnummer hinzufügen',
  phoneBody: (app) =>
    `${app} benötigt eine Telefonnummer. Sie erhalten einen Code per SMS, um sie zu bestätigen.`,

  signOutHeading: (app) => `Von ${app} abmelden?`,
  signOutBody: 'Sie werden in diesem Browser abgemeldet.',
  signOutButton: 'Abmelden',
  signOutTip: 'Sie wollten sich nicht abmelden? Schließen Sie einfach diese Seite.',
  signedOutHeading: 'Sie sind abgemeldet',
  signedOutBody: 'Sie können diese Seite jetzt schließen.',

  formPostHeading: 'Einen Moment…',
  formPostBody: 'Sie werden zurückgeleitet. Wenn nichts geschieht, drücken Sie die Schaltfläche.',

  identifierInvalid: {
    email: 'Geben Sie eine gültige E-Mail-Adresse ein.',
    phone: 'Wählen Sie das Land und geben Sie eine gültige Telefonnummer ein.',
    either: 'Geben Sie eine gültige E-Mail-Adresse oder eine Telefonnummer mit Ländervorwahl ein.',
  },
  numberNeeded:
    'Eine SMS geht an eine Telefonnummer, nicht an eine E-Mail-Adresse. Geben Sie Ihre Nummer ein.',
  methodUnavailable: 'Diese Anmeldemethode ist nicht verfügbar. Wählen Sie eine andere.',
  sendFailed:
    'Die Nachricht konnte nicht gesendet werden. Versuchen Sie es erneut oder wählen Sie eine andere Methode.',
  codeWrong: 'Dieser Code stimmt nicht. Prüfen Sie ihn und versuchen Sie es erneut.',
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
  rateLimited: (wait) => `Zu viele Anfragen. Versuchen Sie es in ${wait} erneut.`,
  locked: (wait) => `Zu viele falsche Codes. Versuchen Sie es in ${wait} erneut.`,
};
