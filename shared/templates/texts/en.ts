// English texts. They also define the keys and placeholders of all other languages. Texts are plain text without markup.
// Placeholders also stand for plain text, unless a comment says otherwise. Durations include their unit.

/** Name of the language in that language. */
export const ownName = 'English';

/** Texts in the footer of pages. */
export const footerTexts = {
  help: 'Help',
  terms: 'Terms',
  privacy: 'Privacy',
  /** Label of the language picker. */
  language: 'Language',
} as const;

/** Texts of the pages of a login. */
export const loginTexts = {
  continueButton: 'Continue',
  back: 'Back',
  cancelLogin: 'Cancel and go back to {app}',
  or: 'or',
  moreWays: 'More ways',
  /** Title of a page with an error. Screen readers read the title first. */
  errorTitle: 'Error: {title}',

  signInHeading: 'Sign in to {app}',
  /** Heading of the first page of a login that approves a transaction. */
  approveHeading: 'Sign in to approve',
  signUpHeading: 'Sign up for {app}',
  signUpHint: 'Already have an account? The same steps sign you in.',
  fieldLabel: {
    email: 'Email address',
    phone: 'Phone number',
    either: 'Email or phone number',
  },
  /** Label of the country field next to a phone number. */
  countryLabel: 'Country',
  countryNone: 'Choose a country',
  countryHint: 'Number from another country? Start it with + and the country code.',
  countryHeading: 'Which country is your number from?',
  sendCodeBySms: 'Text me a code',
  sendLink: 'Email me a link',
  usePasskey: 'Use a passkey',
  passkeyCancelled: 'No passkey was used. Try again, or choose another way.',
  passkeyExpired: 'That took too long. Try your passkey again.',
  passkeyInvalid: 'That passkey can’t be used here. Choose another one, or another way to sign in.',
  passkeyUnsupported: 'This browser can’t use passkeys. Choose another way.',
  passkeyNeedsScript:
    'Passkeys need JavaScript, which is switched off in this browser. Please choose another way.',
  registerHeading: 'Add a passkey',
  registerBody: 'Next time, sign in to {app} with your fingerprint, your face or your screen lock.',
  /** Shown to a new user whose passkey becomes the second factor. */
  factorNeeded: '{app} asks for a second way to confirm it’s you.',
  registerButton: 'Add a passkey',
  registerLater: 'Not now',
  /** Label of the button below the list of second factors, for users who cannot use any of them. */
  cannotGiveFactor: 'I can’t use any of these',
  registerBack: 'Cancel',
  registerCancelled: 'No passkey was created. Try again, or continue without one.',
  registerExists: 'This device already has a passkey for you.',
  passkeyNotSaved: 'The passkey couldn’t be saved. Try again, or continue without one.',
  approvalHeading: 'Check what you’re approving',
  approvalTip: 'Not what you expected? Just close this page.',
  continueWith: 'Continue with {provider}',
  logInWith: 'Log in with {provider}',

  checkEmailHeading: 'Check your email',
  checkPhoneHeading: 'Check your phone',
  /** Shown whether or not the address has an account, so that the page does not reveal who has one. `{to}` is HTML. */
  codeOnItsWay: 'If {to} has an account, a code is on its way.',
  linkOnItsWay: 'If {to} has an account, a link is on its way.',
  /** Shown to a user who has already been identified by a first factor. `{to}` is HTML. */
  codeSent: 'We sent a code to {to}.',
  linkSent: 'We sent a link to {to}.',
  /** Shown after a message was sent again. `{what}` is `codeWord` or `linkWord`; `{to}` and `{time}` are HTML. */
  sentAgain: 'We sent a new {what} to {to} at {time}.',
  onItsWayAgain: 'If {to} has an account, we sent a new {what} at {time}.',
  codeWord: 'code',
  linkWord: 'link',
  codeLabel: 'Code',
  /** Hint that the browser adds to its own error message if the field contains anything but digits. */
  codeFormat: 'The code consists of digits only.',
  /** Heading if codes stay disabled until the user or an operator enables them. */
  codesOffHeading: 'Codes are unavailable for now',
  codeClosedHeading: 'This code no longer works',
  /** Shown if the user can log in with a link to the same address, or by another method. */
  codeClosedLink:
    'We blocked it to protect you. You can still sign in with a link by email or in another way.',
  codeClosedOther: 'We blocked it to protect you. You can still sign in another way.',
  linkTip: 'Open it in this browser.',
  nothingThere: 'Didn’t get it?',
  /** Hint for users who miss an email. `{sender}` is HTML. */
  lookInSpam: 'Look in your spam folder for an email from {sender}.',
  resendCode: 'Send a new code',
  resendLink: 'Send a new link',
  /** Waiting time until a message can be sent again. `{time}` is a duration, or minutes and seconds during the countdown. */
  resendWait: 'Available in {time}',
  resendReady: 'You can ask for a new one now.',
  /** Label of the button beside the address to which a code or link was sent. */
  change: 'Change',
  changeIdentifier: 'Use another address or way',
  changeMethod: 'Try another way',

  secondFactorHeading: 'Confirm it’s you',
  secondFactorBody: 'How would you like to confirm?',
  secondFactorForPasskey: 'To add a passkey, confirm it’s you.',
  /**
   * Shown if a provider did not prove a login as recent as the application requires, and the user can confirm in another way.
   */
  staleBody: '{provider} didn’t confirm that you signed in there just now. Confirm it’s you in another way.',
  /**
   * Shown if a provider did not prove a login as recent as the application requires, and the user has no other way to confirm.
   */
  staleOnlyBody:
    '{provider} didn’t confirm that you signed in there just now. Sign out at {provider} and try again. If you see this page again, sign out here too, sign in again, and add an email address or a passkey on your account page. You can then use it to confirm it’s you.',
  /** Shown if the factor that was used is not enough to log in. */
  aloneBody: 'This isn’t enough to sign in to your account. Confirm it’s you in one more way.',
  codeByEmail: 'Code by email',
  codeBySms: 'Code by text message',
  linkByEmail: 'Link by email',
  passkey: 'Passkey',

  verifyEmailHeading: 'Verify your email',
  verifyEmailBody: 'Your email address isn’t confirmed yet. Confirm that it’s yours to continue.',

  phoneHeading: 'Add your phone number',
  phoneBody: '{app} needs a phone number. We’ll text you a code to confirm that it’s yours.',

  formPostHeading: 'One moment…',
  formPostBody: 'You’re being taken back. If nothing happens, press the button.',
  leavingBody: 'You’re being taken to {provider}. If nothing happens, press the button.',

  identifierInvalid: {
    email: 'Enter a valid email address.',
    phone: 'Choose the country, and enter a valid phone number.',
    either: 'Enter a valid email address, or a phone number with its country code.',
  },
  /** Error if the user entered an email address to get a text message. */
  numberNeeded: 'Text messages go to a phone number, not to an email address. Enter your number.',
  emailUnmailable:
    'We can’t send email to this address. The part before the @ may contain only English letters, digits and symbols. Enter another address.',
  numberAmbiguous:
    'If you typed the country code, this is your number. If not, correct it and then send the code.',
  methodUnavailable: 'This way to sign in isn’t available. Choose another one.',
  sendFailed: 'The message couldn’t be sent. Try again, or choose another way.',
  codeWrong: 'That code isn’t right. Check it and try again.',
  /** Error if a code was entered that a newer code has replaced. */
  codeReplaced: 'That code isn’t right. Use the one in the newest message.',
  /** Warning before the last attempt. `{wait}` is the duration of the lock. */
  codeLast: 'That code isn’t right. You have one try left; after that, codes are locked for {wait}.',
  codeExpired: 'That code has expired. Ask for a new one.',
  linkOver: 'That link has expired or was replaced. Use the newest email, or ask for a new one.',
  codesOff: 'You can’t sign in with a code here for now. Choose another way, or ask for help.',
  formExpired: 'This page was open for too long. Please try again.',
  providerFailed: 'That didn’t work, or was cancelled. Try again, or choose another way.',
  /** Error if another account has the identity provider account's email address, which the provider has not verified. */
  accountExists: 'You already have an account with this email address. Sign in to it in another way.',
  accountUnknown: 'There is no account for this sign-in. Choose another way.',
  rateLimited: 'Too many requests. Try again in {wait}.',
  locked: 'Too many wrong codes. Try again in {wait}.',
} as const;

