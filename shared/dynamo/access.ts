import type { PortName, Ports } from '../ports/index.ts';
import { BEGINNING_INDEX, LIST_INDEX, RESERVED_HOSTS, SIGNING_KEYS, type TableName } from './keys.ts';

// Table access of each port method. IAM policies are generated from this plain data; the stores themselves do not read it.

type DynamoAction =
  | 'dynamodb:GetItem'
  | 'dynamodb:BatchGetItem'
  | 'dynamodb:PutItem'
  | 'dynamodb:UpdateItem'
  | 'dynamodb:DeleteItem'
  | 'dynamodb:Query';

export interface Access {
  readonly table: TableName;
  /** Index that the DynamoDB `actions` use. Undefined if the actions use the table itself. */
  readonly index?: typeof LIST_INDEX | typeof BEGINNING_INDEX;
  /** Beginning of the partition keys that the DynamoDB `actions` may access, in the index or the table. */
  readonly prefix: string;
  readonly actions: readonly DynamoAction[];
  /**
   * Attributes that a write and its condition may name; `user` means the attributes of a user record. If undefined, all
   * attributes are allowed. Without this limit, functions that unauthenticated callers can call could store values that another
   * function accepts as proof: login progress, a session secret or a passkey's public key.
   */
  readonly attributes?: readonly string[] | 'user';
}

type VerbAccess<Port extends PortName> = { readonly [Verb in keyof Ports[Port]]: readonly Access[] };

const get = 'dynamodb:GetItem';
const batchGet = 'dynamodb:BatchGetItem';
const put = 'dynamodb:PutItem';
const update = 'dynamodb:UpdateItem';
const remove = 'dynamodb:DeleteItem';
const query = 'dynamodb:Query';

type OnTable = (prefix: string, ...actions: readonly DynamoAction[]) => Access;
const onTable =
  (table: TableName): OnTable =>
  (prefix, ...actions) => ({ table, prefix, actions });
const directory = onTable('directory');
const people = onTable('people');
const flows = onTable('flows');
const queryIndex = (table: TableName, prefix: string, index: Access['index'] = LIST_INDEX): Access => ({
  table,
  index,
  prefix,
  actions: [query],
});
/**
 * Returns the table access for lists: queries of the index partitions that begin with `parent`, and reads of the items whose
 * partition keys begin with `prefix`.
 */
const list = (table: TableName, parent: string, prefix: string): readonly Access[] => [
  queryIndex(table, parent),
  onTable(table)(prefix, batchGet),
];

const onlyAttributes =
  (...names: readonly string[]) =>
  (access: Access): Access => ({ ...access, attributes: ['pk', 'sk', ...names] });
const lifetime = ['expires_at', 'purge_at'];
const applicationAttributes = ['hash', 'tenant_id', 'application_id'];
const login = [...lifetime, 'browser_hash', 'request'];
const beginning = onlyAttributes(
  ...login,
  ...applicationAttributes,
  ...['client_id', 'joins', 'started_at', 'begun_by'],
);
const skipping = onlyAttributes(...lifetime, 'finished_at', 'begun_by');
const binding = onlyAttributes(...login, 'finished_at');
const device = ['device_id', 'user_agent', 'ip_address'];
const ending = onlyAttributes('ended_at', 'ended_by', ...lifetime, 'ends_at', ...device);
/** Restricts a write to the device binding of a session, because unauthenticated callers can trigger this write. */
const binds = onlyAttributes('binding', 'bound_by', 'ended_at', 'expires_at', 'ends_at');
/** Restricts a write to the session attributes that show whether the session has ended. */
const checkingEnd = onlyAttributes('ended_at', 'expires_at', 'ends_at');
const removing = onlyAttributes('removed', 'removed_by', 'purge_at');
const purging = onlyAttributes('purge_at');
/** Restricts a write to consent attributes, so that it cannot write the user's other items. */
const onlyConsent = onlyAttributes(
  ...['user_id', 'key', 'mark', 'given_by', 'tenant_id', 'application_id', 'client_id', 'redirect_uri'],
  ...['resource', 'scopes', 'stays_connected', 'given_at', 'used_at', ...lifetime],
);
/** WebAuthn challenge attributes that a login may write. The user ID is excluded, because it decides who gets a new passkey. */
const challenge = ['purpose', 'rp_id', 'challenge', 'raw_challenge', 'approval_data'];
const challenging = onlyAttributes(
  ...applicationAttributes,
  ...challenge,
  'identifier_hashes',
  'login_hash',
  ...lifetime,
);
/** Restricts a write to attributes of the user record. The user's passkeys and roles in the same partition stay protected. */
const onlyUserRecord = (access: Access): Access => ({ ...access, attributes: 'user' });

