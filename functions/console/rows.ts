// The operator console, which is a client of the API. It has its own host, whose paths are mapped to paths below `/console`. In
// AWS, its functions can access only the operators' sessions.

import type { OperationRow } from '../../shared/operation.ts';
import { ConsoleForm, ConsolePath, ConsoleQuery } from '../../shared/schemas/tenants.ts';

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
  summary: 'Shows a screen of the operator console, and handles its forms',
  input: { path: ConsolePath, query: ConsoleQuery, form: ConsoleForm },
  uses: ['consoleSessions.find', 'consoleSessions.keep', 'consoleSessions.remove', 'apiDocument'],
} as const satisfies OperationRow;

export const consoleLogin = {
  ...console,
  method: 'GET',
  path: ['/console/login', '/console/callback'],
  event: 'console/login',
  file: 'console/login',
  summary: "Logs an operator in through the environment's own login, and returns to a screen",
  input: { query: ConsoleQuery },
  uses: ['consoleSessions.put'],
} as const satisfies OperationRow;
