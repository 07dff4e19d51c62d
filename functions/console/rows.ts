import type { OperationRow } from '../../shared/operation.ts';
import { ConsoleForm, ConsolePath, ConsoleQuery } from '../../shared/schemas/tenants.ts';

/**
 * The operator console: a client of the API on a host of its own, which leads every path below `/console` here. Its functions
 * reach the sessions of operators and nothing else in AWS.
 */

const console = {
  section: 'console',
  reach: 'browser',
  auth: 'none',
  cors: 'none',
  output: { status: 303, html: true },
  dialect: 'numeric',
  errors: [],
  errorPage: 'request',
} as const;

export const consoleScreen = {
  ...console,
  method: ['GET', 'POST'],
  path: ['/console/', '/console/{path+}'],
  event: 'console/screen',
  file: 'console/console',
  summary: 'A screen of the operator console, and what its forms do',
  input: { path: ConsolePath, query: ConsoleQuery, form: ConsoleForm },
  uses: ['consoleSessions.find', 'consoleSessions.keep', 'consoleSessions.remove', 'apiDocument'],
} as const satisfies OperationRow;

export const consoleLogin = {
  ...console,
  method: 'GET',
  path: ['/console/login', '/console/callback'],
  event: 'console/login',
  file: 'console/login',
  summary: "Leads an operator to the environment's own login, and back to a screen",
  input: { query: ConsoleQuery },
  uses: ['consoleSessions.put'],
} as const satisfies OperationRow;