/** Texts of the page that asks before a logout, and of the page after it. */
export const logoutTexts = {
  signOutHeading: 'Sign out of {app}?',
  signOutBody: 'You’ll be signed out in this browser.',
  signOutButton: 'Sign out',
  signOutTip: 'Didn’t mean to sign out? Just close this page.',
  signedOutHeading: 'You’re signed out',
  signedOutBody: 'You can close this page now.',
} as const;

/** Texts of the pages that emailed links open. */
export const linkTexts = {
  continueHeading: 'Sign in to {app}',
  continueBody: 'You opened a sign-in link. Continue to finish signing in.',
  /** Replaces `continueBody` if the last step of a login was reloaded. */
  resumeBody: 'Continue to go back to {app}.',
  continueButton: 'Continue',
  /** Text before the host that the button leads to. */
  continueTo: 'You will be taken to',
  continueWarning: 'Didn’t ask for this link? Just close this page.',
  /** Shown if another account is in use. Both names are masked. */
  switchBody: 'You are signed in as {from}. Continue to sign in as {to} instead.',
  switchWarning: 'Didn’t expect this? Just close this page.',
} as const;

/** Texts of the page that leads to a provider so that the user can connect the account there. */
export const connectTexts = {
  heading: 'Connect {provider}',
  body: 'Sign in at {provider} with the account that you want to connect. You can then use it to sign in here too.',
} as const;

