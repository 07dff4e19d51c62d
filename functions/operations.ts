import type { Operation } from '../shared/operation.ts';
import {
  authorize,
  authorizeByPost,
  loginAct,
  loginPage,
  pushRequest,
  pushRequestRfc9126,
} from './rows/browser.ts';
import {
  continueCodeBasedLink,
  openCodeBasedLink,
  resumeLogin,
  sendCodeBasedLink,
  sendEmailOtp,
  sendSmsOtp,
  validateEmailOtp,
  validateSmsOtp,
} from './rows/code-based.ts';
import { fallback, health, openapi } from './rows/meta.ts';
import {
  authenticateMagicLink,
  authenticateOtp,
  openMagicLink,
  sendMagicLink,
  sendOtp,
} from './rows/one-time.ts';
import {
  authenticateSession,
  endSessions,
  listSessions,
  logout,
  logoutByPost,
  logoutPage,
  logoutSession,
} from './rows/sessions.ts';
import {
  discovery,
  introspection,
  jwks,
  refresh,
  retrieveTokens,
  revocation,
  token,
  userInfo,
} from './rows/tokens.ts';
import {
  createUser,
  deleteUser,
  getUser,
  getUserByEmail,
  getUserByPhoneNumber,
  getUserByUsername,
  listUsers,
  updateUser,
} from './rows/users.ts';

/**
 * THE TABLE. One row per operation, in the order of the specification; plain data that CDK, IAM, the local server, the
 * API document and the contract tests read. Rows hold no functions; each is written in rows/, in the file of its folder.
 */
export const operations: Readonly<Record<string, Operation>> = {
  sendMagicLink,
  openMagicLink,
  authenticateMagicLink,
  sendOtp,
  authenticateOtp,
  sendCodeBasedLink,
  openCodeBasedLink,
  continueCodeBasedLink,
  sendEmailOtp,
  validateEmailOtp,
  sendSmsOtp,
  validateSmsOtp,
  resumeLogin,
  retrieveTokens,
  logout,
  token,
  refresh,
  revocation,
  introspection,
  userInfo,
  authenticateSession,
  logoutSession,
  listSessions,
  endSessions,
  logoutPage,
  logoutByPost,
  jwks,
  discovery,
  pushRequest,
  pushRequestRfc9126,
  authorize,
  authorizeByPost,
  loginPage,
  loginAct,
  createUser,
  listUsers,
  getUser,
  getUserByUsername,
  getUserByEmail,
  getUserByPhoneNumber,
  updateUser,
  deleteUser,
  health,
  openapi,
  fallback,
};
