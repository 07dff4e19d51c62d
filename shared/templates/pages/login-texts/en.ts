import type { LoginTexts } from '../login-texts.ts';

export const en: LoginTexts = {
  continueButton: 'Continue',
  or: 'or',
  errorTitle: (title) => `Error: ${title}`,

  signInHeading: (app) => `Sign in to ${app}`,
  fieldLabel: { email: 'Email address', phone: 'Phone number', either: 'Email or phone number' },
  phoneHint: 'Phone numbers start with + and the country code, for example +1.',
  sendCodeByEmail: 'Email me a code',
  sendCodeBySms: 'Text me a code',
  sendLink: 'Email me a link',
  usePasskey: 'Use a passkey',
  continueWith: (provider) => `Continue with ${provider}`,

  checkEmailHeading: 'Check your email',
  checkPhoneHeading: 'Check your phone',
  codeOnItsWay: (toHtml) => `If an account exists for ${toHtml}, a code is on its way.`,
  linkOnItsWay: (toHtml) => `If an account exists for ${toHtml}, a link is on its way.`,
  codeSent: (toHtml) => `We sent a code to ${toHtml}.`,
  linkSent: (toHtml) => `We sent a link to ${toHtml}.`,
  codeLabel: 'Code',
  codeFormat: 'The code has digits only.',
  codeTip: 'Never share this code. We will never ask you for it.',
  linkTip: 'Open it in this browser. It can take a minute to arrive; check your spam folder too.',
  resendCode: 'Send a new code',
  resendLink: 'Send a new link',
  resendWait: (time) => `Available in ${time}`,
  resendReady: 'You can ask for a new one now.',
  changeIdentifier: 'Use a different email or phone number',
  changeMethod: 'Try another way',

  secondFactorHeading: 'Confirm it’s you',
  secondFactorBody: 'One more step to keep your account safe. How would you like to confirm?',
  codeByEmail: 'Code by email',
  codeBySms: 'Code by text message',
  linkByEmail: 'Link by email',
  passkey: 'Passkey',

  phoneHeading: 'Add your phone number',
  phoneBody: (app) => `${app} needs a phone number. We’ll text you a code to confirm that it’s yours.`,

  signOutHeading: (app) => `Sign out of ${app}?`,
  signOutBody: 'You’ll be signed out in this browser.',
  signOutButton: 'Sign out',
  signOutTip: 'Didn’t mean to sign out? Just close this page.',
  signedOutHeading: 'You’re signed out',
  signedOutBody: 'You can close this page now.',

  formPostHeading: 'One moment…',
  formPostBody: 'You’re being taken back. If nothing happens, press the button.',

  identifierInvalid: {
    email: 'Enter a valid email address.',
    phone: 'Enter a valid phone number with its country code.',
    either: 'Enter a valid email address, or a phone number with its country code.',
  },
  methodUnavailable: 'This way to sign in isn’t available. Choose another one.',
  sendFailed: 'The message couldn’t be sent. Try again, or choose another way.',
  codeWrong: 'That code isn’t right. Check it and try again.',
  codeExpired: 'That code has expired. Ask for a new one.',
  codesOff: 'Codes don’t work here for now. Choose another way, or ask for help.',
  formExpired: 'This page was open for too long. Please try again.',
  rateLimited: (wait) => `Too many requests. Try again in ${wait}.`,
  locked: (wait) => `Too many wrong codes. Try again in ${wait}.`,

  deadEnds: {
    login_expired: {
      heading: 'This sign-in has expired',
      body: 'It took too long, or it is already complete.',
      hint: 'Go back to the app or website and sign in again.',
    },
    wrong_browser: {
      heading: 'This sign-in belongs to another browser',
      body: 'It was started in another browser or on another device, and can only be completed there.',
      hint: 'Or go back to the app or website and start again in this browser.',
    },
    request_spent: {
      heading: 'This page was already used',
      body: 'Each sign-in page opens only once.',
      hint: 'Go back to the app or website and sign in again.',
    },
    cookies_needed: {
      heading: 'Cookies are needed',
      body: 'Your browser blocks cookies here, so we can’t tell that it’s still you.',
      hint: 'Allow cookies for this site, then go back to the app or website and sign in again.',
    },
    rate_limited: {
      heading: 'Too many requests',
      body: 'There were too many attempts from your network in a short time.',
      hint: 'Wait a minute and try again.',
    },
    server_error: {
      heading: 'Something went wrong',
      body: 'It’s our fault, not yours.',
      hint: 'Wait a moment, then go back to the app or website and sign in again.',
    },
  },
};
