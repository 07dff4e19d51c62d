import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { applicationRecords, applications } from '../../shared/dynamo/applications.ts';
import { approvals } from '../../shared/dynamo/approvals.ts';
import { authorizationCodes } from '../../shared/dynamo/authorization-codes.ts';
import { clientRecords, clients } from '../../shared/dynamo/clients.ts';
import { deviceKeys } from '../../shared/dynamo/device-keys.ts';
import { identifierClaims, identifiers } from '../../shared/dynamo/identifiers.ts';
import { type Access, portAccess, type TableName } from '../../shared/dynamo/keys.ts';
import { knownDeviceRecords, knownDevices } from '../../shared/dynamo/known-devices.ts';
import { loginTransactions } from '../../shared/dynamo/login-transactions.ts';
import { magicLinks } from '../../shared/dynamo/magic-links.ts';
import { membershipRecords, memberships } from '../../shared/dynamo/memberships.ts';
import { oneTimeCodes } from '../../shared/dynamo/one-time-codes.ts';
import { organizationRecords, organizations } from '../../shared/dynamo/organizations.ts';
import { passkeyRecords, passkeys } from '../../shared/dynamo/passkeys.ts';
import { pushedRequests } from '../../shared/dynamo/pushed-requests.ts';
import { relatedOrigins, rpIds } from '../../shared/dynamo/relying-parties.ts';
import { replayGuard } from '../../shared/dynamo/replay-guard.ts';
import { resourceRecords, resources } from '../../shared/dynamo/resources.ts';
import { revokedTokens } from '../../shared/dynamo/revoked-tokens.ts';
import { sessions } from '../../shared/dynamo/sessions.ts';
import { signingKeyRecords, signingKeys } from '../../shared/dynamo/signing-keys.ts';
import { createTable, documentClient, type Table } from '../../shared/dynamo/table.ts';
import { tenantRecords, tenants } from '../../shared/dynamo/tenants.ts';
import { seenDevices, timeline } from '../../shared/dynamo/timeline.ts';
import { upstreamLogins } from '../../shared/dynamo/upstream-logins.ts';
import { userRecords, users } from '../../shared/dynamo/users.ts';
import { webauthnChallenges } from '../../shared/dynamo/webauthn-challenges.ts';
import { webhookRecords, webhooks } from '../../shared/dynamo/webhooks.ts';
import { windowRecords, windows } from '../../shared/dynamo/windows.ts';
import type { RecordStore } from '../../shared/ports/directory.ts';
import {
  someAuthorizationCode,
  someLoginTransaction,
  somePushedRequest,
  someUpstreamLogin,
} from '../support/flow-records.ts';
import {
  someApplication,
  someClient,
  someCode,
  someCodeKey,
  someFamily,
  someLink,
  someMembership,
  someOrganization,
  someResource,
  someSession,
  someSigningKey,
  someTenant,
  someUser,
  someWebhook,
  T,
  unique,
} from '../support/records.ts';
import { someApproval, someChallenge, someDeviceKey, somePasskey } from '../support/signing-records.ts';
import { describeStore, localConfig } from '../support/store.ts';

const page = { limit: 1 };

/** Every verb of a port, with its refusals, on the table of that name. */
type Exercise = (table: Table) => Promise<unknown>;

function editing<R extends { readonly createdAt: number }>(
  make: (table: Table) => RecordStore<R>,
  some: () => R,
  id: (record: R) => string,
): Exercise {
  return async (table) => {
    const [store, record] = [make(table), some()];
    await store.put(record);
    await store.put(record);
    await store.find(id(record));
    await store.replace(record, record);
    await store.list(unique('parent'), page);
    await store.remove(id(record));
  };
}

