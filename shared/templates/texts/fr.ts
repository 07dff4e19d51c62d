export const ownName = 'Français';

export const footerTexts = {
  help: 'Aide',
  terms: 'Conditions',
  privacy: 'Confidentialité',
  language: 'Langue',
};

export const loginTexts = {
  continueButton: 'Continuer',
  back: 'Retour',
  cancelLogin: 'Annuler et revenir à {app}',
  or: 'ou',
  moreWays: 'Autres méthodes',
  errorTitle: 'Erreur\u00a0: {title}',

  signInHeading: 'Connexion à {app}',
  approveHeading: 'Connectez-vous pour approuver',
  signUpHeading: 'Inscription à {app}',
  signUpHint: 'Vous avez déjà un compte\u00a0? Les mêmes étapes vous connectent.',
  fieldLabel: {
    email: 'Adresse e-mail',
    phone: 'Numéro de téléphone',
    either: 'E-mail ou numéro de téléphone',
  },
  countryLabel: 'Pays',
  countryNone: 'Choisissez un pays',
  countryHint: 'Un numéro d’un autre pays\u00a0? Commencez par + et l’indicatif du pays.',
  countryHeading: 'De quel pays est votre numéro\u00a0?',
  sendCodeBySms: 'Recevoir un code par SMS',
  sendLink: 'Recevoir un lien par e-mail',
  usePasskey: 'Utiliser une clé d’accès',
  passkeyCancelled: 'Aucune clé d’accès n’a été utilisée. Réessayez ou choisissez une autre méthode.',
  passkeyExpired: 'Vous avez mis trop de temps. Utilisez de nouveau votre clé d’accès.',
  passkeyInvalid:
    'Cette clé d’accès ne convient pas ici. Choisissez-en une autre, ou une autre méthode de connexion.',
  passkeyUnsupported: 'Ce navigateur ne prend pas en charge les clés d’accès. Choisissez une autre méthode.',
  passkeyNeedsScript:
    'Les clés d’accès ont besoin de JavaScript, désactivé dans ce navigateur. Choisissez une autre méthode.',
  registerHeading: 'Ajoutez une clé d’accès',
  registerBody:
    'La prochaine fois, connectez-vous à {app} avec votre empreinte, votre visage ou le verrouillage de l’écran.',
  factorNeeded: '{app} demande un second moyen de confirmer que c’est vous.',
  registerButton: 'Ajouter une clé d’accès',
  registerLater: 'Pas maintenant',
  cannotGiveFactor: 'Je ne peux utiliser aucun de ces moyens',
  registerBack: 'Annuler',
  registerCancelled: 'Aucune clé d’accès n’a été créée. Réessayez ou continuez sans.',
  registerExists: 'Cet appareil a déjà une clé d’accès pour vous.',
  passkeyNotSaved: 'La clé d’accès n’a pas pu être enregistrée. Réessayez ou continuez sans.',
  approvalHeading: 'Vérifiez ce que vous approuvez',
  approvalTip: 'Ce n’est pas ce que vous attendiez\u00a0? Fermez simplement cette page.',
  continueWith: 'Continuer avec {provider}',
  logInWith: 'Se connecter avec {provider}',

  checkEmailHeading: 'Consultez vos e-mails',
  checkPhoneHeading: 'Consultez votre téléphone',
  codeOnItsWay: 'Si {to} a un compte, un code est en route.',
  linkOnItsWay: 'Si {to} a un compte, un lien est en route.',
  codeSent: 'Nous avons envoyé un code à {to}.',
  linkSent: 'Nous avons envoyé un lien à {to}.',
  sentAgain: 'Nous avons envoyé un nouveau {what} à {to} à {time}.',
  onItsWayAgain: 'Si {to} a un compte, un nouveau {what} est parti à {time}.',
  codeWord: 'code',
  linkWord: 'lien',
  codeLabel: 'Code',
  codeFormat: 'Le code ne contient que des chiffres.',
  codesOffHeading: 'Les codes ne fonctionnent pas pour le moment',
  codeClosedHeading: 'Ce code est bloqué',
  codeClosedLink:
    'Nous l’avons bloqué pour vous protéger. Vous pouvez toujours vous connecter avec un lien par e-mail ou par un autre moyen.',
  codeClosedOther:
    'Nous l’avons bloqué pour vous protéger. Vous pouvez toujours vous connecter par un autre moyen.',
  linkTip: 'Ouvrez-le dans ce navigateur.',
  nothingThere: 'Rien reçu\u00a0?',
  lookInSpam: 'Cherchez dans vos indésirables un e-mail de {sender}.',
  resendCode: 'Envoyer un nouveau code',
  resendLink: 'Envoyer un nouveau lien',
  resendWait: 'Disponible dans {time}',
  resendReady: 'Vous pouvez maintenant faire une nouvelle demande.',
  change: 'Modifier',
  changeIdentifier: 'Utiliser une autre adresse ou méthode',
  changeMethod: 'Essayer autrement',

  secondFactorHeading: 'Confirmez votre identité',
  secondFactorBody: 'Comment souhaitez-vous confirmer\u00a0?',
  secondFactorForPasskey: 'Pour ajouter une clé d’accès, confirmez votre identité.',
  staleBody:
    '{provider} ne nous a pas indiqué que vous venez de vous y connecter. Confirmez d’une autre manière.',
  staleOnlyBody:
    '{provider} ne nous a pas indiqué que vous venez de vous y connecter. Déconnectez-vous de {provider}, puis réessayez. Si cette page réapparaît\u00a0: déconnectez-vous aussi ici, reconnectez-vous, et ajoutez une adresse e-mail ou une clé d’accès sur la page de votre compte. Vous pourrez ensuite confirmer avec.',
  aloneBody: 'Cela seul n’ouvre pas votre compte. Confirmez d’une autre manière encore, et cela l’ouvrira.',
  codeByEmail: 'Code par e-mail',
  codeBySms: 'Code par SMS',
  linkByEmail: 'Lien par e-mail',
  passkey: 'Clé d’accès',

  verifyEmailHeading: 'Confirmez votre adresse e-mail',
  verifyEmailBody:
    'Votre adresse e-mail n’est pas encore confirmée. Confirmez qu’elle est à vous pour continuer.',

  phoneHeading: 'Ajoutez votre numéro de téléphone',
  phoneBody:
    '{app} a besoin d’un numéro de téléphone. Vous recevrez un code par SMS pour confirmer qu’il est à vous.',

  formPostHeading: 'Un instant…',
  formPostBody: 'Vous retournez à l’application. Si rien ne se passe, appuyez sur le bouton.',
  leavingBody: 'Vous allez être redirigé vers {provider}. Si rien ne se passe, appuyez sur le bouton.',

  identifierInvalid: {
    email: 'Saisissez une adresse e-mail valide.',
    phone: 'Choisissez le pays et saisissez un numéro de téléphone valide.',
    either: 'Saisissez une adresse e-mail valide ou un numéro de téléphone avec l’indicatif du pays.',
  },
  numberNeeded:
    'Un SMS part vers un numéro de téléphone, pas vers une adresse e-mail. Saisissez votre numéro.',
  emailUnmailable:
    'Nous ne pouvons pas envoyer d’e-mail à cette adresse. Avant le @, seuls les lettres sans accent, les chiffres et les symboles sont possibles. Saisissez une autre adresse.',
  numberAmbiguous:
    'Avez-vous saisi l’indicatif du pays\u00a0? Dans ce cas, ce numéro est le vôtre. Sinon, corrigez-le et envoyez le code.',
  methodUnavailable: 'Ce mode de connexion n’est pas disponible. Choisissez-en un autre.',
  sendFailed: 'Le message n’a pas pu être envoyé. Réessayez ou choisissez un autre moyen.',
  codeWrong: 'Ce code n’est pas correct. Vérifiez-le et réessayez.',
  codeReplaced: 'Ce code n’est pas correct. Utilisez celui du dernier message.',
  codeLast:
    'Ce code n’est pas correct. Il vous reste un essai, ensuite les codes seront bloqués pendant {wait}.',
  codeExpired: 'Ce code a expiré. Demandez-en un nouveau.',
  linkOver: 'Ce lien a expiré ou a été remplacé. Utilisez le dernier e-mail ou demandez-en un nouveau.',
  codesOff:
    'Les codes ne fonctionnent pas ici pour le moment. Choisissez un autre moyen ou demandez de l’aide.',
  formExpired: 'Cette page est restée ouverte trop longtemps. Veuillez réessayer.',
  providerFailed: 'Cela n’a pas fonctionné ou a été annulé. Réessayez, ou choisissez une autre méthode.',
  accountExists: 'Vous avez déjà un compte avec cette adresse e-mail. Connectez-vous d’une autre manière.',
  accountUnknown: 'Aucun compte ne correspond à cette connexion. Choisissez une autre méthode.',
  rateLimited: 'Trop de demandes. Réessayez dans {wait}.',
  locked: 'Trop de codes incorrects. Réessayez dans {wait}.',
};

