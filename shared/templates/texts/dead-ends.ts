/** Why a browser gets a page that leads no further. A bundle holds the ends that its errors lead to; see entry.ts. */
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
