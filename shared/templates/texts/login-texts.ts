/** The identifier that a field asks for. */
export type FieldKind = 'email' | 'phone' | 'either';

/** Plain texts without markup characters, except parameters named `html`. Durations include their unit. */
export interface LoginTexts {
  readonly continueButton: string;
  readonly back: string;
  readonly cancelLogin: (app: string) => string;
  readonly or: string;
  /** The title of a page with an error: screen readers read it first. */
  readonly errorTitle: (title: string) => string;

  readonly signInHeading: (app: string) => string;
  readonly signUpHeading: (app: string) => string;
  readonly signUpHint: string;
  readonly fieldLabel: Readonly<Record<FieldKind, string>>;
  readonly phoneHint: string;
  /** A number with its country. */
  readonly countryLabel: string;
  readonly countryNone: string;
  readonly countryHint: string;
  readonly countryHeading: string;
  readonly sendCodeBySms: string;
  readonly sendLink: string;
  readonly usePasskey: string;
  readonly passkeyCancelled: string;
  readonly passkeyInvalid: string;
  readonly passkeyUnsupported: string;
  readonly passkeyNeedsScript: string;
  readonly registerHeading: string;
  readonly registerBody: (app: string) => string;
  readonly registerButton: string;
  readonly registerLater: string;
  /** The button below the second factors. */
  readonly cannotGiveFactor: string;
  readonly registerBack: string;
  readonly registerCancelled: string;
  readonly registerExists: string;
  readonly passkeyNotSaved: string;
  readonly approvalHeading: string;
  readonly approvalTip: string;
  readonly continueWith: (provider: string) => string;
  readonly logInWith: (provider: string) => string;

  readonly checkEmailHeading: string;
  readonly checkPhoneHeading: string;
  /** The same for everybody: it must not tell who has an account. */
  readonly codeOnItsWay: (toHtml: string) => string;
  readonly linkOnItsWay: (toHtml: string) => string;
  /** The same for everybody too, where an address without an account gets one. */
  readonly codeToAll: (toHtml: string) => string;
  readonly linkToAll: (toHtml: string) => string;
  /** For people who are known already: they have given a first factor. */
  readonly codeSent: (toHtml: string) => string;
  readonly linkSent: (toHtml: string) => string;
  /** After the sentence about the code, where its mail has a link too. */
  readonly codeOrLink: string;
  readonly codeLabel: string;
  /** What a browser adds to its own words when something else than digits was typed. */
  readonly codeFormat: string;
  readonly codeTip: string;
  /** Shown where the script runs (WCAG 2.2, 3.2.2). */
  readonly codeSubmitsItself: string;
  readonly codeClosedHeading: string;
  /** What works meanwhile: a link to the same address, or another way. */
  readonly codeClosedLink: string;
  readonly codeClosedOther: string;
  readonly linkTip: string;
  readonly resendCode: string;
  readonly resendLink: string;
  /** `{time}`: a duration, or minutes and seconds while it counts down. */
  readonly resendWait: (time: string) => string;
  readonly resendReady: string;
  readonly changeIdentifier: string;
  readonly changeMethod: string;

  readonly secondFactorHeading: string;
  readonly secondFactorBody: string;
  readonly secondFactorForPasskey: string;
  /** Of a proof that needs another beside it. */
  readonly aloneBody: string;
  readonly codeByEmail: string;
  readonly codeBySms: string;
  readonly linkByEmail: string;
  readonly passkey: string;

  readonly verifyEmailHeading: string;
  readonly verifyEmailBody: string;

  readonly phoneHeading: string;
  readonly phoneBody: (app: string) => string;

  readonly signOutHeading: (app: string) => string;
  readonly signOutBody: string;
  readonly signOutButton: string;
  readonly signOutTip: string;
  readonly signedOutHeading: string;
  readonly signedOutBody: string;

  readonly formPostHeading: string;
  readonly formPostBody: string;

  readonly identifierInvalid: Readonly<Record<FieldKind, string>>;
  /** A text message was asked for, to an email address. */
  readonly numberNeeded: string;
  readonly methodUnavailable: string;
  readonly sendFailed: string;
  readonly codeWrong: string;
  readonly codeExpired: string;
  readonly linkOver: string;
  readonly codesOff: string;
  readonly formExpired: string;
  readonly providerFailed: string;
  /** Another account has the address, and the provider has not verified it. */
  readonly accountExists: string;
  readonly accountUnknown: string;
  readonly rateLimited: (wait: string) => string;
  readonly locked: (wait: string) => string;
}