export const logoutTexts = {
  signOutHeading: 'Se déconnecter de {app}\u00a0?',
  signOutBody: 'Vous serez déconnecté dans ce navigateur.',
  signOutButton: 'Se déconnecter',
  signOutTip: 'Vous ne vouliez pas vous déconnecter\u00a0? Fermez simplement cette page.',
  signedOutHeading: 'Vous êtes déconnecté',
  signedOutBody: 'Vous pouvez fermer cette page.',
};

export const linkTexts = {
  continueHeading: 'Connexion à {app}',
  continueBody: 'Vous avez ouvert un lien de connexion. Continuez pour terminer la connexion.',
  resumeBody: 'Continuez pour retourner à {app}.',
  continueButton: 'Continuer',
  continueTo: 'Vous serez dirigé vers',
  continueWarning: 'Vous n’avez pas demandé ce lien\u00a0? Fermez simplement cette page.',
  switchBody: 'Vous êtes connecté en tant que {from}. Continuez pour vous connecter en tant que {to}.',
  switchWarning: 'Vous ne vous y attendiez pas\u00a0? Fermez simplement cette page.',
};

export const connectTexts = {
  heading: 'Associer {provider}',
  body: 'Connectez-vous chez {provider} avec le compte qui doit ouvrir le vôtre ici. Ce sera ensuite une façon de plus de vous connecter.',
};