/** Texts of the pages where a user enters a new email address or phone number, opened from the account page. */
export const newAddressTexts = {
  heading: 'Your new email address',
  phoneHeading: 'Your new phone number',
  /** `{address}` is HTML. */
  replaces: 'It replaces {address}.',
  /** Shown if the replaced address receives a notice with which its owner can revert the change. `{address}` is HTML. */
  replacesProven:
    'It replaces {address}. We’ll send that address a link that can undo the change for 7 days.',
  sendCode: 'Send a code',
  sendLink: 'Send a link',
} as const;

/** Texts of the pages for users who cannot use their second factor. */
export const recoveryPageTexts = {
  heading: 'Lost your second factor?',
  body: 'You can ask to add a new one. We’ll notify every confirmed address and number of your account, and each of them can stop your request. It takes effect in {duration}.',
  button: 'Send the request',
  tip: 'Found it? Just go back.',
  startedHeading: 'We’ve notified all your addresses',
  startedBody:
    'Come back in {duration} and sign in. You then have 3 days to add a new second factor. Signing in with the lost one stops your request.',
  /** Replaces `body` for a user who reverts a change. */
  undoBody:
    'We can undo the change without it. We’ll notify every confirmed address and number of your account, and each of them can stop your request. It takes effect in {duration}.',
  /** Replaces `startedBody` for a user who reverts a change. */
  undoStartedBody:
    'Come back in {duration} and open the link in the email again. For 3 days, the link is then enough to undo the change. Signing in another way stops your request.',
  impossibleHeading: 'This isn’t possible here',
  impossibleBody: 'Your account has no confirmed address. Please contact {app}.',
  /** Replaces `impossibleBody` if the application offers too few factor types. */
  elsewhereBody:
    '{app} doesn’t offer enough of your ways to sign in for this. Use your account page at {place} instead.',
  anotherApp: 'another application',
} as const;

/** Texts of the page that shows a user which factors were reported lost or at risk. */
export const lossTexts = {
  heading: 'A way to sign in was reported lost',
  body: 'On {since}, these ways to sign in to your account were reported lost or at risk: {kinds}. From {from}, we will no longer ask for them.',
  stop: 'Stop it',
  tip: 'Wasn’t that you? Stop it, and we’ll keep asking for them.',
  /** Names of the ways to sign in, in the list `{kinds}`. */
  kinds: { mail: 'email address', phone: 'phone number', passkey: 'passkey', social: 'connected accounts' },
} as const;

/** Texts of the page that an operator confirms before a program on the operator's computer gets tokens. */
export const commandLineTexts = {
  heading: 'Let otl on this computer act as you',
  body: 'Continue only if you have just started {command} yourself on this computer. The program can then do everything that you can do as an operator.',
  button: 'Let otl act as you',
} as const;

