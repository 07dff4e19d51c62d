import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { findShownColour } from '../../functions/console/engine/colours.ts';
import type { ApiDocument } from '../../functions/console/engine/document.ts';
import { joinChoices, listFormFields, readBody } from '../../functions/console/engine/forms.ts';
import { findActionLocation } from '../../functions/console/engine/home.ts';
import { inputsHtml } from '../../functions/console/engine/inputs.ts';
import { findNamedWords } from '../../functions/console/engine/names.ts';
import { recordHtml } from '../../functions/console/engine/render.ts';
import { describeDuration } from '../../functions/console/engine/values.ts';
import { renderView } from '../../functions/console/views/views.ts';
import { demo } from '../../lib/local/demo.ts';
import { type AtConsole, becomeOperator, enterConsole } from '../support/console.ts';
import { made } from '../support/fixtures/managed.ts';
import { newEmail } from '../support/fixtures/people.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { answered, consoleDocument, createScreenData } from './support.ts';

// Values that operators choose by name or enter in words: people, applications, times, durations and colours.

let document: ApiDocument;
beforeAll(async () => {
  document = await consoleDocument();
});

const applications = answered([
  { app_id: 'shop-1', name: 'Shop' },
  { app_id: 'bank-1', name: 'Bank' },
]);

/** Returns the form of an action on a screen that has read the given list of applications. */
function createForm(id: string, list: object = applications) {
  const { body: schema, path } = document.operations.get(id) ?? { path: '' };
  const answers = new Map([['listApplications', list as typeof applications]]);
  return { document, schema, role: 'admin', words: findNamedWords({ answers }, path) } as const;
}

describe('names of records in the console', () => {
  test('the screen of every form reads the records that the form offers by name', () => {
    const acts = [...document.operations.values()].filter(({ method, role }) => method !== 'GET' && role);
    const wanted = acts.flatMap((act) =>
      listFormFields(createForm(act.id)).flatMap(({ words }) =>
        words?.refers ? [{ act, list: words.refers }] : [],
      ),
    );
    expect(wanted.length).toBeGreaterThan(3);
    const missing = wanted.filter(({ act, list }) => {
      const { reads = [], lookups = [] } = findActionLocation(document, act)?.screen ?? {};
      return ![...reads, ...lookups].includes(list) && act.id !== 'createApplication';
    });
    expect(missing.map(({ act, list }) => [act.id, list])).toEqual([]);
  });

  test('a console form offers applications by name, and the whole tenant as the default', () => {
    const html = inputsHtml(createForm('createWebhook'), {});
    expect(html).toMatch(
      /<select id="f-app_id"[^>]*><option value="" selected>Not set<\/option><option value="shop-1">Shop</,
    );
  });

  test('a console form asks for IDs if the screen could not read all records', () => {
    const page = { ok: true, json: { result: [], next_cursor: 'more' } };
    const html = inputsHtml(createForm('createWebhook', page), {});
    expect(html).toMatch(/<input type="text" id="f-app_id"/);
  });

  test('a console form offers the values of a list as checkboxes, and sends the checked ones', () => {
    const html = inputsHtml(createForm('createUser'), {});
    expect(html).toMatch(/role="group" id="f-applications" aria-labelledby="f-applications-label"/);
    const [, name = ''] = /name="([^"]+)" value="bank-1"/.exec(html) ?? [];
    const form = joinChoices({ _was: '{}', applications: '', [name]: 'bank-1' });
    expect(readBody(createForm('createUser'), form)).toEqual({ applications: ['bank-1'] });
  });

  test('a console form does not send a list whose checkboxes are unchanged', () => {
    const of = createForm('createUser');
    const html = inputsHtml(of, { applications: ['bank-1', 'gone-1'] });
    const checked = [...html.matchAll(/name="([^"]+)" value="([^"]+)" checked/g)].map(
      ([, name = '', value = '']) => [name, value],
    );
    expect(checked.map(([, value]) => value)).toEqual(['bank-1', 'gone-1']);
    const [, was = ''] = /name="_was" value="([^"]*)"/.exec(html) ?? [];
    const form = { _was: was.replaceAll('&#34;', '"'), applications: '', ...Object.fromEntries(checked) };
    expect(readBody(of, joinChoices(form))).toEqual({});
  });

  test('the console shows the name of an application instead of its ID', async () => {
    const answers = new Map([
      ['findUsers', answered([{ user_id: 'u1', status: 'Active', applications: ['shop-1'] }])],
      ['getWebhook', answered({ webhook_id: 'w', url: 'https://a.example/', app_id: 'bank-1' })],
      ['listApplications', applications],
    ]);
    const people = renderView(await createScreenData('people', { answers })).html;
    expect(people).toContain('<bdi>Shop</bdi>');
    expect(people).toContain('<option value="bank-1">Bank</option>');
    const parameters = { webhookId: 'w' };
    const webhook = recordHtml(
      await createScreenData('webhooks/{webhookId}', { answers, parameters }),
      'getWebhook',
    );
    expect(webhook).toContain('<dt>Application</dt><dd><bdi>Bank</bdi></dd>');
  });
});