export const newAddressTexts = {
  heading: 'Votre nouvelle adresse e-mail',
  phoneHeading: 'Votre nouveau numéro de téléphone',
  replaces: 'Remplace {address}.',
  replacesProven: 'Remplace {address}, qui peut annuler le changement pendant 7 jours.',
  sendCode: 'Envoyer un code',
  sendLink: 'Envoyer un lien',
};

export const recoveryPageTexts = {
  heading: 'Vous avez perdu votre second facteur\u00a0?',
  body: 'Vous pouvez demander à en ajouter un nouveau. Nous prévenons toutes les adresses et tous les numéros confirmés de votre compte, et chacun peut l’arrêter. Cela fonctionne dans {duration}.',
  button: 'Faire la demande',
  tip: 'Vous l’avez retrouvé\u00a0? Revenez simplement en arrière.',
  startedHeading: 'Nous avons prévenu toutes vos adresses',
  startedBody:
    'Revenez dans {duration} et connectez-vous\u00a0: vous pourrez alors ajouter un nouveau second facteur pendant 3 jours. Une connexion avec le facteur perdu arrête la demande.',
  undoBody:
    'Nous pouvons annuler la modification sans lui. Nous prévenons toutes les adresses et tous les numéros confirmés de votre compte, et chacun peut l’arrêter. Cela fonctionne dans {duration}.',
  undoStartedBody:
    'Revenez dans {duration} et ouvrez de nouveau le lien de l’e-mail\u00a0: il suffira alors, pendant 3 jours. Une connexion par un autre moyen arrête la demande.',
  impossibleHeading: 'Ce n’est pas possible ici',
  impossibleBody: 'Aucune adresse de votre compte n’est confirmée. Contactez {app}.',
  elsewhereBody:
    'Ce n’est pas possible chez {app}, qui propose trop peu de vos moyens de connexion. Faites-le sur la page de votre compte chez {place}.',
  anotherApp: 'une autre application',
};

export const lossTexts = {
  heading: 'Un moyen de connexion a été signalé comme perdu',
  body: 'Le {since}, ces moyens de connexion à votre compte ont été signalés comme perdus ou menacés\u00a0: {kinds}. À partir du {from}, ils ne seront plus demandés.',
  stop: 'Arrêter la demande',
  tip: 'Ce n’était pas vous\u00a0? Arrêtez la demande, et nous continuerons à demander ces moyens.',
  kinds: {
    mail: 'adresse e-mail',
    phone: 'numéro de téléphone',
    passkey: 'clé d’accès',
    social: 'comptes associés',
  },
};

export const commandLineTexts = {
  heading: 'Laisser otl sur cet ordinateur agir en votre nom',
  body: 'Ne continuez que si vous venez de lancer vous-même {command} sur cet ordinateur. Le programme pourra ensuite faire tout ce que vous pouvez faire en tant qu’opérateur.',
  button: 'Laisser otl agir en mon nom',
};

export const consentTexts = {
  heading: '{client} demande un accès',
  body: 'Il veut agir en votre nom sur {app}.',
  goesOn: 'La suite se passe sur {target}.',
  onDevice:
    'La suite se passe dans une application de cet appareil. N’acceptez que si vous venez de le lancer vous-même dans cette application.',
  signedIn: 'Vous êtes connecté en tant que {person}.',
  may: 'Ce qu’il pourra faire',
  openid: 'Savoir que c’est vous',
  profile: 'Voir votre nom',
  email: 'Voir votre adresse e-mail',
  phone: 'Voir votre numéro de téléphone',
  secondFactor: 'Demande une deuxième confirmation que c’est vous',
  stay: 'Rester connecté, même en votre absence',
  allow: 'Autoriser',
  deny: 'Refuser',
  tip: 'Vous pouvez y mettre fin à tout moment sur la page de votre compte.',
};

