import { beforeAll, describe, expect, test } from '@jest/globals';
import { addressOf } from '../../functions/console/engine/call.ts';
import { type ApiDocument, fieldsOf, readDocument } from '../../functions/console/engine/document.ts';
import { bodyOf, inputsHtml } from '../../functions/console/engine/forms.ts';
import { homeOf, parametersFor, placeOf, screenOf } from '../../functions/console/engine/home.ts';
import { genericHtml, itemHtml, recordHtml } from '../../functions/console/engine/render.ts';
import { screens } from '../../functions/console/engine/screens.ts';
import { plainly, shown, titleOf, valueHtml, words } from '../../functions/console/engine/values.ts';
import { answered, consoleDocument, shownOf } from './support.ts';

/** The engine of the console: screens, records and forms out of the API document. */

let document: ApiDocument;
beforeAll(async () => {
  document = await consoleDocument();
});

const operation = (id: string) => {
  const found = document.operations.get(id);
  if (!found) throw new Error(`there is no operation ${id}`);
  return found;
};

describe('what a stranger has stored', () => {
  const MARKUP = '<img src=x onerror=alert(1)>"\'&';

  test('is text, in elements and in attributes', () => {
    expect(shown(MARKUP)).toBe('<bdi>&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;</bdi>');
    expect(plainly(MARKUP)).not.toMatch(/[<>"']/);
  });

  test('turns nothing: its direction marks are shown by name, in isolation', () => {
    const html = shown('a\u202eb\u2066c\u200d');
    expect(html).not.toMatch(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/);
    expect(html).toContain('<span class="mark">U+202E</span>');
    expect(plainly('a\u202eb')).toBe('ab');
  });

  test.each(['javascript:alert(1)', 'https://example.com/', 'data:text/html,x'])('is no link: %s', (uri) => {
    expect(valueHtml(document, uri, { format: 'uri' })).not.toContain('<a');
  });

  test('names what it does not know, and stays text within lists and records', async () => {
    const evil = { app_id: 'a', name: MARKUP, redirect_uris: [MARKUP], [MARKUP]: { [MARKUP]: [MARKUP] } };
    const html = genericHtml(
      await shownOf('resources/{resourceId}', {
        parameters: { resourceId: 'a' },
        answers: new Map([['getResource', answered(evil)]]),
      }),
    );
    expect(html).toContain('&lt;img');
    expect(html).not.toContain('<img');
  });
});

test('an address stands first, with what is known of it', () => {
  const html = valueHtml(document, { value: 'ann@example.com', email_verified: true });
  expect(html).toMatch(/^<bdi>ann@example\.com<\/bdi><dl>/);
});

test('a list without items is none, and one with an item is not', () => {
  expect(valueHtml(document, [])).toBe(valueHtml(document, undefined));
  expect(valueHtml(document, ['first'])).toContain('first');
});

test('a line of a list has what a record says, and nothing of what it leaves empty', async () => {
  const resource = { resource_id: 'notes-1', name: 'Notes', app_id: '' };
  const html = itemHtml(await shownOf('resources', {}), 'listResources', resource);
  expect(html).toContain('<bdi>notes-1</bdi>');
  expect(html).not.toContain(words('app_id'));
});

test('entries of a record that have actions of their own stand below it', async () => {
  const client = {
    client_id: 'c',
    secrets: [{ secret_id: 'secret-1' }],
    redirect_uris: ['https://a.example/'],
  };
  const path = 'applications/{appId}/clients/{clientId}';
  const parameters = { appId: 'a', clientId: 'c' };
  const answers = new Map([['getClient', answered(client)]]);
  const html = recordHtml(await shownOf(path, { parameters, answers }), 'getClient');
  expect(html.match(/<dd><bdi>secret-1</g)).toHaveLength(1);
  const viewer = await shownOf(path, { parameters, answers, role: 'viewer' });
  expect(recordHtml(viewer, 'getClient')).not.toContain('<h2>Secrets</h2>');
});

describe('an address of the API', () => {
  const getUser = { method: 'GET', path: '/v1/users/{userId}' };
  const of = (userId: string) =>
    addressOf('https://id.example.com/cis', { operation: getUser, parameters: { userId } });

  test.each(['..', '.', ''])('is made of no segment that leads elsewhere: "%s"', (userId) => {
    expect(of(userId)).toBeUndefined();
  });

  test.each(['../applications', '//evil.example', '@evil.example', '?a=b#c', '%2e%2e', '{userId}', '\\evil'])(
    'stays below its path whatever a value holds: %s',
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

  test('has further parameters in its query', () => {
    const address = addressOf('https://id.example.com/cis', {
      operation: getUser,
      parameters: { userId: 'u', limit: '5' },
    });
    expect(address).toBe('https://id.example.com/cis/v1/users/u?limit=5');
  });
});

describe('a screen', () => {
  test('is found by its path, with its parameters', () => {
    expect(placeOf('people/u1')).toMatchObject({ screen: { title: 'Person' }, parameters: { userId: 'u1' } });
    for (const path of ['', 'people/', 'people/u1/x', '__proto__', 'elsewhere'])
      expect(placeOf(path)).toBeUndefined();
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
  ])('has the actions below the paths of its reads: %s', (id, path) => {
    expect(homeOf(document, operation(id))?.screen.path).toBe(path);
  });

  test('of each operation for operators is there', () => {
    const homeless = [...document.operations.values()].filter(
      (each) => each.role !== undefined && each.method !== 'GET' && !homeOf(document, each),
    );
    expect(homeless.map(({ id }) => id)).toEqual([]);
  });

  test('is linked from the list above it', () => {
    const [apps] = screens.filter(({ path }) => path === 'applications');
    if (!apps) throw new Error('no screen of applications');
    expect(screenOf(apps, {}, { app_id: 'a/b' })).toBe('applications/a%2Fb');
    expect(screenOf(apps, {}, { name: 'x' })).toBeUndefined();
  });

  test('takes a parameter from the record where its address has none', () => {
    const path = '/v1/organizations/{organizationId}/members/{userId}';
    expect(parametersFor({ path }, {}, { org_id: 'o', user_id: 'u' })).toEqual({
      organizationId: 'o',
      userId: 'u',
    });
    expect(parametersFor({ path }, { organizationId: 'o' }, {})).toBeUndefined();
  });
});

describe('a form', () => {
  const record = {
    ...{ name: 'Shop', redirect_uris: ['https://a.example/', 'https://b.example/'], public_signup: false },
    login_preferences: { email: { digits: 6 } },
    notices: { new_device: true },
  };
  const formOf = (id: string) => ({ document, schema: operation(id).body, role: 'admin' }) as const;
  /** What a browser sends of the form as it is shown. */
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

  test('has every field of the body, with its words', () => {
    const html = inputsHtml(formOf('updateApplication'), record, undefined);
    const fields = fieldsOf(document, operation('updateApplication').body).filter(
      ([, { deprecated }]) => !deprecated,
    );
    expect(fields.length).toBeGreaterThan(20);
    for (const [name, { type }] of fields) if (type !== 'object') expect(html).toContain(`name="${name}"`);
    expect(html).toContain('Allowed redirect URIs of logins, compared character by character');
  });

  test('that nobody has touched sends nothing', () => {
    const form = submitted(inputsHtml(formOf('updateApplication'), record, undefined));
    expect(bodyOf(formOf('updateApplication'), form)).toEqual({});
  });

  test('sends what has changed, and no more', () => {
    const form = submitted(inputsHtml(formOf('updateApplication'), record, undefined));
    const changed = {
      ...form,
      name: 'Store',
      redirect_uris: 'https://a.example/\r\n\r\n https://c.example/ ',
      public_signup: 'yes',
      session_idle_seconds: '600',
    };
    expect(bodyOf(formOf('updateApplication'), changed)).toEqual({
      name: 'Store',
      redirect_uris: ['https://a.example/', 'https://c.example/'],
      public_signup: true,
      session_idle_seconds: 600,
    });
  });

  test('switches a method on by an object and off by null, and leaves the others', () => {
    const form = submitted(inputsHtml(formOf('updateApplication'), record, undefined));
    const on = { ...form, 'login_preferences.passkey': 'yes', 'login_preferences.email': 'no' };
    expect(bodyOf(formOf('updateApplication'), on)).toEqual({
      login_preferences: { email: null, passkey: {} },
    });
  });

  test('removes by null what was emptied, and sends a text that is no number as it is', () => {
    const user = { email: { value: 'ann@example.com', email_verified: true }, username: 'ann' };
    const form = submitted(inputsHtml(formOf('updateUser'), user, undefined));
    expect(form.email).toBe('ann@example.com');
    expect(bodyOf(formOf('updateUser'), { ...form, username: '' })).toEqual({ username: null });
    const limits = submitted(inputsHtml(formOf('updateApplication'), record, undefined));
    expect(bodyOf(formOf('updateApplication'), { ...limits, session_idle_seconds: 'long' })).toEqual({
      session_idle_seconds: 'long',
    });
  });

  test('has no field that the role may not set, and reads none', async () => {
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
    expect(inputsHtml(of('developer'), {}, undefined)).not.toContain('name="secret"');
    expect(inputsHtml(of('admin'), {}, undefined)).toContain('name="secret"');
    expect(bodyOf(of('developer'), { open: 'a', secret: 'b' })).toEqual({ open: 'a' });
  });
});

test('names become words', () => {
  expect(['redirect_uris', 'createApplication', 'user_id', 'sms'].map(words)).toEqual([
    'Redirect URIs',
    'Create application',
    'User ID',
    'SMS',
  ]);
  expect(titleOf({ user_id: 'u', email: { value: 'ann@example.com' } })).toBe('ann@example.com');
  expect(titleOf({ tenant_id: 't', org_id: 'o' })).toBe('o');
});
