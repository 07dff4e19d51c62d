import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { buildCallUrl, callApi } from '../../functions/console/engine/call.ts';
import { type ApiDocument, listFields, readDocument } from '../../functions/console/engine/document.ts';
import { readBody } from '../../functions/console/engine/forms.ts';
import {
  findActionLocation,
  findRecordScreenPath,
  findScreen,
  resolveParameters,
} from '../../functions/console/engine/home.ts';
import { inputsHtml } from '../../functions/console/engine/inputs.ts';
import { genericHtml } from '../../functions/console/engine/render.ts';
import { screens } from '../../functions/console/engine/screens.ts';
import {
  renderDescription,
  renderText,
  toAttributeText,
  valueHtml,
} from '../../functions/console/engine/values.ts';
import { renderView } from '../../functions/console/views/views.ts';
import { navigation } from '../../functions/console/visit.ts';
import { generateServiceDocument } from '../../lib/build/service-document.ts';
import type { OperatorRole } from '../../shared/ports/operators.ts';
import { readPage, tableRows } from '../pages/support/markdown.ts';
import { answered, consoleDocument, createScreenData } from './support.ts';

// The console's engine, which generates screens, records and forms from the OpenAPI document of the service.

let document: ApiDocument;
beforeAll(async () => {
  document = await consoleDocument();
});

const operation = (id: string) => {
  const found = document.operations.get(id);
  if (!found) throw new Error(`there is no operation ${id}`);
  return found;
};