export const accountTexts = {
  heading: 'Votre compte',
  scope: 'Il vaut pour toutes les applications de {tenant}.',
  back: 'Retour à {app}',
  saved: 'Enregistré.',
  isNow: 'Votre compte utilise désormais {address}.',
  emailRemoved: 'Votre adresse e-mail est supprimée.',
  phoneRemoved: 'Votre numéro de téléphone est supprimé.',
  ended: 'Déconnecté de cet endroit.',
  expired: 'La page était trop ancienne. Veuillez réessayer.',
  confirmed: 'Merci, c’est bien vous. Vous pouvez maintenant faire la modification.',
  refused:
    'Rien n’a été modifié. Soit vous n’avez pas confirmé votre identité, soit ce que vous avez saisi est déjà utilisé par un autre compte. Si vous ne pouvez pas faire la modification ici, contactez {app}.',
  signIn: 'Se connecter',
  signInBody: 'Connectez-vous pour voir votre compte.',
  details: 'Nom et langue',
  addresses: 'E-mail et téléphone',
  name: 'Nom',
  email: 'Adresse e-mail',
  phone: 'Téléphone',
  unconfirmed: 'non confirmée',
  passkeys: 'Clés d’accès',
  noPasskeys: 'Vous n’en avez aucune.',
  unnamed: 'Clé d’accès',
  deviceKeys: 'Appareils qui approuvent',
  identities: 'Comptes associés',
  consents: 'Applications connectées',
  added: 'Ajout le {date}',
  used: 'Dernière utilisation le {date}',
  sessions: 'Où vous êtes connecté',
  thisBrowser: 'Ce navigateur',
  since: 'Depuis le {date}',
  endSession: 'Déconnecter',
  endOthers: 'Se déconnecter partout ailleurs',
  last: 'C’est votre seul moyen de connexion. Ajoutez-en d’abord un autre.',
  firstName: 'Prénom',
  lastName: 'Nom de famille',
  noLanguage: 'Celle du navigateur',
  edit: 'Modifier le nom ou la langue',
  changeEmail: 'Modifier l’adresse e-mail',
  addEmail: 'Ajouter une adresse e-mail',
  changePhone: 'Modifier le numéro de téléphone',
  addPhone: 'Ajouter un numéro de téléphone',
  save: 'Enregistrer',
  addPasskey: 'Ajouter une clé d’accès',
  rename: 'Renommer',
  newName: 'Nouveau nom',
  remove: 'Supprimer',
  disconnect: 'Dissocier',
  connect: 'Associer {provider}',
  activity: 'Activité récente',
  noActivity: 'Rien pour l’instant.',
  data: 'Vos données',
  dataBody: 'Tout ce qui est conservé à votre sujet, dans un fichier.',
  download: 'Télécharger',
};

export const deviceText = '{browser} sur {system}';

export const accountDeletionTexts = {
  section: 'Supprimer votre compte',
  sectionBody: 'Vous pouvez annuler pendant 7 jours.',
  open: 'Supprimer mon compte',
  heading: 'Supprimer votre compte\u00a0?',
  scope: 'Il est supprimé dans toutes les applications de {tenant}.',
  now: 'Vous êtes déconnecté partout immédiatement, et plus personne ne peut se connecter à votre compte.',
  later: 'Le {time}, il est supprimé définitivement, avec tout ce qu’il contient.',
  toldByMail: 'Jusque-là, vous pouvez annuler\u00a0: nous envoyons un lien à {to}.',
  toldByText: 'Jusque-là, vous pouvez annuler\u00a0: nous envoyons un lien par SMS au {to}.',
  untold:
    'Vous n’avez pas d’adresse confirmée à laquelle envoyer un lien. Jusque-là, seul {app} peut annuler.',
  dataFirst: 'Vous voulez vos données\u00a0? Téléchargez-les d’abord.',
  keep: 'Conserver mon compte',
  doneHeading: 'Votre compte va être supprimé',
  doneBody: 'Vous êtes déconnecté partout. Le {time}, votre compte est supprimé définitivement.',
  doneLink: 'Vous avez changé d’avis\u00a0? Utilisez le lien que nous vous avons envoyé.',
};

