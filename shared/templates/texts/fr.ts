import type { LoginTexts } from './login-texts.ts';

export const fr: LoginTexts = {
  continueButton: 'Continuer',
  back: 'Retour',
  cancelLogin: (app) => `Annuler et revenir à ${app}`,
  or: 'ou',
  errorTitle: (title) => `Erreur\u00a0: ${title}`,

  signInHeading: (app) => `Connexion à ${app}`,
  signUpHeading: (app) => `Inscription à ${app}`,
  signUpHint: 'Vous avez déjà un compte\u00a0? Les mêmes étapes vous connectent.',
  fieldLabel: {
    email: 'Adresse e-mail',
    phone: 'Numéro de téléphone',
    either: 'E-mail ou numéro de téléphone',
  },
  phoneHint:
    'Un numéro de téléphone peut commencer par + et l’indicatif du pays, par exemple +33. Sinon, nous demandons ensuite le pays.',
  countryLabel: 'Pays',
  countryNone: 'Choisissez un pays',
  countryHint: 'Un numéro d’un autre pays\u00a0? Commencez par + et l’indicatif du pays.',
  countryHeading: 'De quel pays est votre numéro\u00a0?',
  sendCodeBySms: 'Recevoir un code par SMS',
  sendLink: 'Recevoir un lien par e-mail',
  usePasskey: 'Utiliser une clé d’accès',
  passkeyCancelled: 'Aucune clé d’accès n’a été utilisée. Réessayez ou choisissez une autre méthode.',
  passkeyInvalid:
    'Cette clé d’accès ne convient pas ici. Choisissez-en une autre, ou une autre méthode de connexion.',
  passkeyUnsupported: 'Ce navigateur ne prend pas en charge les clés d’accès. Choisissez une autre méthode.',
  passkeyNeedsScript:
    'Les clés d’accès ont besoin de JavaScript, désactivé dans ce navigateur. Choisissez une autre méthode.',
  registerHeading: 'Ajoutez une clé d’accès',
  registerBody: (app) =>
    `La prochaine fois, connectez-vous à ${app} avec votre empreinte, votre visage ou le verrouillage de l’écran. Sans code, sans rien à retenir.`,
  registerButton: 'Ajouter une clé d’accès',
  registerLater: 'Pas maintenant',
  cannotGiveFactor: 'Je ne peux utiliser aucun de ces moyens',
  registerBack: 'Annuler',
  registerCancelled: 'Aucune clé d’accès n’a été créée. Réessayez ou continuez sans.',
  registerExists: 'Cet appareil a déjà une clé d’accès pour vous.',
  passkeyNotSaved: 'La clé d’accès n’a pas pu être enregistrée. Réessayez ou continuez sans.',
  approvalHeading: 'Vérifiez ce que vous approuvez',
  approvalTip: 'Ce n’est pas ce que vous attendiez\u00a0? Fermez simplement cette page.',
  continueWith: (provider) => `Continuer avec ${provider}`,
  logInWith: (provider) => `Se connecter avec ${provider}`,

  checkEmailHeading: 'Consultez vos e-mails',
  checkPhoneHeading: 'Consultez votre téléphone',
  codeOnItsWay: (toHtml) => `S’il existe un compte pour ${toHtml}, vous allez recevoir un code.`,
  linkOnItsWay: (toHtml) => `S’il existe un compte pour ${toHtml}, vous allez recevoir un lien.`,
  codeToAll: (toHtml) => `Si ${toHtml} peut être utilisé ici, vous allez recevoir un code.`,
  linkToAll: (toHtml) => `Si ${toHtml} peut être utilisé ici, vous allez recevoir un lien.`,
  codeSent: (toHtml) => `Nous avons envoyé un code à ${toHtml}.`,
  linkSent: (toHtml) => `Nous avons envoyé un lien à ${toHtml}.`,
  codeOrLink: 'Saisissez-le ici, ou ouvrez dans ce navigateur le lien du même e-mail.',
  codeLabel: 'Code',
  codeFormat: 'Le code ne contient que des chiffres.',
  codeTip: 'Ne communiquez ce code à personne\u00a0: nous ne vous le demanderons jamais.',
  codeSubmitsItself: 'Le dernier chiffre l’envoie automatiquement.',
  codeClosedHeading: 'Ce code est bloqué',
  codeClosedLink:
    'Nous l’avons bloqué pour vous protéger. Un lien par e-mail fonctionne maintenant, tout comme un autre moyen.',
  codeClosedOther: 'Nous l’avons bloqué pour vous protéger. Un autre moyen fonctionne maintenant.',
  linkTip:
    'Ouvrez-le dans ce navigateur. Il peut mettre une minute à arriver\u00a0; regardez aussi dans vos courriers indésirables.',
  resendCode: 'Envoyer un nouveau code',
  resendLink: 'Envoyer un nouveau lien',
  resendWait: (time) => `Disponible dans ${time}`,
  resendReady: 'Vous pouvez maintenant faire une nouvelle demande.',
  changeIdentifier: 'Mauvaise adresse ou mauvais numéro\u00a0? Modifier',
  changeMethod: 'Essayer autrement',

  secondFactorHeading: 'Confirmez votre identité',
  secondFactorBody: 'Encore une étape pour protéger votre compte. Comment souhaitez-vous confirmer\u00a0?',
  secondFactorForPasskey:
    'Pour ajouter une clé d’accès, confirmez votre identité. Comment souhaitez-vous confirmer\u00a0?',
  aloneBody: 'Cela seul n’ouvre pas votre compte. Confirmez d’une autre manière encore, et cela l’ouvrira.',
  codeByEmail: 'Code par e-mail',
  codeBySms: 'Code par SMS',
  linkByEmail: 'Lien par e-mail',
  passkey: 'Clé d’accès',

  verifyEmailHeading: 'Confirmez votre adresse e-mail',
  verifyEmailBody:
    'Votre adresse e-mail n’est pas encore confirmée. Confirmez qu’elle est à vous pour continuer.',

  phoneHeading: 'Ajoutez votre numéro de téléphone',
  phoneBody: (app) =>
    `${app} a besoin d’un numéro de téléphone. Vous recevrez un code par SMS pour confirmer qu’il est à vous.`,

  signOutHeading: (app) => `Se déconnecter de ${app}\u00a0?`,
  signOutBody: 'Vous serez déconnecté dans ce navigateur.',
  signOutButton: 'Se déconnecter',
  signOutTip: 'Vous ne vouliez pas vous déconnecter\u00a0? Fermez simplement cette page.',
  signedOutHeading: 'Vous êtes déconnecté',
  signedOutBody: 'Vous pouvez fermer cette page.',

  formPostHeading: 'Un instant…',
  formPostBody: 'Vous retournez à l’application. Si rien ne se passe, appuyez sur le bouton.',

  identifierInvalid: {
    email: 'Saisissez une adresse e-mail valide.',
    phone: 'Choisissez le pays et saisissez un numéro de téléphone valide.',
    either: 'Saisissez une adresse e-mail valide ou un numéro de téléphone avec l’indicatif du pays.',
  },
  numberNeeded:
    'Un SMS part vers un numéro de téléphone, pas vers une adresse e-mail. Saisissez votre numéro.',
  methodUnavailable: 'Ce mode de connexion n’est pas disponible. Choisissez-en un autre.',
  sendFailed: 'Le message n’a pas pu être envoyé. Réessayez ou choisissez un autre moyen.',
  codeWrong: 'Ce code n’est pas correct. Vérifiez-le et réessayez.',
  codeExpired: 'Ce code a expiré. Demandez-en un nouveau.',
  linkOver: 'Ce lien a expiré ou a été remplacé. Utilisez le dernier e-mail ou demandez-en un nouveau.',
  codesOff:
    'Les codes ne fonctionnent pas ici pour le moment. Choisissez un autre moyen ou demandez de l’aide.',
  formExpired: 'Cette page est restée ouverte trop longtemps. Veuillez réessayer.',
  providerFailed: 'Cela n’a pas fonctionné ou a été annulé. Réessayez, ou choisissez une autre méthode.',
  accountExists: 'Vous avez déjà un compte avec cette adresse e-mail. Connectez-vous d’une autre manière.',
  accountUnknown: 'Aucun compte ne correspond à cette connexion. Choisissez une autre méthode.',
  rateLimited: (wait) => `Trop de demandes. Réessayez dans ${wait}.`,
  locked: (wait) => `Trop de codes incorrects. Réessayez dans ${wait}.`,
};
