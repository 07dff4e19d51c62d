import { beforeAll, expect, test } from '@jest/globals';
import type { ApiDocument } from '../../functions/console/engine/document.ts';
import { genericHtml, itemHtml, recordHtml } from '../../functions/console/engine/render.ts';
import { renderTitle, toTitleText } from '../../functions/console/engine/titles.ts';
import { toWords, valueHtml, wordedFactsHtml } from '../../functions/console/engine/values.ts';
import { answered, consoleDocument, createScreenData, FAILED, toText } from './support.ts';

// Values, titles and lists of records, which the console renders from the schemas of the API document.

let document: ApiDocument;
beforeAll(async () => {
  document = await consoleDocument();
});

test("the console shows a user's email address first, and then fields such as email_verified", () => {
  const html = valueHtml(document, { value: 'ann@example.com', email_verified: true });
  expect(html).toBe('<bdi>ann@example.com</bdi><dl><div><dt>Email verified</dt><dd>Yes</dd></div></dl>');
});

test('the console shows an empty list in the same way as a missing field', () => {
  expect(valueHtml(document, [])).toBe(valueHtml(document, undefined));
  for (const value of [null, '']) expect(valueHtml(document, value)).toBe(valueHtml(document, undefined));
  expect(valueHtml(document, ['first'])).toContain('first');
});

test('the console shows numbers, durations and objects of a record', () => {
  expect(valueHtml(document, 5)).toBe('<bdi>5</bdi>');
  expect(valueHtml(document, 600, {}, { unit: 'seconds' })).toBe('10 minutes');
  expect(valueHtml(document, ['a'], {}, { unit: 'seconds' })).toBe('<ul><li><bdi>a</bdi></li></ul>');
  expect(valueHtml(document, {})).toBe('On');
  const words = { plan: { label: 'Plan' }, id: { label: 'ID', hidden: true } } as const;
  expect(wordedFactsHtml(document, { plan: 'gold', none: '', id: 'x' }, {}, { words })).toBe(
    '<dl><div><dt>Plan</dt><dd><bdi>gold</bdi></dd></div></dl>',
  );
});

test('the console omits empty fields of records in a list', async () => {
  const resource = { resource_id: 'notes-1', name: 'Notes', app_id: '' };
  const html = itemHtml(await createScreenData('resources', {}), 'listResources', resource);
  expect(html).toContain('<bdi>notes-1</bdi>');
  expect(html).not.toContain(toWords('app_id'));
});

test('a record in a list of the console shows four short facts, but not what the list has in common', async () => {
  const created = { created_at: '2026-11-12T09:05:33.000Z', tenant_id: 't', kind: 'client' };
  const client = { ...created, client_id: 'c', app_id: 'a', name: 'Backend', require_pkce: false };
  const more = { trusted: true, auth_method: 'secret', access_token_ttl: 600, refresh_token_ttl: 1200 };
  const uri = { backchannel_logout_uri: 'https://a.example/' };
  const item = async (path: string, read: string, record: object) =>
    toText(itemHtml(await createScreenData(path, { parameters: { appId: 'a' } }), read, { ...record }));
  const own = ['applications/{appId}', 'listClients'] as const;
  expect(await item(...own, { ...client, dpop_nonce: true, profile: '' })).toBe('Backend Client ID: c');
  expect(await item(...own, { ...client, ...more, ...uri })).toBe(
    'Backend Client ID: c Trust the network addresses that it reports: Yes How the client proves who it is: With a secret (a backend) Address to notify when a session ends: https://a.example/',
  );
  expect(await item('management-clients', 'listManagementClients', { ...client, ...uri, app_id: 'b' })).toBe(
    'Backend Client ID: c Application: b',
  );
  expect(await item(...own, { ...created, client_id: 'c' })).toBe('c');
});

