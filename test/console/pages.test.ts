import { describe, expect, test } from '@jest/globals';
import { readDocument } from '../../functions/console/engine/document.ts';
import { screens } from '../../functions/console/engine/screens.ts';
import {
  findAction,
  findParent,
  renderActionPage,
  repeatAfterLogin,
  screenPage,
} from '../../functions/console/show.ts';
import { generateServiceDocument } from '../../lib/build/service-document.ts';
import { GUARDED_SECONDS } from '../../shared/domain/operators/operators.ts';
import { T } from '../support/server/records.ts';
import { answered, createScreenData, toText } from './support.ts';

// Frame of the console's pages, and the pages of actions, rendered from given API responses.

const [shop, other] = ['tenant', 'other'].map(
  (tenantId) => ({ tenantId, name: `The ${tenantId}`, role: 'admin' }) as const,
);

/** Returns the request of an operator for a screen whose read operations return the given results. */
async function visit(path: string, results: Readonly<Record<string, unknown>>, change: object = {}) {
  const answers = new Map(Object.entries(results).map(([read, result]) => [read, answered(result)]));
  return {
    shown: await createScreenData(path, { answers }),
    who: { email: 'op@example.com', authTime: T, grants: [shop] },
    operating: { baseUrl: 'https://id.example.com/cis', accessToken: 'token', tenantId: 'tenant' },
    session: { secret: 'secret', accessToken: 'token' },
    ...change,
  } as never as Parameters<typeof screenPage>[0];
}

describe('frame of a console page', () => {
  test.each([
    ['people/{userId}', 'people', 'People'],
    ['applications/{appId}', 'applications', 'Applications'],
    ['applications/{appId}/clients/{clientId}', 'applications/a%2Fb', 'Application'],
    ['organizations/{organizationId}/members/{userId}', 'organizations/o', 'Organization'],
    ['management-clients/{clientId}', 'management-clients', 'Management clients'],
  ])('the screen %s has the parent %s', (path, parent, label) => {
    const parameters = { appId: 'a/b', organizationId: 'o' };
    const screen = screens.find((each) => each.path === path);
    expect(screen && findParent({ screen, parameters })).toEqual({ path: parent, label });
  });

  test('a console page names the tenant and the current screen, and links to the parent screen', async () => {
    const list = screenPage(await visit('applications', { listApplications: [] })).html;
    const record = screenPage(await visit('applications/{appId}', { getApplication: { name: 'Shop' } })).html;
    expect([list, record].map((html) => /<p class="crumbs">.*?<\/p>/.exec(html)?.[0])).toEqual([
      undefined,
      '<p class="crumbs"><a href="/tenant/applications">Applications</a></p>',
    ]);
    for (const html of [list, record]) {
      expect([...html.matchAll(/aria-current="page">(\w+)/g)].map(([, label]) => label)).toEqual([
        'Applications',
      ]);
      expect(html).toContain('<strong><bdi>The tenant</bdi></strong> <span class="tag">admin</span></span>');
    }
    const who = { email: 'op@example.com', authTime: T, grants: [other, shop] };
    const several = screenPage(await visit('applications', { listApplications: [] }, { who })).html;
    expect(several).toContain(
      '<bdi>The tenant</bdi></strong> <span class="tag">admin</span> <a href="/">other tenants',
    );
  });
});

test('a console page has no search if the deployment has no search for users', async () => {
  const request = await visit('applications', { listApplications: [] });
  expect(screenPage(request).html).toContain('<input id="search" name="beginning"');
  const document = readDocument(await generateServiceDocument(['management']));
  const { html } = screenPage({ ...request, shown: { ...request.shown, document } });
  expect(html).not.toContain('id="search"');
});

test.each([
  ['applications/{appId}', answered({ name: 'Shop' }), 200],
  ['applications/{appId}', { ok: false, status: 404, message: 'There is no such record.' }, 404],
  ['applications/{appId}', { ok: false, status: 503, message: 'No answer.' }, 200],
  ['applications', { ok: false, status: 404, message: 'There is no such record.' }, 200],
] as const)(
  'the page of the screen %s after the response %j has the status %d',
  async (path, answer, status) => {
    const request = await visit(path, {});
    const answers = new Map(request.shown.screen.reads.map((read) => [read, answer]));
    expect(screenPage({ ...request, shown: { ...request.shown, answers } }).status).toBe(status);
  },
);

