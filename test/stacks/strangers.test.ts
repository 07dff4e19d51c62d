import { expect, test } from '@jest/globals';
import { operations } from '../../functions/operations.ts';
import { userItem } from '../../shared/dynamo/people/user-item.ts';
import { isAnonymous } from '../../shared/http/effective-ports.ts';
import { refusedBy } from '../bundles/support/policy.ts';
import { Cloud } from './support/cloud.ts';
import { synthesized } from './support/synthesized.ts';

// Tests what an attacker could write with a compromised function that needs no token. The attacker must not be able to write
// anything that another function accepts as proof of a login.

const functions = new Cloud(synthesized('eu').templates).functions();

const KEY = ['pk', 'sk'];
const OF_USER = [
  ...[...KEY, 'list_pk', 'list_sk', 'find_pk', 'find_sk', 'version', 'written_by'],
  ...userItem.attributes,
];
const LOGIN = [...KEY, 'expires_at', 'purge_at', 'browser_hash', 'request'];
const BEGIN = [
  ...LOGIN,
  'hash',
  'tenant_id',
  'application_id',
  'client_id',
  'joins',
  'started_at',
  'begun_by',
];
const CHALLENGE = [
  ...[...KEY, 'hash', 'purpose', 'tenant_id', 'application_id', 'rp_id', 'challenge', 'raw_challenge'],
  ...['approval_data', 'identifier_hashes', 'login_hash', 'expires_at', 'purge_at'],
];
const END = [
  ...[...KEY, 'ended_at', 'ended_by', 'expires_at', 'ends_at', 'purge_at'],
  ...['device_id', 'user_agent', 'ip_address'],
];
/** Attributes that the IAM policy allows in a restricted write, by a description of the write. */
const LIMITS: Readonly<Record<string, readonly string[]>> = {
  'begin a login': BEGIN,
  'begin or skip a login': [...BEGIN, 'finished_at'],
  'give a login to a browser': [...LOGIN, 'finished_at'],
  'end a session': END,
  'bind or end a session': [...END, 'binding', 'bound_by'],
  'name a passkey': [...KEY, 'name', 'removed'],
  'remove or restore a passkey': [...KEY, 'removed', 'removed_by', 'purge_at'],
  'give a credential ID up, or not': [...KEY, 'purge_at'],
  'mark an address as undeliverable': [...KEY, 'email', 'list_pk', 'list_sk', 'version'],
  'ask for a passkey': CHALLENGE,
  'replace the record of a user': OF_USER,
};
const describeLimit = (attributes: readonly string[] | undefined) => {
  if (!attributes) return 'anything';
  const sorted = JSON.stringify(attributes.toSorted());
  const found = Object.entries(LIMITS).find(([, names]) => JSON.stringify(names.toSorted()) === sorted);
  return found?.[0] ?? sorted;
};

interface Conditions {
  readonly 'ForAllValues:StringLike'?: { readonly 'dynamodb:LeadingKeys': readonly string[] };
  readonly 'ForAllValues:StringEquals'?: { readonly 'dynamodb:Attributes': readonly string[] };
}
const READS = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];

