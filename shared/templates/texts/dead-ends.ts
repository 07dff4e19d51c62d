/**
 * Texts of the pages of errors after which a login cannot continue. A bundle contains only those that its errors lead to, as
 * lib/build/entry.ts explains.
 */
export {
  codeElsewhere,
  cookiesNeeded,
  hintBroken,
  linkUnknown,
  loginDone,
  loginExpired,
  notFound,
  rateLimited,
  redirectNotAllowed,
  requestWrong,
  serverError,
  wrongBrowser,
} from './all.ts';
