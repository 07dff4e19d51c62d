import { expect, test } from '@jest/globals';
import { consoleLoginValue, readConsoleLogin } from '../../../shared/domain/operators/console-login.ts';
import { ensureOperatorDirectory } from '../../../shared/domain/operators/directory.ts';
import { operatorDirectory } from '../../../shared/domain/operators/operators.ts';
import { T } from '../../support/server/records.ts';

const ORIGIN = 'https://console.example.com';

test('operators log in with short sessions, and only with codes by email and passkeys', () => {
  const { application, clients } = operatorDirectory(T, ORIGIN);
  expect(application).toEqual({
    ...{ tenantId: 'operators0000000000000000', applicationId: 'console000000000000000000' },
    ...{ name: 'Operator console', createdAt: T, updatedAt: T },
    redirectUris: [`${ORIGIN}/callback`, 'http://127.0.0.1/callback'],
    postLogoutRedirectUris: [`${ORIGIN}/`],
    ...{ publicSignup: false, hostedSignUp: false, offerPasskeys: true },
    ...{ loginPreferences: { email: {}, passkey: {} }, resourceIds: [], idTokenClaims: 'requested' },
    ...{ sessionAbsoluteSeconds: 28_800, sessionIdleSeconds: 1800, bindingMaxAgeSeconds: 600 },
  });
  const client = {
    ...{ tenantId: application.tenantId, applicationId: application.applicationId, kind: 'application' },
    ...{ authMethod: 'none', requirePkce: true, secrets: [], createdAt: T, updatedAt: T },
    ...{ accessTokenSeconds: 900, refreshTokenSeconds: 28_800 },
  };
  expect(clients).toEqual([
    { ...client, clientId: 'otl-console', name: 'Operator console' },
    { ...client, clientId: 'otl-cli', name: 'otl', dpopBound: true },
  ]);
  expect(operatorDirectory(T).application).toMatchObject({
    redirectUris: ['http://127.0.0.1/callback'],
    postLogoutRedirectUris: [],
  });
});

test('stored records of operators are changed only if the settings of this version differ', async () => {
  const stored = new Map<string, object>();
  const replaced: unknown[] = [];
  const store = (id: string) => ({
    put: async (record: Record<string, unknown>) => {
      const isNew = !stored.has(String(record[id]));
      if (isNew) stored.set(String(record[id]), record);
      return isNew;
    },
    find: async (key: string) => stored.get(key),
    replace: async (_: unknown, next: Record<string, unknown>) => {
      stored.set(String(next[id]), next);
      replaced.push([next[id], next.createdAt, next.updatedAt]);
      return true;
    },
  });
  const ports = {
    tenantRecords: store('tenantId'),
    applicationRecords: store('applicationId'),
    clientRecords: store('clientId'),
  } as never;
  await ensureOperatorDirectory(ports, T, ORIGIN);
  expect([...stored.keys()]).toEqual([
    ...['operators0000000000000000', 'console000000000000000000', 'otl-console', 'otl-cli'],
  ]);
  const [before] = stored.values();
  await ensureOperatorDirectory(ports, T + 1, ORIGIN);
  await ensureOperatorDirectory(ports, T + 2, undefined);
  expect(replaced).toEqual([]);
  await ensureOperatorDirectory(ports, T + 3, 'https://moved.example.com');
  expect(replaced).toEqual([['console000000000000000000', T, T + 3]]);
  const [after] = stored.values();
  expect(after).toBe(before);
});

test('a cookie of a console login is read only in the form in which it was created', () => {
  const login = { state: 's'.repeat(43), verifier: 'v'.repeat(43), target: '/tenant/ä' };
  expect(readConsoleLogin(consoleLoginValue(login))).toEqual(login);
  expect(readConsoleLogin(consoleLoginValue({ ...login, target: '' }))).toEqual({ ...login, target: '' });
  for (const value of [undefined, '', consoleLoginValue({ ...login, state: 's' })])
    expect(readConsoleLogin(value)).toBeUndefined();
});