test('a console screen has a heading for each list except the first, and no actions if its record is missing', async () => {
  const screen = { parameters: { organizationId: 'o' } };
  const show = async (
    organization: object,
    path = 'organizations/{organizationId}',
    read = 'getOrganization',
  ) => {
    const answers = new Map<string, never>([
      [read, organization as never],
      ['listMembers', answered([]) as never],
    ]);
    return genericHtml(await createScreenData(path, { ...screen, answers }));
  };
  const html = await show(answered({ org_id: 'o', name: 'Acme' }));
  expect(toText(html)).toBe(
    'Rename organization Organization ID o Name Acme Members Add a member Add a member by email address or phone number. Delete organization',
  );
  expect(html.match(/<h2>/g)).toHaveLength(1);
  expect(await show(answered([]), 'organizations', 'listOrganizations')).not.toContain('<h2>');
  expect(await show(FAILED)).not.toMatch(/act=(?:update|delete)Organization/);
});

test('the screen of an application shows each setting once, and its other fields below the settings', async () => {
  const answers = new Map([['getApplication', answered({ app_id: 'a', name: 'Shop', created_at: 'now' })]]);
  const screen = await createScreenData('applications/{appId}', { parameters: { appId: 'a' }, answers });
  const [settings = '', more = ''] = recordHtml(screen, 'getApplication').split('<h2>More</h2>');
  expect(settings.match(/<dt>/g)).toHaveLength(1);
  expect(toText(more)).toBe('Application ID a Created now');
  expect(settings).not.toMatch(/act=updateApplication"/);
});

test('the console lists each client secret once, and offers changes only to operators with the required permission', async () => {
  const client = {
    client_id: 'c',
    secrets: [{ secret_id: 'secret-1' }],
    redirect_uris: ['https://a.example/'],
  };
  const path = 'applications/{appId}/clients/{clientId}';
  const parameters = { appId: 'a', clientId: 'c' };
  const answers = new Map([['getClient', answered(client)]]);
  const html = recordHtml(await createScreenData(path, { parameters, answers }), 'getClient');
  expect(html.match(/<dd><bdi>secret-1</g)).toHaveLength(1);
  const viewer = await createScreenData(path, { parameters, answers, role: 'viewer' });
  expect(recordHtml(viewer, 'getClient')).not.toContain('<h2>Secrets</h2>');
});
test('the console converts the names of fields and operations into readable words', () => {
  expect(['redirect_uris', 'createApplication', 'user_id', 'sms'].map(toWords)).toEqual([
    'Redirect URIs',
    'Create application',
    'User ID',
    'SMS',
  ]);
});

test.each([
  [{ user_id: 'u', email: { value: 'ann@example.com' } }, 'ann@example.com'],
  [{ org_id: 'o', user_id: 'u', tenant_id: 't' }, 'u'],
  [{ tenant_id: 't', org_id: 'o' }, 'o'],
  [{ status: 'Active', user_id: 'u' }, 'u'],
  [{ type: 'card', card_id: 'c' }, 'c'],
  [{ time: '2026-11-12T09:05:33.000Z', change_id: 'c' }, 'c'],
  [{ session_id: 's', start_time: '2026-11-12T09:05:33.000Z' }, 's'],
  [{ grant_id: 'g', created_at: '2026-11-12T09:05:33.000Z' }, 'g'],
  [{ name: { first_name: 'Ann' }, user_id: 'u' }, 'Ann'],
  [
    { secret_id: 's', created_at: '2026-11-12T09:05:33.000Z' },
    'Secret created 2026-11-12 09:05 UTC, not used yet',
  ],
  [
    { secret_id: 's', created_at: '2026-11-12T09:05:33.000Z', last_used_on: '2026-11-28' },
    'Secret created 2026-11-12 09:05 UTC, last used 2026-11-28',
  ],
  [
    { delivery_id: 'd', type: 'user.created', time: '2026-11-12T09:05:33.000Z' },
    'The account was created, 2026-11-12 09:05 UTC',
  ],
])('the console calls the record %j "%s"', (record, title) => {
  expect(toTitleText(record)).toBe(title);
});

test('the console shows the times in the title of a record as times, and a name unchanged', () => {
  const secret = { secret_id: 's', created_at: '2026-11-12T09:05:33.000Z', last_used_on: '2026-11-28' };
  expect(renderTitle(secret).match(/<time datetime="[^"]+">/g)).toEqual([
    '<time datetime="2026-11-12T09:05:33.000Z">',
    '<time datetime="2026-11-28">',
  ]);
  expect(renderTitle({ name: 'Launch 2026-11-28' })).toBe('<bdi>Launch 2026-11-28</bdi>');
});
