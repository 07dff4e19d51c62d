import { expect, test } from '@jest/globals';
import { noticeLinkPage, openNoticeLink } from '../../../functions/account/notice-link.ts';
import { DAY_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { newSecret } from '../../../shared/domain/basis/random.ts';
import { requireLogin } from '../../../shared/domain/hosted-login/login-transaction.ts';
import { makeNoticeLink, type NoticeLinkTarget } from '../../../shared/domain/sending/notice-link.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { CredentialChange, PendingRecovery, User } from '../../../shared/ports/people.ts';
import {
  someAddress,
  someApplication,
  someClient,
  someTenant,
  someUser,
  T,
} from '../../support/server/records.ts';

const tenant = someTenant({ name: 'Tenant' });
const { tenantId } = tenant;
const application = someApplication({ tenantId, name: 'Shop' });
const { applicationId } = application;
const client = someClient({ tenantId, applicationId });
const browserOrigin = 'https://login.example.com';

const email = someAddress('ann@example.com');
const change: CredentialChange = {
  ...{ changeId: 'change', changedAt: T - 9, until: T + 1, validBefore: [1] },
  ...{ undoCondition: 'kind', linkFrom: T + 1 },
  what: { attribute: 'email', former: email },
};
const delayed = { ...change, changeId: 'delayed', linkFrom: T };
const changes = [change, delayed];
const erasure = { erasureId: 'own', requestedAt: T - 9, effectiveAt: T + 9, hasBegun: false };
const recovery: PendingRecovery = {
  ...{ cause: 'lost', kinds: ['phone'], since: T - DAY_SECONDS, effectiveAt: T, endsAt: T + 1 },
};
const reclaimed = { email, generations: { valid: [2], highest: 2 } };

interface Opened {
  readonly calls: unknown[];
  readonly input: Parameters<typeof noticeLinkPage>[0] & Parameters<typeof openNoticeLink>[0];
  readonly ports: Parameters<typeof openNoticeLink>[1];
}

/** Creates a link with this target and the ports of its pages. `calls` contains the audit facts and the stored logins. */
async function makeLink(
  target: Partial<NoticeLinkTarget>,
  change: Partial<User> | undefined,
): Promise<Opened> {
  const user = someUser({ userId: 'ann', tenantId, ...change });
  const calls: unknown[] = [];
  let link: { readonly target: string } | undefined;
  const put = async (made: { readonly target: string }) => {
    link = made;
  };
  const known = { userId: user.userId, tenantId, undoes: { kind: 'erasure', erasureId: 'own' } } as const;
  const url = await makeNoticeLink({ noticeLinks: { put } }, { ...known, ...target }, T, { browserOrigin });
  const find = async () => change && user;
  const ports = {
    noticeLinks: { find: async () => link },
    tenants: { find: async (id: string) => (id === tenantId ? tenant : undefined) },
    applications: { find: async (id: string) => (id === applicationId ? application : undefined) },
    clients: { find: async (id: string) => (id === client.clientId ? client : undefined) },
    users: { find },
    userRecords: { find, replace: async () => true },
    jobs: { remove: async () => true },
    loginTransactions: { put: async (login: unknown) => calls.push(login) },
  };
  const cookies = { '__Host-browser': newSecret() };
  const request = { now: T, method: 'GET', headers: {}, cookies, errorPage: {} };
  const query = { link: new URL(url).searchParams.get('link') ?? '' };
  const audit = (facts: unknown) => calls.push(facts);
  return { calls, ports, input: { query, request, audit, settings: { browserOrigin } } } as never;
}

test.each<[string, NoticeLinkTarget['undoes'], Partial<User> | undefined, boolean]>([
  ['of a change', { kind: 'change', changeId: 'change' }, { changes }, true],
  ['of an unknown change', { kind: 'address', changeId: 'other' }, { changes }, false],
  [
    'of a change that has become final',
    { kind: 'change', changeId: 'change' },
    { changes: [{ ...change, until: T }] },
    false,
  ],
  ['of a deletion', { kind: 'erasure', erasureId: 'own' }, { erasure }, true],
  ['of an earlier deletion', { kind: 'erasure', erasureId: 'other' }, { erasure }, false],
  [
    'of a deletion that has begun',
    { kind: 'erasure', erasureId: 'own' },
    { erasure: { ...erasure, hasBegun: true } },
    false,
  ],
  ['of a superseded address', { kind: 'reclaimed', generation: 2 }, reclaimed, true],
  ['of an earlier superseded address', { kind: 'reclaimed', generation: 1 }, reclaimed, false],
  ['of a removed address', { kind: 'reclaimed', generation: 1 }, {}, false],
  ['of a valid address', { kind: 'reclaimed', generation: 1 }, { email }, false],
  ['of an undo request', { kind: 'recovery', changeId: 'delayed' }, { changes }, true],
  ['of an undo without a request', { kind: 'recovery', changeId: 'change' }, { changes }, false],
  ['of a recovery', { kind: 'recovery', since: recovery.since }, { recovery }, true],
  ['of another recovery', { kind: 'recovery', since: T }, { recovery }, false],
  [
    'of an ended recovery',
    { kind: 'recovery', since: recovery.since },
    { recovery: { ...recovery, endsAt: T } },
    false,
  ],
  ['of an erased user', { kind: 'erasure', erasureId: 'own' }, undefined, false],
])('a link in a notice %s asks for confirmation only while it is valid', async (_, undoes, user, isValid) => {
  const { input, ports } = await makeLink({ undoes }, user);
  const { html = '', status } = (await noticeLinkPage(input, ports)) as { html?: string; status?: number };
  expect([html.includes('<form'), status]).toEqual(isValid ? [true, undefined] : [false, 400]);
});

test.each([
  ['its application', { applicationId }, 'at Shop?'],
  ['the tenant', {}, 'at Tenant?'],
])('the page of a link in a notice names %s, and its log line the user', async (_, target, name) => {
  const { calls, input, ports } = await makeLink(target, { erasure });
  expect(await noticeLinkPage(input, ports)).toMatchObject({ html: expect.stringContaining(name) });
  expect(calls).toEqual([{ userId: 'ann', tenantId, ...target }]);
});

test('a link in a notice of a deleted tenant is not found, and previews and HEAD requests show no page', async () => {
  const gone = await makeLink({ tenantId: 'other' }, { erasure });
  for (const open of [noticeLinkPage, openNoticeLink])
    await expect(open(gone.input, gone.ports)).rejects.toMatchObject({ key: 'link_not_found' });
  const { input, ports } = await makeLink({}, { erasure });
  const send = (change: object) =>
    noticeLinkPage({ ...input, request: { ...input.request, ...change } }, ports);
  expect(await send({ method: 'HEAD' })).toEqual({ none: true, status: 200 });
  expect(await send({ headers: { 'sec-purpose': 'prefetch' } })).toEqual({ none: true });
});

test.each<[string, NoticeLinkTarget['undoes'], Partial<User>, object]>([
  [
    'another factor',
    { kind: 'change', changeId: 'change' },
    { changes },
    { undo: { changeId: 'change', kind: 'change' } },
  ],
  [
    'the superseded address',
    { kind: 'reclaimed', generation: 2 },
    reclaimed,
    { loginHint: 'ann@example.com' },
  ],
])(
  'a link in a notice that needs %s leads to a login, but not of a deleted client',
  async (_, undoes, user, asked) => {
    const { calls, input, ports } = await makeLink({ undoes, clientId: client.clientId }, user);
    const answer = (await openNoticeLink(input, ports)) as { readonly redirect: string };
    const stored = calls.pop();
    const login = { loginTransactions: { find: async () => stored } } as never;
    const [loginId = ''] = answer.redirect.split('/').slice(-1);
    expect((await requireLogin(login, loginId, input.request)).request).toMatchObject({
      ...{ clientId: client.clientId, expectedUserId: 'ann', uiLocales: 'en', ...asked },
    });
    const other = await makeLink({ undoes, clientId: 'deleted' }, user);
    expect(await openNoticeLink(other.input, other.ports)).toMatchObject({ status: 400 });
    expect(other.calls).toHaveLength(1);
  },
);

test.each<[string, ServiceError | undefined, object | undefined, object]>([
  ['a success', undefined, { status: 200 }, { events: ['user.erasure_cancelled'] }],
  [
    'a link that is no longer needed',
    new ServiceError('user_not_found'),
    { status: 400 },
    { result: 'user_not_found' },
  ],
  ['another error', new ServiceError('service_unavailable'), undefined, {}],
])('the page after using a link in a notice and the log line report %s', async (_, error, page, facts) => {
  const { calls, input, ports } = await makeLink({ clientId: client.clientId }, { erasure });
  const { replace } = ports.userRecords;
  const failing = async (...call: Parameters<typeof replace>) => {
    if (error) throw error;
    return replace(...call);
  };
  const opening = openNoticeLink(input, {
    ...ports,
    userRecords: { ...ports.userRecords, replace: failing },
  });
  if (page) expect(await opening).toMatchObject(page);
  else await expect(opening).rejects.toBe(error);
  expect(calls.slice(1)).toEqual(page ? [facts] : []);
});