const record = (prefix: string, parent: string) => ({
  put: [directory(prefix, put)],
  find: [directory(prefix, get)],
  replace: [directory(prefix, put)],
  remove: [directory(prefix, remove)],
  list: list('directory', parent, prefix),
});
/** Returns the access for single-use records in the table `flows`. */
const singleUse = (prefix: string) => ({
  put: [flows(prefix, put)],
  find: [flows(prefix, get)],
  consume: [flows(prefix, update)],
});

/**
 * Table access of every port method, from which IAM policies are generated. The type requires an entry for each method, and a
 * test compares the entries with the calls that the methods make.
 */
export const portAccess = {
  tenants: { find: [directory('tenant#', get)] },
  applications: { find: [directory('app#', get)] },
  applicationsOfTenant: { list: list('directory', 'apps-of#', 'app#') },
  clients: { find: [directory('client#', get)] },
  resources: { findByUri: [directory('resource-uri#', get), directory('resource#', get)] },
  resourcesOfTenant: { list: list('directory', 'resources-of#', 'resource#') },
  organizations: { find: [directory('org#', get)] },
  signingKeys: { list: [directory(SIGNING_KEYS, query)] },
  tenantRecords: record('tenant#', 'tenants'),
  applicationRecords: {
    ...record('app#', 'apps-of#'),
    areAtLeast: [queryIndex('directory', 'apps-of#')],
    put: [directory('app#', put), directory('rp#', put)],
    replace: [directory('app#', put), directory('rp#', put, remove)],
    remove: [directory('app#', get, remove), directory('rp#', remove)],
  },
  relatedOrigins: { list: [directory('rp#', query)] },
  clientRecords: record('client#', 'clients-of#'),
  organizationRecords: record('org#', 'orgs-of#'),
  operatorRecords: record('operator#', 'operators-of#'),
  operatorEnrolments: {
    find: [directory('enrolment#', get)],
    bind: [directory('enrolment#', put)],
    complete: [directory('enrolment#', update)],
    remove: [directory('enrolment#', remove)],
  },
  operators: { find: [directory('operator#', get)], listOfUser: [directory('operator#', query)] },
  webhookRecords: record('webhook#', 'webhooks-of#'),
  webhooks: { find: [directory('webhook#', get)], listOf: list('directory', 'webhooks-of#', 'webhook#') },
  webhookDeliveries: {
    note: [flows('webhook-delivery#', update)],
    find: [flows('webhook-delivery#', get)],
    list: [flows('webhook-delivery#', query)],
    healthOf: [flows('webhook-delivery#', batchGet)],
  },
  statistics: { count: [flows('statistics#', update)], list: [flows('statistics#', query)] },
  resourceRecords: {
    ...record('resource#', 'resources-of#'),
    reserveUri: [directory('resource-uri#', put), directory('resource#', get)],
    releaseUri: [directory('resource-uri#', remove)],
  },
  uriOwners: {
    reserve: [
      directory(RESERVED_HOSTS, get),
      directory('uri-owner#', put),
      directory('resource-uri#', get),
      directory('resource#', get),
    ],
    reserveUntil: [directory('uri-owner#', update)],
  },
  uriOwnerRecords: {
    find: [directory('uri-owner#', get)],
    assign: [directory('uri-owner#', put)],
    revoke: [directory('resource-uri#', remove)],
    listHosts: [directory(RESERVED_HOSTS, query)],
    reserveHost: [directory(RESERVED_HOSTS, put)],
    freeHost: [directory(RESERVED_HOSTS, remove)],
  },
  signingKeyRecords: {
    list: [directory(SIGNING_KEYS, query)],
    put: [directory(SIGNING_KEYS, put)],
    move: [directory(SIGNING_KEYS, update)],
    remove: [directory(SIGNING_KEYS, remove)],
  },
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
  knownDevices: { isKnown: [flows('device#', get)], remember: [flows('device#', update)] },
  knownDeviceRecords: { forgetAllOf: [flows('device#', remove)] },
  formerApplications: {
    remember: [flows('former-apps#', put)],
    listOf: [flows('former-apps#', query)],
  },
  formerIssuers: {
    find: [directory('former-issuer#', get)],
    put: [directory('former-issuer#', put)],
    remove: [directory('former-issuer#', remove)],
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
  rpIds: { fix: [directory('app#', update)] },
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
  otps: {
    put: [flows('otp#', update)],
    countAttempt: [flows('otp#', update)],
    refundAttempt: [flows('otp#', update)],
    consume: [flows('otp#', update)],
    undoConsume: [flows('otp#', update)],
    isUsable: [flows('otp#', get)],
    restore: [flows('otp#', update)],
    locksOf: [flows('otp#', query)],
    removeAllOf: [flows('otp#', query, remove)],
  },
  guesses: {
    count: [flows('guesses#', update)],
    clearBelow: [flows('guesses#', remove)],
    clear: [flows('guesses#', remove)],
    areFull: [flows('guesses#', query)],
    clearAllOf: [flows('guesses#', query, remove)],
  },
  links: {
    ...singleUse('link#'),
    undoConsume: [flows('link#', update)],
    revoke: [flows('link#', remove)],
  },
  codes: {
    ...singleUse('code#'),
    undoConsume: [flows('code#', update)],
    finalizeConsumption: [flows('code#', update)],
    upgrade: [flows('code#', update)],
    spend: [flows('code#', update)],
  },
  clientDocuments: { find: [flows('document#', get)], put: [flows('document#', put)] },
  pushedRequests: { put: [flows('par#', put)], spend: [flows('par#', update)] },
  loginTransactions: {
    put: [beginning(flows('login#', put))],
    prepare: [flows('login#', put)],
    bind: [binding(flows('login#', update))],
    skip: [skipping(flows('login#', put))],
    find: [flows('login#', get)],
    findStart: [flows('login#', get)],
    advance: [flows('login#', update)],
    finish: [flows('login#', update)],
    reopen: [flows('login#', update)],
  },
  upstreamLogins: {
    ...singleUse('upstream#'),
    storeResponse: [flows('upstream#', update)],
    undoConsume: [flows('upstream#', update)],
  },
  testCodes: {
    put: [flows('test-code#', put)],
    find: [flows('test-code#', get)],
    forget: [flows('test-code#', remove)],
  },
  consoleSessions: {
    put: [flows('console-session#', put)],
    find: [flows('console-session#', get)],
    keep: [flows('console-session#', update)],
    bind: [binds(flows('console-session#', update))],
    countProof: [binds(flows('console-session#', update))],
    remove: [flows('console-session#', remove)],
  },
  noticeLinks: {
    put: [flows('notice-link#', put)],
    find: [flows('notice-link#', get)],
    extend: [onlyAttributes('expires_at', 'purge_at')(flows('notice-link#', update))],
  },
  replays: { spend: [flows('jti#', put)] },
  revokedTokens: { revoke: [flows('revoked#', put)], isRevoked: [flows('revoked#', get)] },
  sessions: {
    start: [flows('session#', put)],
    find: [flows('session#', get)],
    join: [flows('session#', update)],
    releaseBrowser: [flows('session#', update)],
    bind: [binds(flows('session#', update))],
    countProof: [binds(flows('session#', update))],
    rotate: [flows('session#', update)],
    renew: [flows('session#', update)],
    endFamily: [flows('session#', get, update)],
    end: [ending(flows('session#', update))],
    forbid: [ending(flows('session#', put, update))],
    listOf: [flows('session#', query)],
    review: [flows('session#', query), checkingEnd(flows('session#', remove))],
    markClientsNotified: [flows('session#', update)],
    endAllOf: [flows('session#', query), ending(flows('session#', update))],
    eraseAllOf: [flows('session#', query, put)],
  },
  webauthnChallenges: {
    ...singleUse('webauthn#'),
    put: [challenging(flows('webauthn#', put))],
    putRegistration: [flows('webauthn#', put)],
    undoConsume: [flows('webauthn#', update)],
  },
  approvals: { ...singleUse('approval#'), undoConsume: [flows('approval#', update)] },
  windows: {
    count: [flows('window#', update)],
    confirm: [flows('window#', update)],
    uncount: [flows('window#', update)],
  },
  windowRecords: {
    counted: [flows('window#', get)],
    forget: [flows('window#', batchGet, remove)],
    announce: [flows('window#', update)],
  },
} as const satisfies { readonly [Port in PortName]?: VerbAccess<Port> };

export type TablePort = keyof typeof portAccess;

export const isTablePort = (port: PortName): port is TablePort => port in portAccess;

/** Returns the table access of each method of a port. */
export const listAccessByMethod = (port: TablePort): Readonly<Record<string, readonly Access[]>> =>
  portAccess[port];