export const accountEventTexts = {
  'login.succeeded': 'Connexion',
  'login.failed': 'Connexion échouée',
  'login.locked': 'Trop de codes incorrects',
  'login.new_device': 'Connexion depuis un nouvel appareil',
  'session.ended': 'Déconnexion',
  'session.binding_failed': 'Connexion copiée arrêtée',
  'user.email_added': 'Adresse e-mail ajoutée',
  'user.email_changed': 'Adresse e-mail modifiée',
  'user.email_restored': 'Adresse e-mail rétablie',
  'user.phone_added': 'Numéro de téléphone ajouté',
  'user.phone_changed': 'Numéro de téléphone modifié',
  'user.undo_requested': 'Annulation d’une modification demandée',
  'user.recovery_requested': 'Perte du second facteur signalée',
  'user.recovery_granted': 'Nouveau second facteur autorisé',
  'user.recovery_cancelled': 'Récupération arrêtée',
  'user.erasure_requested': 'Compte supprimé',
  'user.erasure_cancelled': 'Suppression du compte annulée',
  'passkey.added': 'Clé d’accès ajoutée',
  'passkey.removed': 'Clé d’accès supprimée',
  'device_key.added': 'Appareil ajouté',
  'device_key.removed': 'Appareil supprimé',
  'identity.removed': 'Compte dissocié',
  'identity.added': 'Compte associé',
  'grant.given': 'Application connectée',
  'grant.ended': 'Application déconnectée',
};

export const noticeLinkTexts = {
  address: {
    heading: 'Rétablir votre adresse e-mail chez {app}\u00a0?',
    body: 'Votre compte retrouve l’adresse e-mail à laquelle ce lien a été envoyé. Tous les appareils sont déconnectés.',
    button: 'La rétablir',
    tip: 'Vous avez changé l’adresse vous-même\u00a0? Fermez simplement cette page.',
    doneHeading: 'Votre adresse e-mail est rétablie',
    doneBody:
      'Tous les appareils sont déconnectés. Connectez-vous avec cette adresse, puis supprimez les clés d’accès et les appareils que vous ne connaissez pas.',
  },
  change: {
    heading: 'Annuler la modification chez {app}\u00a0?',
    body: 'Les adresses et les clés d’accès de votre compte redeviennent comme avant la modification, et ce qui a été ajouté depuis ne l’ouvre plus. Tous les appareils sont déconnectés.',
    button: 'L’annuler',
    tip: 'C’était vous\u00a0? Fermez simplement cette page.',
    doneHeading: 'La modification est annulée',
    doneBody:
      'Tous les appareils sont déconnectés. Connectez-vous comme avant, puis supprimez les clés d’accès et les appareils que vous ne connaissez pas.',
  },
  reclaimed: {
    heading: 'Laisser cette adresse ouvrir de nouveau votre compte chez {app}\u00a0?',
    body: 'Une autre adresse ou un autre numéro de votre compte a été confirmé, et cette adresse ne l’ouvre plus. Confirmez les deux dans ce navigateur, d’abord cette adresse, puis l’autre\u00a0: les deux l’ouvriront.',
    button: 'Continuer',
    tip: 'Ce n’est pas votre compte\u00a0? Fermez simplement cette page.',
  },
  recovery: {
    heading: 'Arrêter la récupération chez {app}\u00a0?',
    body: 'Quelqu’un signale ne pas pouvoir utiliser le second facteur de votre compte. Arrêtez-la si ce n’était pas vous.',
    button: 'L’arrêter',
    tip: 'C’était vous\u00a0? Fermez simplement cette page.',
    doneHeading: 'La récupération est arrêtée',
    doneBody:
      'Si vous ne l’avez pas demandée, quelqu’un lit peut-être vos messages\u00a0: changez le mot de passe de votre messagerie, puis supprimez les clés d’accès et les appareils que vous ne connaissez pas.',
  },
  erasure: {
    heading: 'Conserver votre compte chez {app}\u00a0?',
    body: 'Votre compte est fermé et va être supprimé. Si vous le conservez, vous pourrez vous connecter comme avant.',
    button: 'Conserver mon compte',
    tip: 'Vous voulez le supprimer\u00a0? Fermez simplement cette page.',
    doneHeading: 'Votre compte est conservé',
    doneBody:
      'Vous pouvez de nouveau vous connecter. Si vous ne l’avez pas supprimé vous-même, retirez sur la page de votre compte les clés d’accès et les appareils que vous ne connaissez pas.',
  },
  takenHeading: 'Un autre compte a cette adresse',
  takenBody:
    'Un autre compte utilise maintenant l’adresse ou le numéro\u00a0: impossible de le rétablir. Contactez {app}.',
  overHeading: 'Ce lien a déjà été utilisé',
  overBody: 'Ou il n’est plus nécessaire. En cas de problème avec votre compte, contactez {app}.',
};