/** Texts of the consent page of a client that is identified by its metadata document. `{client}` is a host. */
export const consentTexts = {
  heading: '{client} asks for access',
  body: 'It wants to act on your behalf at {app}.',
  goesOn: 'You’ll then be taken to {target}.',
  onDevice:
    'You’ll then be taken to an app on this device. Allow access only if you have just started this in the app yourself.',
  signedIn: 'You are signed in as {person}.',
  may: 'What it may do',
  openid: 'Know that it is you',
  profile: 'See your name',
  email: 'See your email address',
  phone: 'See your phone number',
  secondFactor: 'Needs a second way to confirm it’s you',
  stay: 'Stay connected, even when you’re away',
  allow: 'Allow',
  deny: 'Deny',
  tip: 'You can end this at any time on your account page.',
} as const;

/** Texts of the account page. */
export const accountTexts = {
  heading: 'Your account',
  scope: 'It works in every application of {tenant}.',
  back: 'Back to {app}',
  /** Confirmation after a change. */
  saved: 'Saved.',
  /** `{address}` is HTML. */
  isNow: 'Your account now uses {address}.',
  emailRemoved: 'Your email address was removed.',
  phoneRemoved: 'Your phone number was removed.',
  ended: 'Signed out there.',
  expired: 'This page was open for too long. Please try again.',
  confirmed: 'Thanks for confirming it’s you. You can make your change now.',
  refused:
    'Nothing was changed. Either you didn’t confirm that it’s you, or another account already uses what you entered. If you can’t make the change here, contact {app}.',
  signIn: 'Sign in',
  signInBody: 'Sign in to see your account.',
  details: 'Name and language',
  addresses: 'Email and phone',
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  unconfirmed: 'not confirmed',
  passkeys: 'Passkeys',
  noPasskeys: 'You have no passkeys.',
  unnamed: 'Passkey',
  deviceKeys: 'Devices that can approve',
  identities: 'Connected accounts',
  consents: 'Connected apps',
  added: 'Added on {date}',
  used: 'Last used on {date}',
  sessions: 'Where you are signed in',
  thisBrowser: 'This browser',
  since: 'Since {date}',
  endSession: 'Sign out there',
  endOthers: 'Sign out everywhere else',
  last: 'This is your only way to sign in. Add another one first.',
  firstName: 'First name',
  lastName: 'Last name',
  noLanguage: 'Same as the browser',
  edit: 'Change name or language',
  changeEmail: 'Change the email address',
  addEmail: 'Add an email address',
  changePhone: 'Change the phone number',
  addPhone: 'Add a phone number',
  save: 'Save',
  addPasskey: 'Add a passkey',
  rename: 'Rename',
  newName: 'New name',
  remove: 'Remove',
  disconnect: 'Disconnect',
  connect: 'Connect {provider}',
  activity: 'Recent activity',
  noActivity: 'Nothing yet.',
  data: 'Your data',
  dataBody: 'Everything we store about you, as a file.',
  download: 'Download',
} as const;

/** Name of a device, made of its browser and operating system. */
export const deviceText = '{browser} on {system}';

/**
 * Texts for users who delete their own account: the section of the account page, the page that asks, and the page afterwards.
 */
export const accountDeletionTexts = {
  section: 'Delete your account',
  sectionBody: 'You can undo it for 7 days.',
  open: 'Delete my account',
  heading: 'Delete your account?',
  scope: 'It will be deleted in every application of {tenant}.',
  now: 'You’ll be signed out everywhere right away, and nobody will be able to sign in to your account.',
  later: 'On {time}, it will be permanently deleted with everything in it.',
  toldByMail: 'Until then, you can undo this with a link that we’ll send to {to}.',
  toldByText: 'Until then, you can undo this with a link that we’ll text to {to}.',
  untold: 'Until then, only {app} can undo this, because you have no confirmed address for a link.',
  dataFirst: 'Want a copy of your data? Download it first.',
  keep: 'Keep my account',
  doneHeading: 'Your account will be deleted',
  doneBody: 'You’re signed out everywhere. On {time}, your account will be permanently deleted.',
  doneLink: 'Changed your mind? Use the link that we’ve sent you.',
} as const;

