import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Access, accessesOf, type TablePort } from '../../shared/dynamo/access.ts';
import { applicationRecords, applications } from '../../shared/dynamo/directory/applications.ts';
import { clientRecords, clients } from '../../shared/dynamo/directory/clients.ts';
import { organizationRecords, organizations } from '../../shared/dynamo/directory/organizations.ts';
import { relatedOrigins, rpIds } from '../../shared/dynamo/directory/relying-parties.ts';
import { resourceRecords, resources } from '../../shared/dynamo/directory/resources.ts';
import { signingKeyRecords, signingKeys } from '../../shared/dynamo/directory/signing-keys.ts';
import { tenantRecords, tenants } from '../../shared/dynamo/directory/tenants.ts';
import { webhookRecords, webhooks } from '../../shared/dynamo/directory/webhooks.ts';
import { approvals } from '../../shared/dynamo/flows/approvals.ts';
import { authorizationCodes } from '../../shared/dynamo/flows/authorization-codes.ts';
import { formerApplications } from '../../shared/dynamo/flows/former-applications.ts';
import { knownDeviceRecords, knownDevices } from '../../shared/dynamo/flows/known-devices.ts';
import { loginTransactions } from '../../shared/dynamo/flows/login-transactions.ts';
import { magicLinks } from '../../shared/dynamo/flows/magic-links.ts';
import { oneTimeCodes } from '../../shared/dynamo/flows/one-time-codes.ts';
import { pushedRequests } from '../../shared/dynamo/flows/pushed-requests.ts';
import { replayGuard } from '../../shared/dynamo/flows/replay-guard.ts';
import { revokedTokens } from '../../shared/dynamo/flows/revoked-tokens.ts';
import { sessions } from '../../shared/dynamo/flows/sessions.ts';
import { upstreamLogins } from '../../shared/dynamo/flows/upstream-logins.ts';
import { webauthnChallenges } from '../../shared/dynamo/flows/webauthn-challenges.ts';
import { windowRecords, windows } from '../../shared/dynamo/flows/windows.ts';
import { resourceUriKey } from '../../shared/dynamo/keys.ts';
import { deviceKeys } from '../../shared/dynamo/people/device-keys.ts';
import { identifierReservations, identifiers } from '../../shared/dynamo/people/identifiers.ts';
import { membershipRecords, memberships } from '../../shared/dynamo/people/memberships.ts';
import { passkeyRecords, passkeys } from '../../shared/dynamo/people/passkeys.ts';
import { seenDevices, timeline } from '../../shared/dynamo/people/timeline.ts';
import { userRecords, users } from '../../shared/dynamo/people/users.ts';
import { createTable, documentClient, type Table } from '../../shared/dynamo/table.ts';
import type { Application, RecordStore, Resource, ResourceRecords } from '../../shared/ports/directory.ts';
import type {
  OneTimeCodeKey,
  OneTimeCodes,
  Session,
  Sessions,
  StoredCode,
} from '../../shared/ports/flows.ts';
import type { Ports } from '../../shared/ports/index.ts';
import type {
  DeviceKey,
  DeviceKeys,
  Membership,
  MembershipRecords,
  Passkey,
  PasskeyRecords,
  Passkeys,
} from '../../shared/ports/people.ts';
import {
  someAuthorizationCode,
  someLoginTransaction,
  somePushedRequest,
  someUpstreamLogin,
} from '../support/fixtures/flow-records.ts';
import {
  someApproval,
  someChallenge,
  someDeviceKey,
  somePasskey,
} from '../support/fixtures/signing-records.ts';
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
} from '../support/server/records.ts';
import { describeStore, localConfig } from '../support/server/store.ts';

const page = { limit: 1 };

/** A store, and each of its verbs called, with its refusals; what must be there before is forgotten by `calls.clear()`. */
interface Exercised<Port extends TablePort> {
  readonly make: (table: Table) => Ports[Port];
  readonly verbs: {
    readonly [Verb in keyof Ports[Port]]: (store: Ports[Port], table: Table) => Promise<unknown>;
  };
}

/** Puts a record first. */
function withRecord<Store, R>(
  put: (store: Store, record: R) => Promise<unknown>,
  some: () => R,
  call: (store: Store, record: R) => Promise<unknown>,
): (store: Store) => Promise<unknown> {
  return async (store) => {
    const record = some();
    await put(store, record);
    calls.clear();
    return call(store, record);
  };
}