export const messageTexts = {
  link: {
    subject: 'Connexion à {app}',
    headerText: 'Connectez-vous à {app}',
    bodyText: 'Utilisez le bouton pour vous connecter. Aucun mot de passe n’est nécessaire.',
    infoText: 'Ce lien ne fonctionne qu’une seule fois et expire dans {duration}.',
    footerText: 'Si vous n’avez pas demandé cet e-mail, vous pouvez l’ignorer.',
  },
  code: {
    subject: 'Votre code {app}',
    headerText: 'Votre code de connexion',
    bodyText: 'Saisissez ce code pour vous connecter à {app}\u00a0:',
    infoText: 'Ce code ne fonctionne qu’une seule fois et expire dans {duration}.',
    footerText:
      'Ne communiquez ce code à personne\u00a0: nous ne vous le demanderons jamais. Si vous n’avez pas demandé cet e-mail, vous pouvez l’ignorer.',
  },
  openWhereBegan: 'Ouvrez-le dans le navigateur où vous avez commencé.',
  linkText: 'Se connecter',
  signUp: {
    link: {
      subject: 'Créez votre compte {app}',
      headerText: 'Créez votre compte {app}',
      bodyText:
        'Cette adresse n’a pas encore de compte {app}. Utilisez le bouton pour en créer un. Aucun mot de passe n’est nécessaire.',
    },
    code: {
      headerText: 'Votre code d’inscription',
      bodyText: 'Cette adresse n’a pas encore de compte {app}. Saisissez ce code pour en créer un\u00a0:',
    },
    linkText: 'Créer un compte',
  },
  confirm: {
    title: 'Confirmez votre nouvelle adresse chez {app}',
    byLink: 'Utilisez le bouton pour confirmer que cette adresse est la vôtre chez {app}.',
    byCode: 'Saisissez ce code pour confirmer que cette adresse est la vôtre chez {app}\u00a0:',
    linkText: 'Confirmer',
  },
  orLink: 'Ou utilisez le bouton, dans le navigateur où vous avez commencé\u00a0:',
  eitherOnce: 'Un seul des deux suffit, une seule fois. Le code expire dans {code}, le bouton dans {link}.',
  requestedAt: 'Demandé le {time}.',
  requestedOn: 'Demandé le {time} avec {device}.',
  linkFallback: 'Le bouton ne fonctionne pas\u00a0? Copiez cette adresse dans votre navigateur\u00a0:',
  approving: 'Vous approuvez',
  approval: {
    link: {
      subject: 'Approbation chez {app}',
      headerText: 'Approbation chez {app}',
      bodyText: 'Vérifiez les détails et utilisez le bouton uniquement si vous les approuvez.',
    },
    code: {
      subject: 'Votre code d’approbation {app}',
      headerText: 'Votre code d’approbation',
      bodyText: 'Vérifiez les détails et ne saisissez ce code que si vous les approuvez.',
    },
    linkText: 'Approuver',
  },
  letInBody:
    'Avec ce code, votre adresse ouvre de nouveau votre compte chez {app}. Ne le saisissez que si vous le voulez\u00a0:',
};

export const codeSmsText = '{code} est votre code {app}. Ne le communiquez à personne.';