/** Lists the writes of a function as `<key>: <actions>: <attributes>`. */
function listWrites(entry: string): readonly string[] {
  const { statements } = deployedAs(entry);
  return statements
    .filter(({ Action }) => Action.some((each) => /^dynamodb:/.test(each) && !READS.includes(each)))
    .map(({ Action, Condition }) => {
      const conditions = Condition as Conditions;
      const [key] = conditions['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? [];
      const actions = Action.filter((each) => !READS.includes(each)).map((each) => each.slice(9, -4));
      return `${key} ${actions.join(', ')}: ${describeLimit(conditions['ForAllValues:StringEquals']?.['dynamodb:Attributes'])}`;
    })
    .toSorted();
}
const deployedAs = (entry: string) => {
  const found = functions.find(({ name }) => name === `otl-eu-${entry.replaceAll('/', '-')}`);
  if (!found) throw new Error(entry);
  return found;
};

const BEGINS = 'login#* Put: begin a login';
const ENDS = 'session#* Update: end a session';
const REPLACES = 'user#* Put: replace the record of a user';
const REMOVES = [
  'credential#* Update: give a credential ID up, or not',
  'user#* Update: remove or restore a passkey',
];
const RESERVES = 'identifier#* Delete, Put: anything';
const RELEASES = 'identifier#* Delete: anything';

/** Expected writes of the operations that need no token and log in no user. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  'browser/passkey-login': [BEGINS],
  'browser/passkey-registration': ['login#* Update: give a login to a browser'],
  'browser/authorize-by-post': ['par#* Put: anything'],
  'browser/login-passkey-options': ['webauthn#* Put: anything'],
  'passkeys/start-login': ['webauthn#* Put: ask for a passkey'],
  'passkeys/start-registration': [
    'jti#* Put: anything',
    'webauthn#* Put: anything',
    'window#* Update: anything',
  ],
  'social/start': [BEGINS, 'upstream#* Put: anything'],
  'social/start-hosted': ['upstream#* Put: anything'],
  'sessions/bind-session': ['session#* Update: bind or end a session'],
  'sessions/logout-page': ['par#* Update: anything', ENDS],
  'sessions/logout-by-post': ['par#* Put: anything', ENDS],
  'account/page': [BEGINS],
  'account/deletion-page': [BEGINS],
  'account/download-data': [BEGINS],
  'account/add-identity': [BEGINS],
  'account/add-passkey': [BEGINS],
  'account/change-email': [BEGINS],
  'account/change-phone': [BEGINS],
  'account/end-session': [BEGINS, ENDS],
  'account/end-consent': [BEGINS, 'user#* Delete: anything'],
  'account/end-other-sessions': [BEGINS, ENDS],
  'account/change-profile': [BEGINS, REPLACES],
  'account/name-passkey': [BEGINS, 'user#* Update: name a passkey'],
  'account/remove-device-key': [BEGINS, 'user#* Delete: anything'],
  'account/remove-identity': [RELEASES, BEGINS, REPLACES],
  'account/remove-address': [RELEASES, BEGINS, ENDS, REPLACES],
  'account/remove-passkey': [...REMOVES, BEGINS, REPLACES],
  'account/delete-account': ['job#* Delete, Update: anything', BEGINS, ENDS, REPLACES],
  'account/open-notice-link': ['job#* Delete: anything', ...REMOVES, RESERVES, BEGINS, ENDS, REPLACES],
  'operators/accept-invitation': [BEGINS, 'enrolment#* Put: anything'],
  'operators/invitation-page': ['enrolment#* Update: anything'],
  'users/report-delivery': [
    'jti#* Put: anything',
    'messages#* Delete, Put: anything',
    'user#* Update: mark an address as undeliverable',
  ],
};
/** Operations that log a user in. They may store logins, sessions and authorization codes. */
const LOGINS = [
  ...['browser/login-act', 'browser/login-passkey', 'social/callback'],
  ...['code-based/continue-login', 'code-based/resume'],
];
/** Writes of single sign-on, which include an authorization code. */
const SIGN_ON = ['code#* Put: anything', 'login#* Put: begin or skip a login'];

test.each(Object.entries(OTHERS))(
  'the IAM policy of the operation %s, which needs no token, allows only the expected writes',
  (entry, writes) => {
    expect(listWrites(entry)).toEqual(writes.toSorted());
  },
);

test('only the expected unauthenticated operations may write to tables', () => {
  const entries = Object.values(operations)
    .filter(isAnonymous)
    .map(({ event }) => event);
  const writing = entries.filter((entry) => listWrites(entry).length > 0);
  expect(writing.toSorted()).toEqual([...Object.keys(OTHERS), ...LOGINS, 'browser/authorize'].toSorted());
  expect(listWrites('browser/authorize')).toEqual(expect.arrayContaining(SIGN_ON));
});

test.each([...Object.keys(OTHERS), 'browser/authorize'])(
  'the IAM policy of the operation %s forbids writing attributes that prove a login, session or credential',
  (entry) => {
    const forged = [
      ['flows', 'login#', 'progress'],
      ['flows', 'session#', 'methods'],
      ['flows', 'session#', 'families'],
      ['flows', 'session#', 'browser_hash'],
      ['flows', 'session#', 'browser_methods'],
      ['people', 'user#', 'public_key'],
      ['people', 'user#', 'standing'],
      ['people', 'credential#', 'user_id'],
      ...(entry === 'browser/authorize' ? [] : [['flows', 'code#', 'user_id']]),
      ['flows', 'link#', 'user_id'],
      ['flows', 'otp#', 'mac'],
    ].flatMap(([resource = '', leadingKey = '', attribute = '']) =>
      ['dynamodb:PutItem', 'dynamodb:UpdateItem'].map((action) => ({
        ...{ action, resource, leadingKey },
        attributes: [...KEY, attribute],
      })),
    );
    expect(refusedBy(deployedAs(entry), forged)).toEqual(forged);
  },
);