describe('page of an action in the console', () => {
  const operators = [
    { user_id: 'u1', email: 'ann@example.com', role: 'admin', state: 'active' },
    { user_id: 'u2', email: 'bob@example.com', role: 'viewer', state: 'active' },
  ];

  test('the page of an action shows the list entry that it changes, and its values', async () => {
    const { shown } = await visit('operators', { listOperators: operators });
    expect(findAction(shown, 'setOperatorRole', { userId: 'u2' })).toMatchObject({
      ...{ parameters: { userId: 'u2' }, record: operators[1], about: operators[1], owner: undefined },
    });
    expect(findAction(shown, 'inviteOperator', {})).toMatchObject({
      record: {},
      about: {},
      owner: undefined,
    });
  });

  test('an action on a list belongs to the record of its screen', async () => {
    const organization = { org_id: 'o', name: 'Acme' };
    const members = [{ org_id: 'o', user_id: 'u1' }];
    const { shown } = await visit('organizations/{organizationId}', {
      ...{ getOrganization: organization, listMembers: members },
    });
    const own = { ...shown, parameters: { organizationId: 'o' } };
    expect(findAction(own, 'createMember', {})).toMatchObject({
      record: {},
      about: organization,
      owner: undefined,
    });
    expect(findAction(own, 'updateOrganization', {})).toMatchObject({
      record: organization,
      about: organization,
    });
  });

  test.each([
    ['unknownAction', {}],
    ['getUser', {}],
    ['deleteApplication', { appId: 'a' }],
    ['deletePasskey', {}],
  ])(
    'the console does not find the action %s with the parameters %j on the page of a user',
    async (id, given) => {
      const { shown } = await visit('people/{userId}', { getUser: { user_id: 'u1' } });
      const own = { ...shown, parameters: { userId: 'u1' } };
      expect(findAction(own, id, given)).toBeUndefined();
    },
  );

  test('a fresh login returns to the form of the chosen list entry', async () => {
    const request = await visit('people/{userId}', { getUser: { user_id: 'u1' } });
    const shown = { ...request.shown, parameters: { userId: 'u1' } };
    const action = findAction(shown, 'deletePasskey', { credentialId: 'c1' });
    expect(action?.parameters).toEqual({ userId: 'u1', credentialId: 'c1' });
    const to = '/tenant/people/u1?credentialId=c1&again=yes&act=deletePasskey';
    expect(action && repeatAfterLogin({ ...request, shown }, action, undefined)).toEqual({
      redirect: `/login?${new URLSearchParams({ fresh: '', to })}`,
    });
  });

  test('a guarded action requires a login that is valid for one more minute', async () => {
    const request = await visit('operators', { listOperators: operators });
    const open = (age: number) =>
      renderActionPage(
        { ...request, who: { ...request.who, authTime: T - age } },
        { operationId: 'inviteOperator' },
      );
    expect(open(GUARDED_SECONDS - 60)).toMatchObject({ status: 200 });
    expect(open(GUARDED_SECONDS - 59)).toEqual({
      redirect: `/login?${new URLSearchParams({ fresh: '', to: '/tenant/operators?act=inviteOperator' })}`,
    });
  });

  test('a form of settings repeats the name of its page, and a form without pages has a link back', async () => {
    const request = await visit('applications/{appId}', { getApplication: { app_id: 'a', name: 'Shop' } });
    const own = { ...request, shown: { ...request.shown, parameters: { appId: 'a' } } };
    const html = (operationId: string, form = {}) => {
      const page = renderActionPage(own, { operationId, form });
      return ('html' in page && page.html.split('<main')[1]?.split('</main>')[0]) || '';
    };
    expect(html('updateApplication', { page: 'look' })).toContain(
      '<input type="hidden" name="page" value="look">',
    );
    expect(toText(html('deleteApplication'))).toMatch(
      / Back Delete application Shop .* Delete application Cancel$/,
    );
  });
});