export const noticeTexts = {
  titles: {
    new_device: 'Nouvelle connexion à {app}',
    binding_failed: 'Une connexion copiée a été arrêtée chez {app}',
    locked: 'Trop de codes incorrects chez {app}',
    passkey_added: 'Une clé d’accès a été ajoutée chez {app}',
    passkey_removed: 'Une clé d’accès a été supprimée chez {app}',
    device_key_added: 'Un appareil a été ajouté chez {app}',
    device_key_removed: 'Un appareil a été supprimé chez {app}',
    identity_added: 'Un autre moyen de connexion à {app}',
    identity_removed: 'Un compte a été dissocié sur {app}',
    client_connected: 'Une application a été connectée sur {app}',
    email_added: 'Une adresse e-mail a été ajoutée chez {app}',
    email_changed: 'Votre adresse e-mail chez {app} a été modifiée',
    email_restored: 'La modification de votre adresse e-mail chez {app} a été annulée',
    phone_added: 'Un numéro de téléphone a été ajouté chez {app}',
    phone_changed: 'Votre numéro de téléphone chez {app} a été modifié',
    recovery_requested: 'Récupération de votre compte chez {app}',
    recovery_granted: 'La récupération de votre compte chez {app} a été accordée',
    recovery_cancelled: 'La récupération de votre compte chez {app} a été arrêtée',
    undo_requested: 'L’annulation d’une modification chez {app} a été demandée',
    reclaimed: 'Cette adresse n’ouvre plus votre compte chez {app}',
    erasure_requested: 'Votre compte chez {app} va être supprimé',
    erasure_cancelled: 'Votre compte chez {app} est conservé',
    erasure_waits: 'Votre compte chez {app} attend sa suppression',
  },
  bodies: {
    new_device: 'Quelqu’un s’est connecté à votre compte depuis un appareil que nous ne connaissions pas.',
    binding_failed:
      'Quelqu’un a tenté de poursuivre une connexion à votre compte sans l’appareil auquel elle appartient. Nous avons mis fin à cette connexion.',
    locked:
      'Quelqu’un a saisi plusieurs fois un code incorrect pour votre compte. La connexion par code y est bloquée pendant un certain temps.',
    passkey_added:
      'Une clé d’accès a été ajoutée à votre compte. La personne qui la détient peut se connecter avec.',
    passkey_removed: 'Une clé d’accès a été supprimée de votre compte. Elle ne permet plus de se connecter.',
    device_key_added:
      'La clé d’un appareil a été ajoutée à votre compte. Elle peut approuver des opérations en votre nom.',
    device_key_removed: 'La clé d’un appareil a été supprimée de votre compte. Elle n’approuve plus rien.',
    identity_added:
      'Un compte d’un autre fournisseur a été associé à votre compte. La personne qui le détient peut se connecter avec.',
    identity_removed:
      'Un compte d’un autre fournisseur a été dissocié de votre compte. Il ne permet plus de se connecter.',
    client_connected:
      'Vous avez autorisé une application à agir en votre nom. La page de votre compte montre ce qu’elle peut faire et permet d’y mettre fin.',
    email_added: 'Votre compte a maintenant une adresse e-mail. Il n’en avait pas auparavant.',
    email_changed:
      'Cette adresse n’est plus associée à votre compte. Vous n’y recevrez plus d’e-mails de connexion.',
    email_restored:
      'L’ancienne adresse de votre compte a annulé la modification. Vous ne recevrez plus d’e-mails de connexion ici.',
    phone_added: 'Votre compte a maintenant un numéro de téléphone. Il n’en avait pas auparavant.',
    phone_changed: 'Le numéro de téléphone de votre compte a été modifié ou supprimé.',
    recovery_requested:
      'Quelqu’un signale que des moyens de connexion à votre compte sont perdus, ou ils ont été signalés comme menacés. À partir de l’heure ci-dessous, ils ne seront plus demandés.',
    recovery_granted:
      'Dès maintenant et pendant 3 jours, un seul facteur suffit pour en ajouter un autre à votre compte.',
    recovery_cancelled: 'Nous continuons à demander les moyens de connexion signalés comme perdus.',
    undo_requested:
      'Quelqu’un qui a le lien d’un e-mail précédent demande d’annuler une modification de votre compte et dit ne pas pouvoir la confirmer autrement. À partir de l’heure ci-dessous, ce lien suffira.',
    reclaimed:
      'Une autre adresse ou un autre numéro a été ajouté à votre compte et confirmé. Depuis, cette adresse ne l’ouvre plus.',
    erasure_requested:
      'Votre compte est fermé, et personne ne peut s’y connecter. À l’heure ci-dessous, il sera supprimé définitivement, avec tout ce qu’il contient.',
    erasure_cancelled: 'Votre compte n’est pas supprimé. Vous pouvez vous connecter comme avant.',
    erasure_waits:
      'Quelqu’un veut se connecter à votre compte. Il est fermé et sera supprimé définitivement au moment indiqué ci-dessous. Gardez-le avec le lien, et vous pourrez vous connecter à nouveau.',
  },
  changedByOperator:
    'L’assistance de {app} a modifié une adresse e-mail ou un numéro de téléphone de votre compte.',
  opensFrom:
    'Jusqu’à l’heure indiquée ci-dessous, il faut en plus un autre moyen de connexion de votre compte pour se connecter avec la nouvelle adresse ou le nouveau numéro. Ensuite, cela suffit.',
  time: 'Heure',
  device: 'Appareil',
  client: 'Application',
  provider: 'Fournisseur',
  passkey: 'Clé d’accès',
  takesEffect: 'À partir de',
  erasedAt: 'Suppression définitive',
  footerText:
    'Si c’était vous, vous n’avez rien à faire. Sinon, contactez {app} comme vous en avez l’habitude. Cet e-mail ne contient aucun lien.',
  accountText: 'Voir votre compte',
  accountFooterText:
    'Si c’était vous, vous n’avez rien à faire. Sinon, vérifiez votre compte et contactez {app} comme vous en avez l’habitude. Le lien de cet e-mail mène à {host} et nulle part ailleurs. Nous ne vous demandons jamais de communiquer un code.',
  undoText: 'Ce n’était pas moi',
  undoFooterText:
    'Si c’était vous, vous n’avez rien à faire. Sinon, utilisez le lien dans les 7 jours\u00a0: votre compte redevient comme avant et tous les appareils sont déconnectés.',
  stopRecovery: 'Si c’était vous, vous n’avez rien à faire. Sinon, arrêtez-la avec le lien.',
  keepText: 'Conserver mon compte',
  keepFooterText:
    'Si c’est ce que vous voulez, vous n’avez rien à faire. Sinon, utilisez le lien avant ce moment.',
  letInText: 'La réadmettre',
  letInFooterText:
    'Si le compte est à vous, utilisez le lien dans les 7 jours et confirmez les deux adresses. Si vous n’y voulez plus cette adresse, vous n’avez rien à faire.',
};