/** Names of the account events that users can see on the account page. */
export const accountEventTexts = {
  'login.succeeded': 'Sign-in',
  'login.failed': 'Failed sign-in',
  'login.locked': 'Too many wrong codes',
  'login.new_device': 'Sign-in from a new device',
  'session.ended': 'Sign-out',
  'session.binding_failed': 'Copied sign-in blocked',
  'user.email_added': 'Email address added',
  'user.email_changed': 'Email address changed',
  'user.email_restored': 'Email address changed back',
  'user.phone_added': 'Phone number added',
  'user.phone_changed': 'Phone number changed',
  'user.undo_requested': 'Undo of a change requested',
  'user.recovery_requested': 'Lost second factor reported',
  'user.recovery_granted': 'New second factor allowed',
  'user.recovery_cancelled': 'Recovery stopped',
  'user.erasure_requested': 'Account deletion requested',
  'user.erasure_cancelled': 'Account deletion cancelled',
  'passkey.added': 'Passkey added',
  'passkey.removed': 'Passkey removed',
  'device_key.added': 'Device added',
  'device_key.removed': 'Device removed',
  'identity.removed': 'Account disconnected',
  'identity.added': 'Account connected',
  'grant.given': 'App connected',
  'grant.ended': 'App disconnected',
} as const;

/** Texts of the pages that links in notices open. */
export const noticeLinkTexts = {
  /** The link restores the former address of the account. */
  address: {
    heading: 'Restore your email address at {app}?',
    body: 'Your account will again use the email address that this link was sent to. All devices will be signed out.',
    button: 'Restore it',
    tip: 'Did you change the address yourself? Then just close this page.',
    doneHeading: 'Your email address is restored',
    doneBody:
      'All devices are signed out. Sign in with this address, and remove any passkeys and devices that you don’t know.',
  },
  /** The link reverts a change of a phone number or a passkey. */
  change: {
    heading: 'Undo the change at {app}?',
    body: 'The addresses and passkeys of your account will be as they were before the change, and anything added since will no longer work. All devices will be signed out.',
    button: 'Undo it',
    tip: 'Did you change it yourself? Then just close this page.',
    doneHeading: 'The change is undone',
    doneBody:
      'All devices are signed out. Sign in as before, and remove any passkeys and devices that you don’t know.',
  },
  /** The link starts a login that reinstates a superseded address. */
  reclaimed: {
    heading: 'Use this address to sign in to {app} again?',
    body: 'You can no longer sign in with this address, because another address or number of your account was confirmed. To sign in with both, confirm them in this browser: first this address, then the other one.',
    button: 'Continue',
    tip: 'Not your account? Then just close this page.',
  },
  /** The link cancels a pending recovery. */
  recovery: {
    heading: 'Stop the recovery at {app}?',
    body: 'Someone says that they can’t use the second factor of your account. If that wasn’t you, stop the recovery.',
    button: 'Stop it',
    tip: 'Was it you? Then just close this page.',
    doneHeading: 'The recovery was stopped',
    doneBody:
      'If you didn’t ask for it, someone else may be able to read your messages. Change the password of your mailbox, and remove any passkeys and devices that you don’t know.',
  },
  /** The link cancels the deletion of the account. */
  erasure: {
    heading: 'Keep your account at {app}?',
    body: 'Your account is closed and will be deleted. If you keep it, you can sign in again as before.',
    button: 'Keep my account',
    tip: 'Do you want it deleted? Then just close this page.',
    doneHeading: 'Your account won’t be deleted',
    doneBody:
      'You can sign in again. If you didn’t delete it yourself, remove any passkeys and devices that you don’t know on your account page.',
  },
  takenHeading: 'Another account uses this address',
  takenBody: 'Another account now uses the address or number, so it can’t be restored. Please contact {app}.',
  overHeading: 'This link no longer works',
  overBody:
    'It was already used, or it’s no longer needed. If something is wrong with your account, contact {app}.',
} as const;