const exercises: Readonly<Record<keyof typeof portAccess, Exercise>> = {
  tenants: (table) => tenants(table).find('id'),
  applications: (table) => applications(table).find('id'),
  clients: (table) => clients(table).find('id'),
  organizations: (table) => organizations(table).find('id'),
  resources: async (table) => {
    const resource = someResource();
    await resourceRecords(table).claimUri(resource.tenantId, resource.uri, resource.resourceId);
    calls.clear();
    await resources(table).findByUri(resource.tenantId, resource.uri);
  },
  signingKeys: (table) => signingKeys(table).list(),
  tenantRecords: editing(tenantRecords, someTenant, ({ tenantId }) => tenantId),
  applicationRecords: async (table) => {
    await editing(applicationRecords, someApplication, ({ applicationId }) => applicationId)(table);
    const [store, application] = [
      applicationRecords(table),
      someApplication({ origins: ['https://a.example'] }),
    ];
    await store.put(application);
    await store.replace(application, { ...application, rpId: 'example.com' });
    await store.remove(application.applicationId);
  },
  relatedOrigins: (table) => relatedOrigins(table).list('example.com', { byDefault: true }),
  clientRecords: editing(clientRecords, someClient, ({ clientId }) => clientId),
  webhookRecords: editing(webhookRecords, someWebhook, ({ webhookId }) => webhookId),
  webhooks: async (table) => {
    await webhooks(table).find('id');
    await webhooks(table).listOf(unique('tenant'));
  },
  organizationRecords: editing(organizationRecords, someOrganization, ({ organizationId }) => organizationId),
  resourceRecords: async (table) => {
    await editing(resourceRecords, someResource, ({ resourceId }) => resourceId)(table);
    const store = resourceRecords(table);
    for (const id of ['one', 'other']) await store.claimUri('tenant', 'https://access/', id);
    await store.releaseUri('tenant', 'https://access/', 'one', Date.now() / 1000);
  },
  signingKeyRecords: async (table) => {
    const [store, key] = [signingKeyRecords(table), someSigningKey()];
    await store.put(key);
    await store.move(key.kid, 'next', 'current', T);
    await store.list();
    await store.remove(key.kid, 'current');
  },
  users: async (table) => {
    const store = users(table);
    await store.find('id');
    await store.recordLogin({ userId: 'id', at: T, proven: { attribute: 'email', value: 'a@example.com' } });
    await store.switchPasscodesOff('id', 'key');
    await store.markUndeliverable('id', 'a@example.com', { reason: 'bounce', since: T });
  },
  userRecords: async (table) => {
    const user = someUser();
    await membershipRecords(table).put(someMembership({ userId: user.userId }));
    calls.clear();
    await editing<typeof user>(
      (of) => userRecords(of),
      () => user,
      ({ userId }) => userId,
    )(table);
  },
  identifiers: (table) => identifiers(table).find('tenant', { type: 'email', value: 'a@example.com' }),
  identifierClaims: async (table) => {
    const [store, identifier] = [identifierClaims(table), { type: 'email', value: unique('a') }];
    await store.claim('tenant', identifier, 'user', T);
    await store.claim('tenant', identifier, 'user', T + 1);
    await store.takeOver('tenant', identifier, { userId: 'user', claimedAt: T + 1 }, 'other', T + 2);
    await store.release('tenant', identifier, 'other', T + 2);
  },
  memberships: (table) => memberships(table).find('user', 'org'),
  membershipRecords: async (table) => {
    const [store, membership] = [membershipRecords(table), someMembership()];
    const { userId, organizationId } = membership;
    await store.put(membership);
    await store.find(userId, organizationId);
    await store.replace(membership);
    await store.listOfOrganization(organizationId, page);
    await store.listOfUser(userId);
    await store.remove(userId, organizationId);
  },
  knownDevices: async (table) => {
    const [store, browser] = [knownDevices(table), unique('browser')];
    await store.remember('user', browser, T);
    await store.isKnown('user', browser, T);
  },
  knownDeviceRecords: async (table) => {
    await knownDeviceRecords(table).listOf('user');
    await knownDeviceRecords(table).forgetAllOf('user');
  },
  passkeys: async (table) => {
    const passkey = somePasskey();
    const { userId, credentialId } = passkey;
    await passkeys(table).findOwner(credentialId);
    await passkeys(table).find(userId, credentialId);
    await passkeys(table).hasAny(userId, passkey.rpId);
    await passkeys(table).recordUse({ userId, credentialId, signCount: 0, backedUp: false, at: T });
  },
  passkeyRecords: async (table) => {
    const [store, passkey] = [passkeyRecords(table), somePasskey()];
    const { userId, credentialId } = passkey;
    for (const _ of [1, 2]) await store.claim(credentialId, userId, T);
    for (const _ of [1, 2]) await store.put(passkey);
    await store.listOf(userId);
    await store.rename(userId, credentialId, 'Phone');
    await store.remove(userId, credentialId);
  },
  rpIds: (table) => rpIds(table).fix(unique('app'), 'example.com'),
  deviceKeys: async (table) => {
    const [store, key] = [deviceKeys(table), someDeviceKey()];
    for (const _ of [1, 2]) await store.put(key);
    await store.find(key.userId, key.keyId);
    await store.listOf(key.userId);
    await store.remove(key.userId, key.keyId);
  },
  timeline: async (table) => {
    const [store, user] = [timeline(table), unique('user')];
    const event = { eventId: 'e', type: 'login.succeeded', userId: user, time: '2026-01-01', detail: {} };
    await store.add(event, T);
    await seenDevices(table).note(user, 'device', T, T + 1);
    calls.delete('people table dynamodb:PutItem seen#');
    await store.list(user, page);
    await store.erase(user);
  },
  seenDevices: (table) => seenDevices(table).note(unique('user'), 'device', T, T + 1),
  otps: async (table) => {
    const [store, key, code] = [oneTimeCodes(table), someCodeKey(), someCode({ maxTries: 1 })];
    await store.put(key, code);
    await store.find(key);
    await store.countTry(key, { at: T, maxFailures: 100 });
    await store.refundTry(key, code.mac);
    await store.consume(key, code.mac, T);
    await store.revoke(key, code.mac);
    await store.put(key, code);
    await store.remove(key);
  },
  links: async (table) => {
    const [store, link] = [magicLinks(table), someLink()];
    await store.put(link);
    await store.find(link.hash);
    await store.consume(link.hash, T);
    await store.revoke(link.hash);
  },
  codes: async (table) => {
    const [store, code] = [authorizationCodes(table), someAuthorizationCode({ requireMfa: true })];
    const { hash, methods, sessionId, startsSession } = code;
    await store.put(code);
    await store.find(hash);
    await store.upgrade(hash, { methods, sessionId, startsSession, expiresAt: T + 60, at: T });
    await store.spend(hash, T);
    await store.consume(hash, T);
  },
  pushedRequests: async (table) => {
    const [store, request] = [pushedRequests(table), somePushedRequest()];
    await store.put(request);
    for (const browser of ['own', 'other']) await store.spend(request.hash, browser, T);
  },
  loginTransactions: async (table) => {
    const [store, transaction] = [loginTransactions(table), someLoginTransaction()];
    await store.put(transaction);
    await store.find(transaction.hash, T);
    await store.advance(transaction, '{}', T);
    await store.finish(transaction.hash, T);
  },
  upstreamLogins: async (table) => {
    const [store, login] = [upstreamLogins(table), someUpstreamLogin()];
    await store.put(login);
    await store.find(login.hash);
    await store.keepAnswer(login.hash, 'sealed', T);
    await store.consume(login.hash, T);
  },
  replays: async (table) => {
    const id = unique('jti');
    for (const _ of [1, 2]) await replayGuard(table).claim('client', id, T + 60, T);
  },
  revokedTokens: async (table) => {
    const [store, jti] = [revokedTokens(table), unique('jti')];
    await store.revoke(jti, T + 60);
    await store.isRevoked(jti, T);
  },
  sessions: async (table) => {
    const [store, session] = [sessions(table), someSession()];
    const change = {
      at: T,
      expiresAt: T + 1,
      methods: [{ method: 'sms', at: T }],
      dropFamilies: [],
    } as const;
    await store.start(session);
    await store.find(session.sessionId, T);
    await store.join(session.sessionId, { ...change, family: someFamily() });
    const rotation = { at: T, nextHash: 'next', familyExpiresAt: T + 1, sessionExpiresAt: T + 1 };
    const previous = { hash: 'hash', rotatedAt: T, sealedSuccessor: 'sealed', reissue: '{}' };
    await store.rotate(session.sessionId, 'family', { ...rotation, previous });
    await store.endFamily(session.sessionId, 'family', T);
    await store.forbid(someSession().sessionId, T);
    await store.listOf(session.userId, T);
    await store.endAllOf(session.userId, T);
    await store.eraseAllOf(session.userId, T);
    await store.end(session.sessionId, T);
  },
  webauthnChallenges: async (table) => {
    const [store, challenge] = [webauthnChallenges(table), someChallenge()];
    await store.put(challenge);
    await store.find(challenge.hash, T);
    await store.consume(challenge.hash, T);
  },
  approvals: async (table) => {
    const [store, approval] = [approvals(table), someApproval()];
    await store.put(approval);
    await store.find(approval.hash, T);
    await store.consume(approval.hash, T);
  },
  windows: async (table) => {
    const key = unique('window');
    for (const _ of [1, 2]) await windows(table).count(key, [{ seconds: 60, max: 1 }], T);
  },
  windowRecords: (table) => windowRecords(table).forget(unique('window'), 60, T),
};