const editing = <R extends { readonly createdAt: number }>(some: () => R, id: (record: R) => string) => {
  const stored = (call: (store: RecordStore<R>, record: R) => Promise<unknown>) =>
    withRecord<RecordStore<R>, R>((store, record) => store.put(record), some, call);
  return {
    put: stored((store, record) => store.put(record)),
    find: stored((store, record) => store.find(id(record))),
    replace: stored(async (store, record) => {
      await store.replace(record, { ...record });
      await store.replace(record, { ...record });
    }),
    remove: stored(async (store, record) => {
      await store.remove(id(record));
      await store.remove(id(record));
    }),
    list: (store: RecordStore<R>) => store.list(unique('parent'), page),
  };
};

interface SingleUse<R> {
  put(record: R): Promise<unknown>;
  find(hash: string, at: number): Promise<unknown>;
  consume(hash: string, at: number): Promise<unknown>;
}
const usingOnce = <R extends { readonly hash: string }>(some: () => R) => {
  const stored = (call: (store: SingleUse<R>, record: R) => Promise<unknown>) =>
    withRecord<SingleUse<R>, R>((store, record) => store.put(record), some, call);
  return {
    put: stored((store, record) => store.put(record)),
    find: stored((store, { hash }) => store.find(hash, T)),
    consume: stored(async (store, { hash }) => {
      await store.consume(hash, T);
      await store.consume(hash, T);
    }),
  };
};

const application = editing(someApplication, ({ applicationId }) => applicationId);
const withOrigins = withRecord<RecordStore<Application>, Application>;
const email = { type: 'email', value: 'a@example.com' };
const someEvent = (userId: string) => ({
  eventId: 'e',
  type: 'login',
  userId,
  time: '2026-01-01',
  detail: {},
});
const inResource = (call: (store: ResourceRecords, resource: Resource) => Promise<unknown>) =>
  withRecord<ResourceRecords, Resource>(
    (store, { tenantId, uri, resourceId }) => store.reserveUri(tenantId, uri, resourceId),
    someResource,
    call,
  );
const inSession = (call: (store: Sessions, session: Session) => Promise<unknown>) =>
  withRecord<Sessions, Session>(
    (store, session) => store.start(session),
    () => someSession({ families: [someFamily()] }),
    call,
  );
const ofCode = (call: (store: OneTimeCodes, key: OneTimeCodeKey, code: StoredCode) => Promise<unknown>) =>
  withRecord<OneTimeCodes, { readonly key: OneTimeCodeKey; readonly code: StoredCode }>(
    (store, { key, code }) => store.put(key, code),
    () => ({ key: someCodeKey(), code: someCode({ maxTries: 1 }) }),
    (store, { key, code }) => call(store, key, code),
  );
const ofPasskey = (call: (store: PasskeyRecords, passkey: Passkey) => Promise<unknown>) =>
  withRecord<PasskeyRecords, Passkey>(
    async (store, passkey) => {
      await store.reserve(passkey.credentialId, passkey.userId, T);
      await store.put(passkey);
    },
    somePasskey,
    call,
  );
const usingPasskey =
  (call: (store: Passkeys, passkey: Passkey) => Promise<unknown>) =>
  async (store: Passkeys, table: Table) => {
    const passkey = somePasskey();
    await passkeyRecords(table).put(passkey);
    calls.clear();
    return call(store, passkey);
  };
const ofMember = (call: (store: MembershipRecords, membership: Membership) => Promise<unknown>) =>
  withRecord<MembershipRecords, Membership>(
    (store, membership) => store.put(membership),
    someMembership,
    call,
  );
const ofDeviceKey = (call: (store: DeviceKeys, key: DeviceKey) => Promise<unknown>) =>
  withRecord<DeviceKeys, DeviceKey>((store, key) => store.put(key), someDeviceKey, call);

