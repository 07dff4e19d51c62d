/**
 * Texts of error pages after which a login cannot continue. A bundle contains only the texts of its own errors, as
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