/** What was called since the last `clear`: table, action, and beginning of the partition key. */
const calls = new Set<string>();

interface CallInput {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly Key?: { readonly pk: string };
  readonly Item?: { readonly pk: string };
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
}

const kindOf = (pk: string): string => (pk.includes('#') ? pk.slice(0, pk.indexOf('#') + 1) : pk);

function record(client: DynamoDBDocumentClient): void {
  client.middlewareStack.add(
    (next, context) => (args) => {
      const input = args.input as CallInput;
      const values = input.ExpressionAttributeValues ?? {};
      const action = `dynamodb:${String(context.commandName).replace(/Command$/, '')}`;
      const onIndex = input.IndexName !== undefined;
      const pk = input.Key?.pk ?? input.Item?.pk ?? String(values[onIndex ? ':list_pk' : ':pk']);
      calls.add([input.TableName, onIndex ? 'index' : 'table', action, kindOf(pk)].join(' '));
      return next(args);
    },
    { step: 'initialize', name: 'record', override: true },
  );
}

function declared(accesses: readonly Access[]): Set<string> {
  return new Set(
    accesses.flatMap(({ table, prefixes, actions, indexPrefixes = [] }) => [
      ...prefixes.flatMap((prefix) => actions.map((action) => `${table} table ${action} ${prefix}`)),
      ...indexPrefixes.map((prefix) => `${table} index dynamodb:Query ${prefix}`),
    ]),
  );
}

describeStore('access', (store) => {
  test.each(Object.keys(exercises) as (keyof typeof portAccess)[])(
    'of %s is what is granted',
    async (port) => {
      const accesses: readonly Access[] = portAccess[port];
      const client = documentClient(localConfig(store().endpoint));
      record(client);
      calls.clear();
      const [table] = new Set<TableName>(accesses.map((access) => access.table));
      await exercises[port](createTable(client, table ?? 'flows'));
      client.destroy();
      expect([...calls].sort()).toEqual([...declared(accesses)].sort());
    },
  );
});
