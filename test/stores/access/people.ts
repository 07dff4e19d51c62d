import { SEEN_DEVICES_MAX } from '../../../shared/domain/basis/limits.ts';
import { begun, unproven } from '../../../shared/domain/trust/generations.ts';
import { consents } from '../../../shared/dynamo/people/consents.ts';
import { deviceKeys } from '../../../shared/dynamo/people/device-keys.ts';
import { holders } from '../../../shared/dynamo/people/holders.ts';
import { identifierReservations, identifiers } from '../../../shared/dynamo/people/identifiers.ts';
import { jobs } from '../../../shared/dynamo/people/jobs.ts';
import { membershipRecords, memberships } from '../../../shared/dynamo/people/memberships.ts';
import { moves } from '../../../shared/dynamo/people/moves.ts';
import { passkeyRecords, passkeys } from '../../../shared/dynamo/people/passkeys.ts';
import { seenDevices, timeline } from '../../../shared/dynamo/people/timeline.ts';
import { userRecords, users } from '../../../shared/dynamo/people/users.ts';
import type { Table } from '../../../shared/dynamo/table.ts';
import type { Job } from '../../../shared/ports/jobs.ts';
import type {
  DeviceKey,
  DeviceKeys,
  Membership,
  MembershipRecords,
  NotedProof,
  Passkey,
  PasskeyRecords,
  Passkeys,
  User,
  UserRecords,
} from '../../../shared/ports/people.ts';
import { someDeviceKey, somePasskey } from '../../support/fixtures/signing-records.ts';
import {
  provenTrust,
  someConsent,
  someMembership,
  someUser,
  T,
  unique,
} from '../../support/server/records.ts';
import { calls, type Exercises, editing, email, page, withRecord } from './exercise.ts';

const someEvent = (userId: string) => ({
  eventId: 'e',
  type: 'login',
  userId,
  time: '2026-01-01',
  detail: {},
});
const proven: NotedProof = {
  ...{ attribute: 'email', value: 'a@example.com' },
  ...{ trust: provenTrust, handover: begun },
};
const someJob: Job = {
  jobId: 'job',
  kind: 'erase-user',
  tenantId: 'tenant',
  subjectId: 'user',
  dueAt: T,
  done: 0,
};
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

export const peopleExercises = {
  users: {
    make: users,
    verbs: {
      find: (store) => store.find('id'),
      recordLogin: (store) =>
        store.recordLogin({ userId: 'id', at: T, generations: unproven, proven, application: 'app' }),
      noteProof: (store) => store.noteProof({ userId: 'id', generations: unproven }, proven),
      noteWrongGuess: (store) => store.noteWrongGuess('id', 'key'),
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
      listByBeginning: withRecord<UserRecords, User>(
        (store, user) => store.put(user),
        () => someUser({ firstName: 'Ann' }),
        (store, { tenantId }) => store.listByBeginning(tenantId, 'ann', page),
      ),
    },
  },
  moves: {
    make: moves,
    verbs: {
      take: (store) => store.take({ userId: 'id', generations: unproven }, T, 'holder'),
      giveBack: (store) => store.giveBack('id', 'holder'),
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
      takeOver: (store) =>
        store.takeOver(
          'tenant',
          email,
          { userId: 'user', reservedAt: T },
          { userId: 'other', reservedAt: T },
        ),
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
  passkeys: {
    make: passkeys,
    verbs: {
      findOwner: usingPasskey((store, { credentialId }) => store.findOwner(credentialId)),
      find: usingPasskey((store, { userId, credentialId }) => store.find(userId, credentialId)),
      listOf: usingPasskey((store, { userId }) => store.listOf(userId)),
      recordUse: usingPasskey(async (store, { userId, credentialId }) => {
        const use = { userId, credentialId, signCount: 1, backupEligible: true, backedUp: false, at: T };
        await store.recordUse({ ...use, challenge: 'one' });
        await store.recordUse({ ...use, challenge: 'two' });
      }),
      settle: usingPasskey((store, { userId, credentialId }) =>
        store.settle(userId, credentialId, provenTrust),
      ),
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
      remove: ofPasskey((store, { userId, credentialId }) => store.remove(userId, credentialId, T)),
      restore: ofPasskey(async (store, { userId, credentialId }) => {
        await store.remove(userId, credentialId, T);
        return store.restore(userId, credentialId);
      }),
      forgetAllOf: ofPasskey((store, { userId }) => store.forgetAllOf(userId)),
    },
  },
  holders: { make: holders, verbs: { find: (store) => store.find('tenant', [email], ['credential']) } },
  deviceKeys: {
    make: deviceKeys,
    verbs: {
      put: ofDeviceKey((store, key) => store.put(key)),
      find: ofDeviceKey((store, { userId, keyId }) => store.find(userId, keyId)),
      listOf: ofDeviceKey((store, { userId }) => store.listOf(userId)),
      remove: ofDeviceKey((store, { userId, keyId }) => store.remove(userId, keyId)),
      settle: ofDeviceKey((store, { userId, keyId }) => store.settle(userId, keyId, provenTrust)),
    },
  },
  consents: {
    make: consents,
    verbs: {
      find: (store) => store.find('user', 'key', T),
      give: async (store) => {
        const consent = someConsent();
        await store.give(consent, undefined, T);
        await store.give({ ...consent, givenBy: 'again' }, consent, T);
      },
      use: (store) => store.use('user', { key: 'key', mark: 'mark' }, T),
      listOf: (store) => store.listOf('user', T),
      end: (store) => store.end('user', 'key'),
    },
  },
  jobs: {
    make: jobs,
    verbs: {
      put: (store) => store.put(someJob),
      note: (store) => store.note(someJob, { done: 1, cursor: 'here' }),
      list: async (store) => {
        await store.put(someJob);
        calls.clear();
        return store.list({ limit: 1 });
      },
      remove: (store) => store.remove(someJob),
    },
  },
  timeline: {
    make: timeline,
    verbs: {
      add: (store) => store.add(someEvent('user'), T),
      addChange: (store) => store.addChange({ ...someEvent('user'), tenantId: 'tenant' }, T),
      addMessage: (store) => store.addMessage('user', someEvent('user'), T),
      rememberText: (store) => store.rememberText(unique('text'), { userId: 'user' }, T),
      findText: (store) => store.findText(unique('text')),
      list: (store) => store.list(unique('user'), page),
      listChanges: (store) => store.listChanges({ tenantId: unique('tenant') }, page, () => true),
      listMessages: (store) => store.listMessages([unique('user')], page),
      listWithMessages: (store) => store.listWithMessages(unique('user'), [unique('user')], page),
      eraseMessages: async (store) => {
        const user = unique('user');
        await store.addMessage(user, someEvent(user), T);
        calls.clear();
        return store.eraseMessages(user);
      },
      erase: async (store, table) => {
        const user = unique('user');
        await store.add(someEvent(user), T);
        await store.addChange({ ...someEvent(user), tenantId: 'tenant' }, T);
        await store.addMessage(user, someEvent(user), T);
        await seenDevices(table).note(user, { device: 'device', eventId: 'event', at: T, purgeAt: T + 1 });
        calls.clear();
        return store.erase(user);
      },
    },
  },
  seenDevices: {
    make: seenDevices,
    verbs: {
      note: async (store) => {
        const user = unique('user');
        for (let n = 0; n <= SEEN_DEVICES_MAX; n += 1)
          await store.note(user, { device: `device${n}`, eventId: 'event', at: T, purgeAt: T + 1 });
      },
    },
  },
} as const satisfies Partial<Exercises>;