/** Texts of emails with a code or a link. */
export const messageTexts = {
  link: {
    subject: 'Sign in to {app}',
    headerText: 'Sign in to {app}',
    bodyText: 'Use the button to sign in. You don’t need a password.',
    infoText: 'The link works once and expires in {duration}.',
    footerText: 'If you didn’t ask for this email, you can safely ignore it.',
  },
  code: {
    subject: 'Your {app} code',
    headerText: 'Your sign-in code',
    bodyText: 'Enter this code to sign in to {app}:',
    infoText: 'The code works once and expires in {duration}.',
    footerText:
      'Never share this code: we will never ask you for it. If you didn’t ask for this email, you can safely ignore it.',
  },
  /** Sentence for a link that works only in the browser in which the login began. */
  openWhereBegan: 'Open it in the browser where you started.',
  linkText: 'Sign in',
  /** Texts that replace those above for a sign-up on the hosted pages. */
  signUp: {
    link: {
      subject: 'Create your {app} account',
      headerText: 'Create your {app} account',
      bodyText:
        'This address has no account at {app} yet. Use the button to create one. You don’t need a password.',
    },
    code: {
      headerText: 'Your sign-up code',
      bodyText: 'This address has no account at {app} yet. Enter this code to create one:',
    },
    linkText: 'Create account',
  },
  /** Texts that replace those above for an address that a user adds. */
  confirm: {
    title: 'Confirm your new address at {app}',
    byLink: 'Use the button to confirm that this address is yours at {app}.',
    byCode: 'Enter this code to confirm that this address is yours at {app}:',
    linkText: 'Confirm',
  },
  /** Text between the code and the link in an email that has both. */
  orLink: 'Or use this button in the browser where you started:',
  /** Lifetimes of the code and of the link in an email that has both. */
  eitherOnce:
    'You need only one of them, and it works once. The code expires in {code}, the button in {link}.',
  /** Time and device of the request on a hosted page. `{device}` is a name made of fixed words. */
  requestedAt: 'Requested at {time}.',
  requestedOn: 'Requested at {time} with {device}.',
  /** Text above the link's address, for mail programs in which the button does not work. */
  linkFallback: 'Button not working? Copy this address into your browser:',
  /** Heading of the list of approved data. */
  approving: 'You are approving',
  /** Texts that replace those above if the code or link approves a transaction. */
  approval: {
    link: {
      subject: 'Approve at {app}',
      headerText: 'Approve at {app}',
      bodyText: 'Check the details and use the button only if you approve them.',
    },
    code: {
      subject: 'Your {app} approval code',
      headerText: 'Your approval code',
      bodyText: 'Check the details and enter this code only if you approve them.',
    },
    linkText: 'Approve',
  },
  /** Replaces `code.bodyText` if the code reinstates a superseded address. */
  letInBody: 'Enter this code only if you want to sign in to {app} with this address again:',
} as const;

/**
 * Text message with a code. Uses GSM characters only, except in Japanese and Arabic, because a single other character halves
 * the capacity of a segment.
 */
export const codeSmsText = '{code} is your {app} code. Never share it with anyone.';

