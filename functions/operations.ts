import type { Operation } from '../shared/operation.ts';
import { fallback, health, openapi } from './rows/meta.ts';
import {
  authenticateMagicLink,
  authenticateOtp,
  openMagicLink,
  sendMagicLink,
  sendOtp,
} from './rows/one-time.ts';
import { discovery, jwks, token } from './rows/tokens.ts';
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
  token,
  jwks,
  discovery,
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