export const noticeSmsTexts = {
  account_changed:
    "Les moyens de connexion à votre compte {app} ont changé. Si ce n'est pas vous, contactez {app}.",
  number_removed: "Ce numéro n'est plus associé à votre compte {app}. Si ce n'est pas vous, contactez {app}.",
  recovery:
    "Perte du second facteur de votre compte {app}: si ce n'est pas vous, connectez-vous avec ce facteur et la demande sera annulée.",
  shut_out:
    "Ce numéro n'ouvre plus votre compte {app}: une autre adresse a été confirmée. Si ce n'est pas vous, contactez {app}.",
  account_erased: 'Votre compte {app} sera supprimé dans 7 jours. Le conserver :',
  factor_enrolled: "Votre compte {app} a un nouveau second facteur. Si ce n'est pas vous, annulez :",
  changed_by_operator:
    "L'assistance a modifié une adresse ou un numéro de votre compte {app}. Si ce n'est pas vous, annulez :",
};

export const deadEndWords = {
  retryIn: 'Réessayez dans {wait}.',
  home: 'Aller à {app}',
  requestId: 'Identifiant de la demande',
  signOut: 'Se déconnecter ici',
  report: 'Si le problème persiste, envoyez les informations ci-dessous aux responsables de l’application.',
};

export const deadEnds = {
  codeElsewhere: {
    heading: 'Saisissez le code là où vous avez commencé',
    body: 'Cette connexion a commencé dans un autre navigateur ou sur un autre appareil. Saisissez sur cet écran-là le code reçu par e-mail.',
    hint: 'Vous pouvez aussi retourner dans l’application ou sur le site et recommencer dans ce navigateur.',
  },
  cookiesNeeded: {
    heading: 'Les cookies sont nécessaires',
    body: 'Votre navigateur bloque ici les cookies\u00a0: nous ne pouvons pas savoir que c’est toujours vous.',
    hint: 'Autorisez les cookies pour ce site, puis retournez dans l’application ou sur le site et connectez-vous à nouveau.',
  },
  hintBroken: {
    heading: 'Vous êtes toujours connecté',
    body: 'L’application ou le site a demandé votre déconnexion, mais ce qu’il a envoyé pour désigner votre connexion est incorrect.',
    hint: 'Retournez-y et déconnectez-vous à nouveau.',
  },
  linkUnknown: {
    heading: 'Ce lien ne fonctionne pas',
    body: 'Il est peut-être incomplet ou trop ancien.',
    hint: 'Retournez dans l’application ou sur le site et demandez un nouveau lien.',
  },
  loginDone: {
    heading: 'Vous êtes connecté',
    body: 'Cette connexion est terminée. Vous pouvez fermer cette page.',
    hint: 'Vous pouvez aussi retourner dans l’application ou sur le site.',
  },
  loginExpired: {
    heading: 'Cette connexion a expiré',
    body: 'Elle a pris trop de temps ou elle est déjà terminée.',
    hint: 'Retournez dans l’application ou sur le site et connectez-vous à nouveau.',
  },
  notFound: {
    heading: 'Il n’y a rien ici',
    body: 'L’adresse est peut-être incomplète, ou la page a été déplacée.',
    hint: 'Vérifiez l’adresse, ou retournez dans l’application ou sur le site d’où vous venez.',
  },
  rateLimited: {
    heading: 'Trop de demandes',
    body: 'Il y a eu trop de tentatives depuis votre réseau en peu de temps.',
    hint: 'Attendez une minute et réessayez.',
  },
  redirectNotAllowed: {
    heading: 'Nous ne pouvons pas vous ramener d’ici',
    body: 'L’adresse vers laquelle vous seriez dirigé n’est pas enregistrée pour cette application. Pour vous protéger, nous nous arrêtons ici.',
    hint: 'Retournez dans l’application ou sur le site et réessayez.',
  },
  requestWrong: {
    heading: 'Cette page ne peut pas être ouverte ainsi',
    body: 'L’application ou le site qui vous a envoyé ici a fait une erreur dans sa demande.',
    hint: 'Retournez-y et réessayez.',
  },
  serverError: {
    heading: 'Une erreur est survenue',
    body: 'Le problème vient de nous, pas de vous.',
    hint: 'Attendez un instant, puis retournez dans l’application ou sur le site et connectez-vous à nouveau.',
  },
  wrongBrowser: {
    heading: 'Cette connexion vient d’un autre navigateur',
    body: 'Elle a commencé dans un autre navigateur ou sur un autre appareil et ne peut être terminée que là. Copiez le lien qui vous a amené ici et ouvrez-le là-bas.',
    hint: 'Vous pouvez aussi retourner dans l’application ou sur le site et recommencer dans ce navigateur.',
  },
};