describe('times and durations in console forms', () => {
  test('a console form has an input for a time in UTC, and sends the time with its zone', () => {
    const html = inputsHtml(createForm('setPhoneRisk'), {});
    expect(html).toContain('<input type="datetime-local" id="f-observed_at"');
    expect(html).toContain('<span data-zone>In UTC.</span>');
    const body = (observed_at: string) => readBody(createForm('setPhoneRisk'), { _was: '{}', observed_at });
    expect(body('2026-01-31T12:05')).toEqual({ observed_at: '2026-01-31T12:05:00Z' });
    expect(body('yesterday')).toEqual({ observed_at: 'yesterday' });
  });

  test('a console form shows a duration, its range and its default in words', () => {
    const html = inputsHtml(createForm('updateApplication'), { session_idle_seconds: 129_600 });
    expect(html).toContain('<output data-seconds for="f-session_idle_seconds">1 day 12 hours</output>');
    expect(html).toMatch(/id="f-session_idle_seconds-hint">[^<]*\d+ minutes? to \d+ days?\./);
    expect(html).toContain('A session ends when it was unused for (seconds)</label>');
  });

  test.each([
    [0, 'seconds', '0 seconds'],
    [1, 'seconds', '1 second'],
    [2_592_000, 'seconds', '30 days'],
    [90_061, 'seconds', '1 day 1 hour 1 minute 1 second'],
    [90, 'minutes', '1 hour 30 minutes'],
  ] as const)('the console describes %d %s as "%s"', (amount, unit, words) => {
    expect(describeDuration(amount, unit)).toBe(words);
  });
});

test('console forms offer every value of an enumeration, except public management clients', () => {
  const acts = [...document.operations.values()].filter(({ method, role }) => method !== 'GET' && role);
  const enumerations = acts.flatMap(({ id }) =>
    listFormFields(createForm(id)).flatMap(({ name, schema, words }) =>
      schema.enum && words?.choices ? [{ id, name, schema, words }] : [],
    ),
  );
  expect(enumerations.length).toBeGreaterThan(10);
  const missing = enumerations.flatMap(({ id, name, schema, words }) =>
    (schema.enum ?? [])
      .filter((value) => !Object.hasOwn(words.choices ?? {}, String(value)))
      .map((value) => [id, name, value]),
  );
  expect(missing).toEqual([
    ['createManagementClient', 'auth_method', 'none'],
    ['updateManagementClient', 'auth_method', 'none'],
  ]);
});

test('the console shows no settings for logins of people on management clients', () => {
  const html = inputsHtml(createForm('updateManagementClient'), {});
  expect(html).toContain('name="access_token_ttl"');
  expect(html).not.toMatch(
    /name="(?:roles|permissions|require_pkce|refresh_token_ttl|profile)"|value="none"/,
  );
  expect(inputsHtml(createForm('updateClient'), {})).toContain('name="require_pkce"');
});

test('a required choice without a value asks for a choice, and the browser requires one', () => {
  const html = inputsHtml(createForm('setPhoneRisk'), {});
  expect(html).toMatch(/<select id="f-signal"[^>]* required><option value="" selected>Choose one<\/option>/);
});

test.each([
  [{}, 'primary_color', '#2557d6'],
  [{}, 'primary_color_dark', '#86a8ff'],
  [{ 'brand.primary_color': '#b3261e' }, 'primary_color_dark', '#b3261e'],
  [{ 'brand.primary_color': '#fff' }, 'on_primary_color', '#000000'],
  [{}, 'background_color', '#f1f3f6'],
  [{}, 'background_color_dark', '#0f1115'],
  [{ 'brand.background_color': '#fafafa' }, 'background_color', '#fafafa'],
])('with %j, the swatch of %s shows the colour %s', (values, name, colour) => {
  expect(findShownColour(`brand.${name}`, values)).toBe(colour);
});

describe('choosing a person in the console', () => {
  const server = useTestServer({ rateLimits: 'off', events: true });
  let operator: AtConsole;
  let path: string;
  beforeEach(async () => {
    await becomeOperator(server, 'admin');
    operator = await enterConsole(server);
    const { org_id } = await made<{ org_id: string }>(server, '/v1/organizations', { name: 'Acme' });
    path = `/demo-tenant/organizations/${org_id}`;
  });
  const newMember = (person: string) =>
    operator.post(path, { act: 'createMember', _was: '{}', user_id: person });

  test('an operator adds a member by email address, phone number or user ID', async () => {
    const fields = { email: newEmail(), phone_number: '+12015550147' };
    const { user_id } = await made<{ user_id: string }>(server, '/v1/users', fields);
    const { headers } = await newMember(` ${fields.email.toUpperCase()} `);
    expect(headers.get('location')).toContain(`/members/${user_id}?done=createMember`);
    expect((await operator.get(path)).html).toContain(`<bdi>${fields.email}</bdi>`);
    // The person is already a member, so the API refuses the same person again.
    expect((await newMember(fields.phone_number)).status).toBe(400);
    expect((await newMember(user_id)).status).toBe(400);
  });

  test('the list of changes names operators by email address, and is filtered by them', async () => {
    const { user_id } = await made<{ user_id: string }>(server, '/v1/users', { email: newEmail() });
    expect((await newMember(user_id)).status).toBe(303);
    await server.settleEvents();
    const { userId, email } = demo.operator;
    const { html } = await operator.get(`/demo-tenant/changes?operator=${userId}`);
    expect(html).toContain(`<option value="${userId}" selected>${email}</option>`);
    expect(html).toContain(`<span>operator: <bdi>${email}</bdi></span>`);
  });

  test('if no person has the address, the form shows the error at the input', async () => {
    const { status, html } = await newMember('unknown@example.com');
    expect(status).toBe(400);
    expect(html).toMatch(/id="f-user_id-error"><bdi>No person has this address\.<\/bdi>/);
    expect(html).toContain('value="unknown@example.com"');
  });
});
