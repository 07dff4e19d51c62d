import { describe, expect, test } from '@jest/globals';
import { findViolations } from '../../lib/local/check-answer.ts';
import { PUBLIC_CACHE_SECONDS } from '../../shared/domain/basis/limits.ts';
import type { Operation } from '../../shared/operation.ts';
import type { AuditEvent } from '../../shared/ports/audit.ts';
import { logLines } from '../support/server/log-lines.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { ADDED } from '../support/tools/added-row.ts';
import { type AnyAnswer, authorized, type Call, EXTENDED, expectTls, rows } from '../support/tools/calls.ts';
import { listAlternatives } from '../support/tools/fields.ts';
import { successesAt } from './successes.ts';

const server = useTestServer(EXTENDED);
const { successes, readAnswer } = successesAt(server);

/** Operations that change the configuration of a tenant, as a space-separated list. */
const CHANGES = `
  createResource updateResource deleteResource createApplication updateApplication deleteApplication
  updateLoginPreferences createClient updateClient deleteClient addClientSecret revokeClientSecret
  createManagementClient updateManagementClient deleteManagementClient addManagementClientSecret
  revokeManagementClientSecret createWebhook updateWebhook deleteWebhook addWebhookSecret
  createOrganization updateOrganization deleteOrganization createMember updateMember deleteMember
`;

/**
 * Expected security events of each successful operation. If an operation in the table loses its events, these tests fail.
 */
const TOLD: Readonly<Record<string, readonly AuditEvent[]>> = {
  sendMagicLink: ['message.sent'],
  sendOtp: ['message.sent'],
  sendCodeBasedLink: ['message.sent'],
  sendEmailOtp: ['message.sent'],
  sendSmsOtp: ['message.sent'],
  authenticateMagicLink: ['login.succeeded'],
  authenticateOtp: ['login.succeeded'],
  retrieveTokens: ['login.succeeded'],
  logout: ['session.ended'],
  revocation: ['token.revoked'],
  logoutSession: ['session.ended'],
  endSessions: ['session.ended'],
  registerPasskey: ['passkey.added'],
  registerExternalPasskey: ['passkey.added'],
  authenticatePasskey: ['login.succeeded'],
  deletePasskey: ['passkey.removed'],
  deleteOwnPasskey: ['passkey.removed'],
  createDeviceKey: ['device_key.added'],
  deleteDeviceKey: ['device_key.removed'],
  authenticateApproval: ['login.succeeded'],
  createUser: ['user.created'],
  updateUser: ['user.updated', 'user.suspended'],
  setPhoneRisk: ['user.phone_risk_set'],
  unlockUser: ['user.unlocked'],
  testWebhook: ['webhook.tested'],
  sendWebhookAgain: ['webhook.repeated'],
  grantRecovery: ['user.recovery_granted'],
  cancelErasure: ['user.erasure_cancelled'],
  deleteUser: ['user.erased'],
  inviteOperator: ['operator.invited', 'operator.acted'],
  setOperatorRole: ['operator.acted'],
  confirmOperator: ['operator.acted'],
  removeOperator: ['operator.acted'],
  ...Object.fromEntries(
    CHANGES.trim()
      .split(/\s+/)
      .map((name) => [name, ['management.changed'] as const]),
  ),
};

/** Operations whose log line contains the ID of a session, as a space-separated list. */
const WITH_SESSION = `
  authenticateMagicLink authenticateOtp userInfo refresh retrieveTokens bindSession logout
  authenticateSession logoutSession authenticatePasskey registerPasskey listOwnPasskeys deleteOwnPasskey
  renameOwnPasskey authenticateApproval createDeviceKey listDeviceKeys deleteDeviceKey ownOperator
`.split(/\s+/);

/** Operations whose log line contains the ID of a user but not that of a session, as a space-separated list. */
const WITH_USER = `
  openMagicLink sendMagicLink sendOtp sendCodeBasedLink sendEmailOtp validateEmailOtp sendSmsOtp
  validateSmsOtp endSessions listSessions cancelErasure grantRecovery registerExternalPasskey
  hintPasskeyRegistration startPasskeyRegistration listPasskeys deletePasskey renamePasskey startApproval
  createUser deleteUser updateUser exportUser unlockUser clearPhoneRisk setPhoneRisk readTestCode
  userTimeline
`.split(/\s+/);

const DEVICE = 'device-of-the-user';
const takesDevice = ({ input: { json } }: Operation): boolean =>
  json !== undefined && listAlternatives(json).some(({ properties = {} }) => 'device_id' in properties);

const proven = rows.filter(([name, row]) => row.reach === 'api' || name in successes);

test.each(proven)('the contract tests have a valid input for the operation %s', (name) => {
  expect(successes).toHaveProperty(name);
});

describe.each(proven)('successful response of the operation %s', (name, row) => {
  test('a successful response has the documented status and matches the response schema', async () => {
    const given = (await successes[name]?.()) ?? {};
    const input = takesDevice(row)
      ? { ...given, json: { ...(given.json as object), device_id: DEVICE } }
      : given;
    let answer = {} as AnyAnswer;
    const lines = await logLines(async () => {
      answer = await readAnswer(name, input);
    });
    expect(lines.at(-1)?.audit ?? []).toEqual(TOLD[name] ?? []);
    // The log line of a management event contains the ID of the changed record.
    if (TOLD[name]?.includes('management.changed'))
      expect(lines.at(-1)?.record_id).toEqual(expect.any(String));
    expect(lines.at(-1)?.session_id !== undefined).toBe(WITH_SESSION.includes(name));
    expect(lines.at(-1)?.user_id !== undefined).toBe([...WITH_SESSION, ...WITH_USER].includes(name));
    if (takesDevice(row)) expect(lines.at(-1)?.device_id).toBe(DEVICE);
    const { status, headers, body } = answer;
    expectTls(answer);
    expect(status).toBe(row.output.status);
    if (row.output.status === 302 || row.output.status === 303)
      expect(headers.get('location')).toMatch(/^https?:\/\//);
    else if (row.output.status === 204) expect(body).toBeUndefined();
    else expect(body).toBeDefined();
    if ('json' in row.output) {
      expect(headers.get('content-type')).toBe('application/json');
      const isPublic = row.output.public === true;
      expect(headers.get('cache-control')).toBe(
        isPublic ? `public, max-age=${PUBLIC_CACHE_SECONDS}` : 'no-store',
      );
    }
    // A field `status` in a response body would collide with the HTTP status that clients add to the body.
    if (typeof body === 'object') expect(body).not.toHaveProperty('status');
    expect(server.violations).toEqual([]);
  });
});

test('the contract tests detect a response that does not match the operation table', async () => {
  const row = rows.find(([name]) => name === ADDED)?.[1] as Operation;
  const call: Call = await authorized(server, row);
  const match = { name: ADDED, row, path: String(row.path), parameters: {} };
  const told = (json: unknown) =>
    findViolations(match, call.method, {
      status: 201,
      headers: { 'content-type': 'application/json' },
      cookies: [],
      body: Buffer.from(JSON.stringify(json)),
    });
  expect(told({ thing_id: 'a', size: 1 })).toEqual([]);
  expect(told({ thing_id: 'a' })).toHaveLength(1);
  expect(told({ thing_id: 'a', size: '1' })).toHaveLength(1);
  expect(told({ thing_id: 'a', size: 1, status: 'ok' })).toHaveLength(1);
});