const exercises: { readonly [Port in TablePort]: Exercised<Port> } = {
  tenants: { make: tenants, verbs: { find: (store) => store.find('id') } },
  applications: { make: applications, verbs: { find: (store) => store.find('id') } },
  clients: { make: clients, verbs: { find: (store) => store.find('id') } },
  organizations: { make: organizations, verbs: { find: (store) => store.find('id') } },
  resources: {
    make: resources,
    verbs: {
      findByUri: async (store, table) => {
        const { tenantId, uri, resourceId } = someResource();
        await resourceRecords(table).reserveUri(tenantId, uri, resourceId);
        calls.clear();
        return store.findByUri(tenantId, uri);
      },
    },
  },
  signingKeys: { make: signingKeys, verbs: { list: (store) => store.list() } },
  tenantRecords: { make: tenantRecords, verbs: editing(someTenant, ({ tenantId }) => tenantId) },
  applicationRecords: {
    make: applicationRecords,
    verbs: {
      ...application,
      put: (store) => store.put(someApplication({ origins: ['https://a.example'] })),
      replace: withOrigins(
        (store, record) => store.put(record),
        () => someApplication({ origins: ['https://a.example'] }),
        (store, record) => store.replace(record, { ...record, rpId: 'example.com' }),
      ),
      remove: withOrigins(
        (store, record) => store.put(record),
        () => someApplication({ origins: ['https://a.example'] }),
        (store, { applicationId }) => store.remove(applicationId),
      ),
    },
  },
  relatedOrigins: {
    make: relatedOrigins,
    verbs: { list: (store) => store.list('example.com', { byDefault: true }) },
  },
  clientRecords: { make: clientRecords, verbs: editing(someClient, ({ clientId }) => clientId) },
  webhookRecords: { make: webhookRecords, verbs: editing(someWebhook, ({ webhookId }) => webhookId) },
  webhooks: {
    make: webhooks,
    verbs: { find: (store) => store.find('id'), listOf: (store) => store.listOf(unique('tenant')) },
  },
  organizationRecords: {
    make: organizationRecords,
    verbs: editing(someOrganization, ({ organizationId }) => organizationId),
  },
  resourceRecords: {
    make: resourceRecords,
    verbs: {
      ...editing(someResource, ({ resourceId }) => resourceId),
      // An old reservation: the next caller looks up its resource.
      reserveUri: async (store, table) => {
        const { tenantId, uri, resourceId } = someResource();
        await table.put({ ...resourceUriKey(tenantId, uri), resource_id: resourceId, claimed_at: 0 });
        calls.clear();
        return store.reserveUri(tenantId, uri, 'other');
      },
      releaseUri: inResource((store, { tenantId, uri, resourceId }) =>
        store.releaseUri(tenantId, uri, resourceId, Date.now() / 1000),
      ),
    },
  },
  signingKeyRecords: {
    make: signingKeyRecords,
    verbs: {
      list: (store) => store.list(),
      put: async (store) => {
        const key = someSigningKey();
        await store.put(key);
        await store.put(key);
      },
      move: (store) => store.move(someSigningKey().kid, 'next', 'current', T),
      remove: (store) => store.remove(someSigningKey().kid, 'current'),
    },
  },
  users: {
    make: users,
    verbs: {
      find: (store) => store.find('id'),
      recordLogin: (store) =>
        store.recordLogin({ userId: 'id', at: T, proven: { attribute: 'email', value: 'a@example.com' } }),
      switchPasscodesOff: (store) => store.switchPasscodesOff('id', 'key'),
      markUndeliverable: (store) =>
        store.markUndeliverable('id', 'a@example.com', { reason: 'bounce', since: T }),
    },
  },
  userRecords: {
    make: userRecords,
    verbs: {
      ...editing(someUser, ({ userId }) => userId),
      remove: async (store, table) => {
        const user = someUser();
        await store.put(user);
        await membershipRecords(table).put(someMembership({ userId: user.userId }));
        calls.clear();
        return store.remove(user.userId);
      },
    },
  },
  identifiers: { make: identifiers, verbs: { find: (store) => store.find('tenant', email) } },
  identifierReservations: {
    make: identifierReservations,
    verbs: {
      reserve: async (store) => {
        const identifier = { type: 'email', value: unique('a') };
        for (const at of [T, T + 1]) await store.reserve('tenant', identifier, 'user', at);
        await store.reserve('tenant', identifier, 'other', T + 2);
      },
      takeOver: (store) => store.takeOver('tenant', email, { userId: 'user', reservedAt: T }, 'other', T),
      release: (store) => store.release('tenant', email, 'user', T),
      releaseAllOf: async (store) => {
        const userId = unique('user');
        await store.reserve('tenant', { type: 'email', value: unique('a') }, userId, T);
        calls.clear();
        return store.releaseAllOf(userId);
      },
    },
  },
  memberships: { make: memberships, verbs: { find: (store) => store.find('user', 'org') } },
  membershipRecords: {
    make: membershipRecords,
    verbs: {
      put: ofMember((store, membership) => store.put(membership)),
      find: ofMember((store, { userId, organizationId }) => store.find(userId, organizationId)),
      replace: ofMember((store, membership) => store.replace(membership)),
      remove: ofMember((store, { userId, organizationId }) => store.remove(userId, organizationId)),
      listOfOrganization: ofMember((store, { organizationId }) =>
        store.listOfOrganization(organizationId, page),
      ),
      listOfUser: ofMember((store, { userId }) => store.listOfUser(userId)),
    },
  },
  knownDevices: {
    make: knownDevices,
    verbs: {
      isKnown: (store) => store.isKnown('user', 'browser', T),
      remember: (store) => store.remember('user', unique('browser'), T),
    },
  },
  formerApplications: {
    make: formerApplications,
    verbs: {
      remember: (store) => store.remember('tenant', 'app', T),
      listOf: (store) => store.listOf('tenant', T),
    },
  },
  knownDeviceRecords: {
    make: knownDeviceRecords,
    verbs: { listOf: (store) => store.listOf('user'), forgetAllOf: (store) => store.forgetAllOf('user') },
  },
  passkeys: {
    make: passkeys,
    verbs: {
      findOwner: usingPasskey((store, { credentialId }) => store.findOwner(credentialId)),
      find: usingPasskey((store, { userId, credentialId }) => store.find(userId, credentialId)),
      hasAny: usingPasskey((store, { userId, rpId }) => store.hasAny(userId, rpId)),
      recordUse: usingPasskey(async (store, { userId, credentialId }) => {
        const use = { userId, credentialId, signCount: 1, backedUp: false, at: T };
        await store.recordUse(use);
        await store.recordUse(use);
      }),
    },
  },
  passkeyRecords: {
    make: passkeyRecords,
    verbs: {
      listOf: ofPasskey((store, { userId }) => store.listOf(userId)),
      reserve: ofPasskey(async (store, { credentialId, userId }) => {
        await store.reserve(credentialId, userId, T);
        await store.reserve(credentialId, 'other', T);
      }),
      put: ofPasskey((store, passkey) => store.put(passkey)),
      rename: ofPasskey((store, { userId, credentialId }) => store.rename(userId, credentialId, 'Phone')),
      remove: ofPasskey((store, { userId, credentialId }) => store.remove(userId, credentialId)),
    },
  },
  rpIds: { make: rpIds, verbs: { fix: (store) => store.fix(unique('app'), 'example.com') } },
  deviceKeys: {
    make: deviceKeys,
    verbs: {
      put: ofDeviceKey((store, key) => store.put(key)),
      find: ofDeviceKey((store, { userId, keyId }) => store.find(userId, keyId)),
      listOf: ofDeviceKey((store, { userId }) => store.listOf(userId)),
      remove: ofDeviceKey((store, { userId, keyId }) => store.remove(userId, keyId)),
    },
  },
  timeline: {
    make: timeline,
    verbs: {
      add: (store) => store.add(someEvent('user'), T),
      list: (store) => store.list(unique('user'), page),
      erase: async (store, table) => {
        const user = unique('user');
        await store.add(someEvent(user), T);
        await seenDevices(table).note(user, 'device', T, T + 1);
        calls.clear();
        return store.erase(user);
      },
    },
  },
  seenDevices: {
    make: seenDevices,
    verbs: { note: (store) => store.note(unique('user'), 'device', T, T + 1) },
  },
  otps: {
    make: oneTimeCodes,
    verbs: {
      put: ofCode((store, key, code) => store.put(key, code)),
      find: ofCode((store, key) => store.find(key)),
      countTry: ofCode(async (store, key) => {
        await store.countTry(key, { at: T, maxFailures: 100 });
        await store.countTry(key, { at: T, maxFailures: 100 });
      }),
      refundTry: ofCode((store, key, code) => store.refundTry(key, code.mac)),
      consume: ofCode((store, key, code) => store.consume(key, code.mac, T)),
      revoke: ofCode((store, key, code) => store.revoke(key, code.mac)),
      remove: ofCode((store, key) => store.remove(key)),
    },
  },
  links: {
    make: magicLinks,
    verbs: { ...usingOnce(someLink), revoke: (store) => store.revoke('hash') },
  },
  codes: {
    make: authorizationCodes,
    verbs: {
      ...usingOnce(someAuthorizationCode),
      upgrade: (store) => {
        const { hash, methods, sessionId, startsSession } = someAuthorizationCode();
        return store.upgrade(hash, { methods, sessionId, startsSession, expiresAt: T + 60, at: T });
      },
      spend: (store) => store.spend('hash', T),
    },
  },
  pushedRequests: {
    make: pushedRequests,
    verbs: {
      put: (store) => store.put(somePushedRequest()),
      spend: async (store) => {
        const request = somePushedRequest();
        await store.put(request);
        calls.clear();
        for (const browser of ['own', 'other']) await store.spend(request.hash, browser, T);
      },
    },
  },
  loginTransactions: {
    make: loginTransactions,
    verbs: {
      put: (store) => store.put(someLoginTransaction()),
      find: (store) => store.find('hash', T),
      advance: (store) => store.advance(someLoginTransaction(), '{}', T),
      finish: (store) => store.finish('hash', T),
    },
  },
  upstreamLogins: {
    make: upstreamLogins,
    verbs: { ...usingOnce(someUpstreamLogin), keepAnswer: (store) => store.keepAnswer('hash', 'sealed', T) },
  },
  replays: {
    make: replayGuard,
    verbs: {
      spend: async (store) => {
        const id = unique('jti');
        for (const _ of [1, 2]) await store.spend('client', id, T + 60, T);
      },
    },
  },
  revokedTokens: {
    make: revokedTokens,
    verbs: {
      revoke: (store) => store.revoke(unique('jti'), T + 60),
      isRevoked: (store) => store.isRevoked('jti', T),
    },
  },
  sessions: {
    make: sessions,
    verbs: {
      start: inSession((store, session) => store.start(session)),
      find: inSession((store, { sessionId }) => store.find(sessionId, T)),
      join: inSession((store, { sessionId }) => {
        const methods = [{ method: 'sms', at: T }] as const;
        return store.join(sessionId, {
          ...{ at: T, expiresAt: T + 1, methods, dropFamilies: [] },
          family: someFamily(),
        });
      }),
      rotate: inSession((store, { sessionId }) => {
        const rotation = { at: T, nextHash: 'next', familyExpiresAt: T + 1, sessionExpiresAt: T + 1 };
        const previous = { hash: 'hash', rotatedAt: T, sealedSuccessor: 'sealed', reissue: '{}' };
        return store.rotate(sessionId, 'family', { ...rotation, previous });
      }),
      endFamily: inSession((store, { sessionId }) => store.endFamily(sessionId, 'family', T)),
      end: inSession((store, { sessionId }) => store.end(sessionId, T)),
      forbid: async (store) => store.forbid(someSession().sessionId, T),
      listOf: inSession((store, { userId }) => store.listOf(userId, T)),
      endAllOf: inSession((store, { userId }) => store.endAllOf(userId, T)),
      eraseAllOf: inSession((store, { userId }) => store.eraseAllOf(userId, T)),
    },
  },
  webauthnChallenges: { make: webauthnChallenges, verbs: usingOnce(someChallenge) },
  approvals: { make: approvals, verbs: usingOnce(someApproval) },
  windows: {
    make: windows,
    verbs: {
      count: async (store) => {
        const key = unique('window');
        for (const _ of [1, 2]) await store.count(key, [{ seconds: 60, max: 1 }], T);
      },
      pay: (store) => store.pay(unique('window'), 60, 1, T),
      takeBack: (store) => store.takeBack(unique('window'), [{ seconds: 60, max: 1 }], T),
    },
  },
  windowRecords: {
    make: windowRecords,
    verbs: { forget: (store) => store.forget(unique('window'), 60, T) },
  },
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

const declared = (accesses: readonly Access[]): readonly string[] =>
  accesses.flatMap(({ table, index, prefix, actions }) =>
    actions.map((action) => `${table} ${index ? 'index' : 'table'} ${action} ${prefix}`),
  );

type AnyStore = Readonly<Record<string, (store: unknown, table: Table) => Promise<unknown>>>;
const cases = (Object.keys(exercises) as TablePort[]).flatMap((port) =>
  Object.keys(exercises[port].verbs).map((verb) => [port, verb] as const),
);

describeStore('access', (store) => {
  let client: DynamoDBDocumentClient;

  beforeAll(() => {
    client = documentClient(localConfig(store().endpoint));
    record(client);
  });
  afterAll(() => client.destroy());

  test.each(cases)('of %s.%s is what is granted', async (port, verb) => {
    const accesses = accessesOf(port)[verb] ?? [];
    const { make, verbs } = exercises[port] as { make: (table: Table) => unknown; verbs: AnyStore };
    const table = createTable(client, accesses[0]?.table ?? 'flows');
    calls.clear();
    await verbs[verb]?.(make(table), table);
    expect([...calls].sort()).toEqual(declared(accesses).toSorted());
  });
});
