// The operator console, which is a client of the API. It has its own host, whose paths are mapped to paths below `/console`. In
// AWS, its functions can access only the operators' sessions.

import type { OperationRow } from '../../shared/operation.ts';
import { DeviceSessionInstructions } from '../../shared/schemas/sessions.ts';
import { ConsoleForm, ConsolePath, ConsoleQuery } from '../../shared/schemas/tenants.ts';

const console = {
  section: 'console',
  reach: 'browser',
  auth: 'none',
  cors: 'none',
  output: { status: 303, html: true },
  dialect: 'numeric',
  errors: [],
} as const;

export const consoleScreen = {
  ...console,
  errorPage: 'request',
  method: ['GET', 'POST'],
  path: ['/console/', '/console/{path+}'],
  event: 'console/screen',
  file: 'console/console',
  summary: 'Shows a screen of the operator console, and handles its forms',
  input: { path: ConsolePath, query: ConsoleQuery, form: ConsoleForm },
  uses: ['consoleSessions.find', 'consoleSessions.keep', 'consoleSessions.remove', 'apiDocument'],
} as const satisfies OperationRow;

export const consoleBinding = {
  ...console,
  method: 'POST',
  path: '/console/session/binding',
  event: 'console/binding',
  file: 'console/binding',
  summary: "Binds a console session to a key of the operator's device, and renews the session's bound cookie",
  input: {},
  output: { status: 200, json: DeviceSessionInstructions },
  errors: ['system_invalid_input', 'session_not_found', 'device_proof_required'],
  uses: [
    'consoleSessions.find',
    'consoleSessions.bind',
    'consoleSessions.countProof',
    'consoleSessions.remove',
  ],
} as const satisfies OperationRow;

export const consoleLogin = {
  ...console,
  errorPage: 'request',
  method: 'GET',
  path: ['/console/login', '/console/callback'],
  event: 'console/login',
  file: 'console/login',
  summary: "Logs an operator in through the environment's own login, and returns to a screen",
  input: { query: ConsoleQuery },
  uses: ['consoleSessions.put'],
} as const satisfies OperationRow;
