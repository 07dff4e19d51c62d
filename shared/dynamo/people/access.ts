import {
  type Access,
  batchGet,
  get,
  list,
  onlyAttributes,
  onTable,
  type PortAccess,
  put,
  query,
  queryIndex,
  remove,
  update,
} from '../access.ts';
import { BEGINNING_INDEX } from '../keys.ts';

const people = onTable('people');
/** Restricts a write to attributes of the user record. The user's passkeys and roles in the same partition stay protected. */
const onlyUserRecord = (access: Access): Access => ({ ...access, attributes: 'user' });
const removing = onlyAttributes('removed', 'removed_by', 'purge_at');
const purging = onlyAttributes('purge_at');
/** Restricts a write to consent attributes, so that it cannot write the user's other items. */
const onlyConsent = onlyAttributes(
  ...['user_id', 'key', 'mark', 'given_by', 'tenant_id', 'application_id', 'client_id', 'redirect_uri'],
  ...['resource', 'scopes', 'stays_connected', 'given_at', 'used_at', 'expires_at', 'purge_at'],
);

export const peopleAccess = {
  users: {
    find: [people('user#', get)],
    recordLogin: [people('user#', update)],
    noteProof: [people('user#', update)],
    markUndeliverable: [onlyAttributes('email', 'version', 'list_pk', 'list_sk')(people('user#', update))],
    noteWrongGuess: [people('user#', update)],
  },
  userRecords: {
    put: [onlyUserRecord(people('user#', put))],
    find: [people('user#', get)],
    findAll: [people('user#', batchGet)],
    replace: [onlyUserRecord(people('user#', put))],
    remove: [people('user#', query, remove)],
    list: list('people', 'users-of#', 'user#'),
    listByBeginning: [queryIndex('people', 'find#', BEGINNING_INDEX), people('user#', batchGet)],
    listByEvent: list('people', 'events-of#', 'user#'),
    listWithProblem: list('people', 'problems-of#', 'user#'),
  },
  sessionExchanges: { record: [people('user#', update)], remove: [people('user#', update)] },
  identifiers: { find: [people('identifier#', get)] },
  identifierReservations: {
    reserve: [people('identifier#', put)],
    takeOver: [people('identifier#', put)],
    release: [people('identifier#', remove)],
    releaseAllOf: [queryIndex('people', 'claims-of#'), people('identifier#', remove)],
  },
  jobs: {
    put: [people('job#', update)],
    note: [people('job#', update)],
    list: list('people', 'jobs', 'job#'),
    remove: [people('job#', remove)],
  },
  memberships: { find: [people('user#', get)] },
  membershipRecords: {
    put: [people('user#', put)],
    find: [people('user#', get)],
    replace: [people('user#', put)],
    remove: [people('user#', remove)],
    listOfOrganization: list('people', 'members-of#', 'user#'),
    listOfUser: [people('user#', query)],
  },
  passkeys: {
    find: [people('user#', get)],
    listOf: [people('user#', query)],
    recordUse: [people('user#', update)],
    findOwner: [people('credential#', get)],
    updateTrust: [people('user#', update)],
  },
  passkeyRecords: {
    listOf: [people('user#', query)],
    reserve: [people('credential#', put)],
    put: [people('user#', put)],
    rename: [onlyAttributes('name', 'removed')(people('user#', update)), people('user#', get)],
    remove: [purging(people('credential#', update)), removing(people('user#', update))],
    restore: [
      people('user#', get),
      purging(people('credential#', update)),
      removing(people('user#', update)),
    ],
    forgetAllOf: [people('credential#', remove), people('user#', query, remove)],
  },
  holders: { find: [people('identifier#', batchGet), people('credential#', batchGet)] },
  deviceKeys: {
    put: [people('user#', put)],
    find: [people('user#', get)],
    listOf: [people('user#', query)],
    remove: [people('user#', remove)],
    updateTrust: [people('user#', update)],
  },
  consents: {
    find: [people('user#', get)],
    grant: [onlyConsent(people('user#', put))],
    use: [people('user#', update)],
    listOf: [people('user#', query)],
    end: [people('user#', remove)],
  },
  timeline: {
    add: [people('timeline#', put)],
    addChange: [people('timeline#', put)],
    addMessage: [people('messages#', put)],
    rememberText: [people('messages#', put)],
    findText: [people('messages#', get)],
    list: [people('timeline#', query)],
    listChanges: [people('timeline#', query)],
    listMessages: [people('messages#', query)],
    findSubjectOfRequest: [queryIndex('people', 'request#', BEGINNING_INDEX)],
    listFailures: [people('messages#', query)],
    listWithMessages: [people('timeline#', query), people('messages#', query)],
    erase: [
      people('timeline#', query, remove),
      people('messages#', query, remove),
      people('seen#', query, remove),
    ],
    eraseMessages: [people('messages#', query, remove)],
  },
  seenDevices: { note: [people('seen#', query, put, remove)] },
} as const satisfies PortAccess;