describe('escaping in the console of text that unauthenticated users have stored', () => {
  const MARKUP = '<img src=x onerror=alert(1)>"\'&';

  test('the console escapes stored text in HTML elements and attributes', () => {
    expect(renderText(MARKUP)).toBe('<bdi>&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;</bdi>');
    expect(toAttributeText(MARKUP)).not.toMatch(/[<>"']/);
  });

  test('the console makes bidirectional control characters in stored text visible', () => {
    const html = renderText('a\u202eb\u2066c\u200d');
    expect(html).not.toMatch(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/);
    expect(html).toContain('<span class="mark">U+202E</span>');
    expect(toAttributeText('a\u202eb')).toBe('ab');
  });

  test.each(['javascript:alert(1)', 'https://example.com/', 'data:text/html,x'])(
    'the console does not turn the stored URL %s into a link',
    (uri) => {
      expect(valueHtml(document, uri, { format: 'uri' })).not.toContain('<a');
    },
  );

  test('the console escapes the names and values of unknown fields', async () => {
    const evil = { app_id: 'a', name: MARKUP, redirect_uris: [MARKUP], [MARKUP]: { [MARKUP]: [MARKUP] } };
    const html = genericHtml(
      await createScreenData('resources/{resourceId}', {
        parameters: { resourceId: 'a' },
        answers: new Map([['getResource', answered(evil)]]),
      }),
    );
    expect(html).toContain('&lt;img');
    expect(html).not.toContain('<img');
  });
});

describe('API URLs that the operator console requests', () => {
  const getUser = { method: 'GET', path: '/v1/users/{userId}' };
  const of = (userId: string) =>
    buildCallUrl('https://id.example.com/cis', { operation: getUser, parameters: { userId } });

  test.each(['..', '.', ''])(
    'the console does not request an API URL with the path segment "%s"',
    (userId) => {
      expect(of(userId)).toBeUndefined();
    },
  );

  test.each(['../applications', '//evil.example', '@evil.example', '?a=b#c', '%2e%2e', '{userId}', '\\evil'])(
    'the path parameter %s cannot change the API operation that the console calls',
    (userId) => {
      const { origin, pathname, search, hash } = new URL(of(userId) ?? '');
      expect([origin, pathname.split('/').length, search, hash]).toEqual([
        'https://id.example.com',
        5,
        '',
        '',
      ]);
    },
  );

  test('the console responds with 404 if a path parameter is not a valid path segment', async () => {
    const operating = { baseUrl: 'https://id.example.com/cis', accessToken: 'token', tenantId: undefined };
    const answer = await callApi(operating, { operation: getUser, parameters: { userId: '..' } });
    expect(answer).toMatchObject({ ok: false, status: 404 });
  });

  test.each([
    ['{"result":{}}', 200, { ok: true, json: { result: {} } }],
    ['', 200, { ok: true, json: {} }],
    ['null', 200, { ok: false, status: 503, message: 'The service did not answer. Try again in a moment.' }],
    ['"x"', 200, { ok: false, status: 503, message: 'The service did not answer. Try again in a moment.' }],
    [
      '<html>',
      502,
      { ok: false, status: 503, message: 'The service did not answer. Try again in a moment.' },
    ],
    ['{"message":"no"}', 403, { ok: false, status: 403, message: 'no', isLoginStale: false }],
  ])('the console reads the response %s of the API with the status %s', async (body, status, answer) => {
    const spy = jest.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(body, { status }));
    const operating = { baseUrl: 'https://id.example.com/cis', accessToken: 'token', tenantId: 't' };
    const operation = { method: 'GET', path: '/v1/users' };
    expect(await callApi(operating, { operation })).toEqual(answer);
    spy.mockRestore();
  });

  test('the console adds parameters that are not in the path to the query of the API URL', () => {
    const address = buildCallUrl('https://id.example.com/cis', {
      operation: getUser,
      parameters: { userId: 'u', limit: '5' },
    });
    expect(address).toBe('https://id.example.com/cis/v1/users/u?limit=5');
  });
});

describe('screens and navigation of the operator console', () => {
  test('the URL of a console page selects the screen and its parameters', () => {
    expect(findScreen('people/u1')).toMatchObject({
      screen: { title: 'Person' },
      parameters: { userId: 'u1' },
    });
    for (const path of ['', 'people/', 'people/u1/x', '__proto__', 'elsewhere'])
      expect(findScreen(path)).toBeUndefined();
  });

  test.each([
    ['updateApplication', 'applications/{appId}'],
    ['createApplication', 'applications'],
    ['updateLoginPreferences', 'applications/{appId}'],
    ['createClient', 'applications/{appId}'],
    ['addClientSecret', 'applications/{appId}/clients/{clientId}'],
    ['revokeClientSecret', 'applications/{appId}/clients/{clientId}'],
    ['deletePasskey', 'people/{userId}'],
    ['endSessions', 'people/{userId}'],
    ['unlockUser', 'people/{userId}'],
    ['createMember', 'organizations/{organizationId}'],
  ])('the action %s is available on the screen of the record that it changes', (id, path) => {
    expect(findActionLocation(document, operation(id))?.screen.path).toBe(path);
  });

  test('every operation that operators may call is available on a console screen', () => {
    const homeless = [...document.operations.values()].filter(
      (each) => each.role !== undefined && each.method !== 'GET' && !findActionLocation(document, each),
    );
    expect(homeless.map(({ id }) => id)).toEqual([]);
    expect(findActionLocation(document, operation('createUser'))).toMatchObject({ read: 'findUsers' });
  });

  test('the console navigation has a link to each screen whose records the deployment can list', async () => {
    const list = (role: OperatorRole, of = document) => navigation(of, role).map(({ path }) => path);
    for (const role of ['viewer', 'support', 'developer', 'admin'] as const)
      expect(list(role)).toEqual([
        ...['today', 'people', 'deliveries', 'applications', 'organizations', 'webhooks', 'resources'],
        ...['management-clients', 'operators', 'changes', 'help'],
      ]);
    const limited = readDocument(await generateServiceDocument(['management']));
    expect(list('admin', limited)).toEqual([
      ...['today', 'applications', 'management-clients', 'changes', 'help'],
    ]);
    expect(renderView(await createScreenData('organizations', { document: limited })).html).toBe('');
  });

  test('the help page of the console contains each symptom that the support page lists', async () => {
    const { html } = renderView(await createScreenData('help', {}));
    const page = readPage('functions/console/SUPPORT.md');
    const rows = tableRows(page);
    expect(rows.length).toBeGreaterThan(15);
    for (const [symptom = '', ...cells] of rows)
      expect(
        html
          .split(`<li><strong>${renderDescription(symptom)}</strong>`)[1]
          ?.split('</li>')[0]
          ?.match(/<dd>./g),
      ).toHaveLength(cells.length);
    expect(html).toMatch(/^<p>.*<ol><li>/s);
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href);
    expect(links.length).toBeGreaterThan(3);
    for (const href of links) expect(html).toContain(`id="${href.slice(1)}"`);
    expect(html).not.toMatch(/\*\*|`|\]\(/);
  });

  test('the console screen that lists messages to an address links to the user with the address', async () => {
    const show = async (json: object) => {
      const answers = new Map([['listDeliveries', { ok: true, json: { result: [], ...json } } as const]]);
      return renderView(await createScreenData('deliveries', { query: { to: 'ann@example.com' }, answers }))
        .html;
    };
    expect(await show({ user_id: 'u1' })).toContain('people/u1">Person with this address');
    expect(await show({})).toContain('No user has this address.');
  });

  test('the console links each record of a list to the screen of this record', () => {
    const [apps] = screens.filter(({ path }) => path === 'applications');
    if (!apps) throw new Error('no screen of applications');
    expect(findRecordScreenPath(apps, {}, { app_id: 'a/b' })).toBe('applications/a%2Fb');
    expect(findRecordScreenPath(apps, {}, { name: 'x' })).toBeUndefined();
  });

  test('if a console URL lacks a parameter, the console reads the parameter from the record', () => {
    const path = '/v1/organizations/{organizationId}/members/{userId}';
    expect(resolveParameters({ path }, {}, { org_id: 'o', user_id: 'u' })).toEqual({
      organizationId: 'o',
      userId: 'u',
    });
    expect(resolveParameters({ path }, { organizationId: 'o' }, {})).toBeUndefined();
  });
});

describe('form fields in the operator console', () => {
  const record = {
    ...{ name: 'Shop', redirect_uris: ['https://a.example/', 'https://b.example/'], public_signup: false },
    login_preferences: { email: { digits: 6 } },
    notices: { new_device: true },
  };
  const createForm = (id: string) => ({ document, schema: operation(id).body, role: 'admin' }) as const;
  /** Returns the names and values that a browser would submit for this form. */
  function submitted(html: string): Record<string, string> {
    const decoded = (text: string) =>
      text
        .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&');
    const inputs = [...html.matchAll(/<input[^>]* name="([^"]+)"(?:[^>]*? value="([^"]*)")?/g)].map(
      ([, name = '', value = '']) => [name, decoded(value)],
    );
    const areas = [...html.matchAll(/<textarea[^>]* name="([^"]+)"[^>]*>([^<]*)</g)].map(
      ([, name = '', value = '']) => [name, decoded(value)],
    );
    const selects = [...html.matchAll(/<select[^>]* name="([^"]+)"[^>]*>(.*?)<\/select>/g)].map(
      ([, name = '', options = '']) => [
        name,
        /value="([^"]*)" selected/.exec(options)?.[1] ?? /value="([^"]*)"/.exec(options)?.[1] ?? '',
      ],
    );
    return Object.fromEntries([...inputs, ...areas, ...selects]);
  }

  test('a console form has a field with a description for each property of the request body', () => {
    const html = inputsHtml(createForm('updateApplication'), record);
    const fields = listFields(document, operation('updateApplication').body).filter(
      ([, { deprecated }]) => !deprecated,
    );
    expect(fields.length).toBeGreaterThan(20);
    for (const [name, { type }] of fields)
      if (type !== 'object') expect(html).toMatch(new RegExp(`name="${name}(?:"|\\.0\\.)`));
    expect(html).toContain('Allowed redirect URIs of logins, compared character by character');
  });

  test('submitting a console form without changes sends no fields', () => {
    const form = submitted(inputsHtml(createForm('updateApplication'), record));
    expect(readBody(createForm('updateApplication'), form)).toEqual({});
  });

  test('a console form sends only the fields that the user has changed', () => {
    const form = submitted(inputsHtml(createForm('updateApplication'), record));
    const changed = {
      ...form,
      name: 'Store',
      redirect_uris: 'https://a.example/\r\n\r\n https://c.example/ ',
      public_signup: 'yes',
      session_idle_seconds: '600',
    };
    expect(readBody(createForm('updateApplication'), changed)).toEqual({
      name: 'Store',
      redirect_uris: ['https://a.example/', 'https://c.example/'],
      public_signup: true,
      session_idle_seconds: 600,
    });
  });

  test('to disable a login method, a console form sends null, and omits unchanged login methods', () => {
    const form = submitted(inputsHtml(createForm('updateApplication'), record));
    const on = { ...form, 'login_preferences.passkey': 'yes', 'login_preferences.email': 'no' };
    expect(readBody(createForm('updateApplication'), on)).toEqual({
      login_preferences: { email: null, passkey: {} },
    });
  });

  test('disabling one login method in a console form keeps the other login methods', () => {
    const form = submitted(inputsHtml(createForm('updateApplication'), record));
    expect(readBody(createForm('updateApplication'), { ...form, 'login_preferences.email': 'no' })).toEqual({
      login_preferences: { email: null },
    });
  });

  test('a console form sends null for a field that the user has emptied', () => {
    const user = { email: { value: 'ann@example.com', email_verified: true }, username: 'ann' };
    const form = submitted(inputsHtml(createForm('updateUser'), user));
    expect(form.email).toBe('ann@example.com');
    expect(readBody(createForm('updateUser'), { ...form, username: '' })).toEqual({ username: null });
    const limits = submitted(inputsHtml(createForm('updateApplication'), record));
    expect(readBody(createForm('updateApplication'), { ...limits, session_idle_seconds: 'long' })).toEqual({
      session_idle_seconds: 'long',
    });
  });

  test('a console form neither shows nor accepts fields that the operator’s role may not change', async () => {
    const limited = readDocument({
      paths: {
        '/v1/things': {
          post: {
            operationId: 'createThing',
            summary: 's',
            responses: {},
            requestBody: {
              content: {
                'application/json': {
                  schema: {
                    type: 'object',
                    properties: {
                      open: { type: 'string' },
                      secret: { type: 'string', 'x-operator-role': 'guarded' },
                    },
                  },
                },
              },
            },
          },
        },
      },
      components: { schemas: {} },
    });
    const schema = limited.operations.get('createThing')?.body;
    const of = (role: 'developer' | 'admin') => ({ document: limited, schema, role });
    expect(inputsHtml(of('developer'), {})).not.toContain('name="secret"');
    expect(inputsHtml(of('admin'), {})).toContain('name="secret"');
    expect(readBody(of('developer'), { open: 'a', secret: 'b' })).toEqual({ open: 'a' });
  });
});

test.each([
  [{ state: 'invited' }, 'has not accepted the invitation yet'],
  [{ state: 'invited', enrolment_step: 'accepted' }, 'Next, they verify their address'],
  [{ state: 'invited', enrolment_step: 'address_verified' }, 'Next, they create a passkey'],
  [{ state: 'invited', enrolment_step: 'passkey_registered' }, 'The person has a passkey'],
  [{ state: 'enrolled' }, 'Waits for your confirmation'],
])('for an operator with %j, the console shows the next enrolment step', async (operator, words) => {
  const answers = new Map([['listOperators', answered([{ user_id: 'u', role: 'admin', ...operator }])]]);
  const { html } = renderView(await createScreenData('operators', { answers }));
  expect(html).toContain(words);
  expect([...html.matchAll(/act=(\w+)/g)].map(([, action]) => action)).toEqual([
    ...['inviteOperator', 'setOperatorRole'],
    ...(operator.state === 'enrolled' ? ['confirmOperator'] : []),
    'removeOperator',
  ]);
});