/** Texts of the notices that inform users of events of their account by email. */
export const noticeTexts = {
  /** Subject and heading of a notice, by event. */
  titles: {
    new_device: 'New sign-in to {app}',
    binding_failed: 'A copied sign-in was blocked at {app}',
    locked: 'Too many wrong codes at {app}',
    passkey_added: 'A passkey was added at {app}',
    passkey_removed: 'A passkey was removed at {app}',
    device_key_added: 'A device was added at {app}',
    device_key_removed: 'A device was removed at {app}',
    identity_added: 'An account was connected at {app}',
    identity_removed: 'An account was disconnected at {app}',
    client_connected: 'An app was connected at {app}',
    email_added: 'An email address was added at {app}',
    email_changed: 'Your email address at {app} was changed',
    email_restored: 'Your email address at {app} was changed back',
    phone_added: 'A phone number was added at {app}',
    phone_changed: 'Your phone number at {app} was changed',
    recovery_requested: 'Recovery of your account at {app} was requested',
    recovery_granted: 'Recovery of your account at {app} was granted',
    recovery_cancelled: 'Recovery of your account at {app} was stopped',
    undo_requested: 'Someone asked to undo a change at {app}',
    reclaimed: 'You can no longer sign in to {app} with this address',
    erasure_requested: 'Your account at {app} will be deleted',
    erasure_cancelled: 'Your account at {app} won’t be deleted',
    erasure_waits: 'Your account at {app} is about to be deleted',
  },
  bodies: {
    new_device: 'Someone signed in to your account from a device that we haven’t seen before.',
    binding_failed:
      'Someone tried to use one of your sign-ins on a device that it doesn’t belong to. We ended that sign-in.',
    locked:
      'Someone entered wrong codes for your account several times. Signing in with a code is locked for a while.',
    passkey_added: 'A passkey was added to your account. Whoever holds it can sign in to your account.',
    passkey_removed: 'A passkey was removed from your account. You can no longer sign in with it.',
    device_key_added: 'A device was added to your account. It can approve requests on your behalf.',
    device_key_removed:
      'A device was removed from your account. It can no longer approve requests on your behalf.',
    identity_added:
      'An account at another provider was connected to your account. Whoever holds it can sign in to your account.',
    identity_removed:
      'An account at another provider was disconnected from your account. You can no longer sign in with it.',
    client_connected:
      'You allowed an app to act on your behalf. Your account page shows what the app may do, and lets you disconnect it.',
    email_added: 'Your account now has an email address. It had none before.',
    email_changed:
      'This address no longer belongs to your account. You will get no more sign-in emails here.',
    email_restored:
      'The change was undone from the former address of your account. You will get no more sign-in emails here.',
    phone_added: 'Your account now has a phone number. It had none before.',
    phone_changed: 'The phone number of your account was changed or removed.',
    /** Sent if a user reports factors as lost, or a backend reports a phone number as at risk. */
    recovery_requested:
      'Ways to sign in to your account were reported lost or at risk. From the time below, we will no longer ask for them.',
    recovery_granted: 'For the next 3 days, one way to sign in is enough to add another one to your account.',
    recovery_cancelled: 'We will keep asking for the ways to sign in that were reported lost.',
    undo_requested:
      'Someone used the link in an earlier email to undo a change of your account, and says that they can’t confirm it in another way. From the time below, that link is enough.',
    /** Sent to an address that has been superseded. */
    reclaimed:
      'Another address or number was added to your account and confirmed. Since then, you can no longer sign in with this address.',
    erasure_requested:
      'Your account is closed, and nobody can sign in to it. At the time below, it will be permanently deleted with everything in it.',
    erasure_cancelled: 'The deletion was cancelled. You can sign in as before.',
    /** Sent to a user who tries to log in while the deletion of the account can still be cancelled. */
    erasure_waits:
      'Someone tried to sign in to your account. It is closed, and it will be permanently deleted at the time below. If you keep it with the link, you can sign in again.',
  },
  /** Replaces the body if an operator without the role admin has set or removed an address. */
  changedByOperator: 'The support team of {app} changed an email address or phone number of your account.',
  /** Follows `changedByOperator` if the new address can log in by itself only at a later time. */
  opensFrom:
    'Until the time below, you can use the new one only together with another way to sign in. After that, it is enough by itself.',
  time: 'Time',
  device: 'Device',
  client: 'App',
  provider: 'Provider',
  passkey: 'Passkey',
  takesEffect: 'Takes effect',
  erasedAt: 'Permanently deleted',
  /** Footer of a notice without a link. */
  footerText:
    'If this was you, you don’t need to do anything. If not, contact {app} as you usually do. This email has no links.',
  /** Label of the link to the account page. */
  accountText: 'Go to your account',
  /**
   * Footer of a notice that links to the account page. Its last sentences help users to recognise emails that imitate the
   * notice.
   */
  accountFooterText:
    'If this was you, you don’t need to do anything. If not, check your account and contact {app} as you usually do. The link in this email leads only to {host}. We will never ask you to tell anyone a code.',
  /** Label of the link that reverts a change. */
  undoText: 'This wasn’t me',
  undoFooterText:
    'If this was you, you don’t need to do anything. If not, use the link within 7 days. It undoes the change and signs out all devices.',
  /** Footer of a notice whose link cancels a recovery. */
  stopRecovery: 'If this was you, you don’t need to do anything. If not, stop it with the link.',
  /** Label of the link that cancels the deletion of the account. */
  keepText: 'Keep my account',
  keepFooterText: 'If you want this, you don’t need to do anything. If not, use the link before that time.',
  /** Label of the link that reinstates a superseded address. */
  letInText: 'Use this address again',
  letInFooterText:
    'If the account is yours, use the link within 7 days and confirm both addresses. If you no longer want to use this address, you don’t need to do anything.',
} as const;

