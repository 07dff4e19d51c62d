import { expect, test } from '@jest/globals';
import { accountPage } from '../../../functions/account/account-page.ts';
import { accountDeletionPage } from '../../../functions/account/own-deletion.ts';
import { hashSecret, newSecret } from '../../../shared/domain/basis/random.ts';
import type { Session } from '../../../shared/ports/flows.ts';
import {
  someAddress,
  someApplication,
  someClient,
  someSession,
  someTenant,
  someUse,
  someUser,
  T,
} from '../../support/server/records.ts';

const secret = newSecret();

/** Creates a user who is logged in with a browser in a tenant of their own. */
function someone(change: Partial<Session> = {}) {
  const tenant = someTenant();
  const { tenantId } = tenant;
  const application = someApplication({ tenantId });
  const { applicationId } = application;
  const client = someClient({ tenantId, applicationId });
  const { clientId } = client;
  const user = someUser({ tenantId, email: someAddress('ann@example.com') });
  const { userId } = user;
  const place = { tenantId, applicationId, clientId, userId };
  const session = someSession({ ...place, browserHash: hashSecret(secret), ...change });
  return { tenant, application, client, user, session, cookie: `__Host-login-${tenantId}` };
}
type Someone = ReturnType<typeof someone>;
type Page = (input: never, ports: never) => Promise<unknown>;

/** Opens the account page with the login cookies of these users. `calls` contains the audit facts and the stored logins. */
function open(people: readonly Someone[], query: object, request: object = {}, page: Page = accountPage) {
  const calls: unknown[] = [];
  const find = async (id: string) =>
    people
      .flatMap(({ tenant, application, client, user, session }) => [
        ...[[tenant.tenantId, tenant] as const, [application.applicationId, application] as const],
        ...[[client.clientId, client] as const, [user.userId, user] as const],
        [session.sessionId, session] as const,
      ])
      .find(([own]) => own === id)?.[1];
  const none = { find, listOf: async () => [] };
  const timeline = { list: async () => ({ items: [] }) };
  const loginTransactions = { put: async (login: unknown) => calls.push(login) };
  const ports = {
    ...{ tenants: none, applications: none, clients: none, users: none, sessions: none },
    ...{
      passkeys: none,
      passkeyRecords: none,
      deviceKeys: none,
      consents: none,
      timeline,
      loginTransactions,
    },
  } as never;
  const cookies = Object.fromEntries(
    people.map((each) => [each.cookie, `${each.session.sessionId}.${secret}`]),
  );
  const input = {
    ...{
      query,
      audit: (facts: unknown) => calls.push(facts),
      settings: { browserOrigin: 'https://a.example' },
    },
    request: { now: T, method: 'GET', headers: {}, cookies, errorPage: {}, ...request },
  } as never;
  return { calls, answer: page(input, ports) as Promise<{ html?: string; redirect?: string }> };
}

test('without a client in its address, the account page opens for the newest login of the browser', async () => {
  const [old, newest, between] = [0, 9, 5].map((later) => someone({ startedAt: T + later }));
  if (!old || !newest || !between) throw new Error('there is no user');
  const ended = { ...someone(), session: someSession() };
  const { answer, calls } = open([old, ended, newest, between], { language: 'de' });
  const { clientId, applicationId } = newest.client;
  expect((await answer).redirect).toContain(`client_id=${clientId}`);
  const { tenantId, userId } = newest.user;
  expect(calls).toEqual([{ tenantId, applicationId, clientId }, { userId }]);
  await expect(open([ended], {}).answer).rejects.toMatchObject({ key: 'login_not_found' });
});

test.each([
  ['account', accountPage],
  ['deletion', accountDeletionPage],
])('the %s page answers neither prefetches nor HEAD requests', async (_, page) => {
  const prefetch = { headers: { 'sec-purpose': 'prefetch' } };
  expect(await open([], {}, prefetch, page).answer).toEqual({ none: true });
  expect(await open([], {}, { method: 'HEAD' }, page).answer).toEqual({ none: true, status: 200 });
});

test.each<[boolean, object, string | undefined]>([
  [true, { error: 'access_denied' }, '&error=access_denied'],
  [false, {}, ''],
  [true, {}, undefined],
])(
  'the deletion page (allowed: %s, %j) leads back to the account page',
  async (accountDeletion, query, rest) => {
    const person = someone();
    const people = [{ ...person, tenant: { ...person.tenant, accountDeletion } }];
    const { clientId: client_id } = person.client;
    const { redirect, html } = await open(people, { client_id, ...query }, {}, accountDeletionPage).answer;
    const back = `https://a.example/account?client_id=${client_id}${rest}`;
    expect([redirect, html?.includes('Delete your account?')]).toEqual(
      rest === undefined ? [undefined, true] : [back, undefined],
    );
  },
);

test.each<[string, Partial<Session>, boolean]>([
  ['a login', {}, true],
  ['a login that lacks its second factor', { awaitsSecondFactor: true }, false],
  ['a login that needs another factor', { methods: [someUse({ worth: 'quarantined' })] }, false],
  ['a login that is valid in one application', { methods: [someUse({ scope: 'side' })] }, false],
])('the account page opens only for a complete login: %s', async (_, session, opens) => {
  const person = someone(session);
  const { html = '' } = await open([person], { client_id: person.client.clientId, error: 'cancelled' })
    .answer;
  expect([html.includes('ann@example.com'), html.includes('Sign in to see your account.')]).toEqual([
    opens,
    !opens,
  ]);
});

test.each([
  [{ result: 'saved' }, T, 'Saved.', true],
  [{ result: 'saved' }, T - 600, 'Saved.', false],
  [{ result: 'expired' }, T - 600, 'This page was open for too long.', true],
  [{ result: 'last' }, T - 600, 'This is your only way to sign in.', true],
  [{ result: 'last', error: 'access_denied' }, T, 'Nothing was changed', true],
])(
  'after the result %j, the account page with a login at %d says "%s": %s',
  async (query, at, said, says) => {
    const person = someone({ methods: [someUse({ at })] });
    const { html = '' } = await open([person], { client_id: person.client.clientId, ...query }).answer;
    expect(html.includes(said)).toBe(says);
    expect(html.includes('ann@example.com')).toBe(at === T);
  },
);