/** Notices by text message. They use GSM characters only, for the reason given at `codeSmsText`. */
export const noticeSmsTexts = {
  account_changed: 'The ways to sign in to your {app} account were changed. Not you? Contact {app}.',
  number_removed: 'This number no longer belongs to your {app} account. Not you? Contact {app}.',
  recovery:
    'Someone reported the second factor of your {app} account as lost. Not you? To stop this, sign in with it.',
  shut_out:
    'You can no longer sign in to {app} with this number: another address was confirmed. Not you? Contact {app}.',
  account_erased: 'Your {app} account will be deleted in 7 days. To keep it:',
  factor_enrolled: 'Your {app} account has a new second factor. Not you? Undo it:',
  changed_by_operator:
    "Support changed an address or number of your {app} account. Didn't ask for this? Undo it:",
} as const;

/** Texts that all error pages share. The texts of each error are in `deadEnds`. */
export const deadEndWords = {
  /** Replaces the hint if the waiting time is known. */
  retryIn: 'Try again in {wait}.',
  home: 'Go to {app}',
  requestId: 'Request ID',
  /** Label of the button that logs the user out if the application's own request could not. */
  signOut: 'Sign out here',
  /** Shown together with an error detail for the application's developers. */
  report: 'If this keeps happening, send the details below to the people who run the app.',
} as const;

export const deadEnds = {
  codeElsewhere: {
    heading: 'Enter the code where you started',
    body: 'This sign-in was started in another browser or on another device. Enter the code from the email on that screen.',
    hint: 'Or go back to the app or website and start again in this browser.',
  },
  cookiesNeeded: {
    heading: 'Cookies are needed',
    body: 'Your browser blocks cookies here, so we can’t tell that it’s still you.',
    hint: 'Allow cookies for this site, then go back to the app or website and sign in again.',
  },
  hintBroken: {
    heading: 'You’re still signed in',
    body: 'The app or website asked to sign you out, but its request was not valid.',
    hint: 'Go back to it and sign out again.',
  },
  linkUnknown: {
    heading: 'This link doesn’t work',
    body: 'It may be incomplete or too old.',
    hint: 'Open the app or website again and ask for a new link.',
  },
  loginDone: {
    heading: 'You’re signed in',
    body: 'This sign-in is complete. You can close this page.',
    hint: 'Or go back to the app or website.',
  },
  loginExpired: {
    heading: 'This sign\u2011in has expired',
    body: 'It took too long, or it is already complete.',
    hint: 'Go back to the app or website and sign in again.',
  },
  notFound: {
    heading: 'There is nothing here',
    body: 'The address may be incomplete, or the page has moved.',
    hint: 'Check the address, or go back to the app or website that you came from.',
  },
  rateLimited: {
    heading: 'Too many requests',
    body: 'There were too many attempts from your network in a short time.',
    hint: 'Wait a minute and try again.',
  },
  redirectNotAllowed: {
    heading: 'We can’t take you back from here',
    body: 'This app hasn’t registered the address that it wants to take you to. To protect you, we stopped here.',
    hint: 'Go back to the app or website and try again.',
  },
  requestWrong: {
    heading: 'This page can’t be opened this way',
    body: 'The app or website that sent you here made a mistake in its request.',
    hint: 'Go back to it and try again.',
  },
  serverError: {
    heading: 'Something went wrong',
    body: 'It’s our fault, not yours.',
    hint: 'Wait a moment, then go back to the app or website and sign in again.',
  },
  wrongBrowser: {
    heading: 'This sign\u2011in belongs to another browser',
    body: 'It was started in another browser or on another device, and can only be completed there. Copy the link that brought you here, and open it there.',
    hint: 'Or go back to the app or website and start again in this browser.',
  },
} as const;
