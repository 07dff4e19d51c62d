import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { describeContrast } from '../../functions/console/engine/colours.ts';
import type { ApiDocument } from '../../functions/console/engine/document.ts';
import { type Field, listFormFields, listFormPages, readBody } from '../../functions/console/engine/forms.ts';
import { inputsHtml } from '../../functions/console/engine/inputs.ts';
import { findProblem } from '../../functions/console/engine/problem.ts';
import { recordHtml } from '../../functions/console/engine/render.ts';
import { webhookView } from '../../functions/console/views/webhook.ts';
import { describeAction } from '../../functions/console/words/actions.ts';
import { APPLICATION_PAGES } from '../../functions/console/words/application.ts';
import { findWords } from '../../functions/console/words/find-words.ts';
import { GUARDED_SECONDS } from '../../shared/domain/operators/operators.ts';
import { applicationFields } from '../../shared/records/application.ts';
import { listSettableFields } from '../../shared/records/field.ts';
import { policyHash } from '../../shared/templates/parts/style.ts';
import { type AtConsole, becomeOperator, enterConsole } from '../support/console.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { answered, consoleDocument, createScreenData } from './support.ts';

// Settings pages of an application in the console, and the labels and help texts of all console forms.

/** Maximum number of fields that a settings page shows outside its collapsed parts. */
const IN_SIGHT_MAX = 20;

let document: ApiDocument;
beforeAll(async () => {
  document = await consoleDocument();
});

const createForm = (id: string, page?: string) => {
  const operation = document.operations.get(id);
  if (!operation) throw new Error(`there is no operation ${id}`);
  return { document, schema: operation.body, role: 'admin', words: findWords(operation.path), page } as const;
};

/** Returns every form of the console, once for each of its pages, with the ID of its operation. */
const listForms = () =>
  [...document.operations.values()].flatMap(({ id, method, role, body }) => {
    if (role === undefined || method === 'GET' || !body) return [];
    const pages = listFormPages(createForm(id));
    if (pages.length === 0) return [[id, createForm(id)] as const];
    return (method === 'POST' ? ['start'] : pages).map((page) => [id, createForm(id, page)] as const);
  });

/** Returns the HTML without the collapsed parts (`details`). */
function inSight(html: string): string {
  const inner = html.replace(/<details[^>]*>(?:(?!<details)[\s\S])*?<\/details>/g, '');
  return inner === html ? html : inSight(inner);
}

const listAll = (fields: readonly Field[]): readonly Field[] =>
  fields.flatMap((field) => [field, ...listAll(field.inner)]);

describe('texts in forms of the operator console', () => {
  test('every form field in the console has a human-readable label', () => {
    const fields = listForms().flatMap(([id, of]) =>
      listAll(listFormFields(of)).map((field) => [id, field] as const),
    );
    expect(fields.length).toBeGreaterThan(200);
    const nameless = fields.filter(([, { words }]) => words === undefined || /_|^[a-z]/.test(words.label));
    expect(nameless.map(([id, { name }]) => [id, name])).toEqual([]);
  });

  test('the help texts in console forms contain no API field names and no JSON values', () => {
    const helps = listForms().flatMap(([id, of]) =>
      [...inputsHtml(of, {}).matchAll(/class="soft hint"[^>]*>(.*?)<\/p>/g)].map(([, help = '']) => [
        id,
        help,
      ]),
    );
    expect(helps.length).toBeGreaterThan(100);
    expect(
      helps.filter(([, help = '']) => /<code>|\b[a-z]+_[a-z_]+\b|\bnull\b|Absent|\/v1\//.test(help)),
    ).toEqual([]);
  });

  test('the console describes each action to operators in other words than the summary in the API document', () => {
    const actions = [...document.operations.values()].filter(
      ({ role, method }) => role !== undefined && method !== 'GET',
    );
    expect(actions.length).toBeGreaterThan(40);
    const undescribed = actions.filter((action) => describeAction(action).includes(action.summary));
    expect(undescribed.map(({ id }) => id)).toEqual([]);
  });

  test('the help text of a number field in the console states the range and the default from the API document', () => {
    const html = inputsHtml(createForm('updateApplication', 'limits'), {});
    expect(html).toMatch(/id="f-rate_limits\.sends_per_minute-hint">[^<]*1 to \d+\. Default: \d+\./);
  });

  test('every console form shows at most twenty fields outside of collapsed sections', () => {
    const many = listForms().filter(
      ([, of]) =>
        (inSight(inputsHtml(of, {})).match(/<(?:input(?! type="hidden")|select|textarea)/g) ?? []).length >
        IN_SIGHT_MAX,
    );
    expect(many.map(([id, { page }]) => [id, page])).toEqual([]);
  });
});

describe('division of application settings into six console pages', () => {
  test('each application setting is on exactly one of the six settings pages of the console', () => {
    expect(Object.keys(APPLICATION_PAGES)).toHaveLength(6);
    expect(listFormPages(createForm('updateApplication'))).toEqual(Object.keys(APPLICATION_PAGES));
    const onPages = Object.keys(APPLICATION_PAGES).flatMap((page) =>
      listFormFields(createForm('updateApplication', page)).map(({ name }) => name),
    );
    expect(onPages.toSorted()).toEqual(
      listSettableFields(applicationFields)
        .map(([name]) => name)
        .toSorted(),
    );
  });

  test('a settings page of the console sends only the settings that the page shows', () => {
    const of = createForm('updateApplication', 'tokens');
    const form = { _was: '{}', session_idle_seconds: '600', page: 'tokens' };
    expect(readBody(of, form)).toEqual({ session_idle_seconds: 600 });
  });

  test('the console form for a new application asks only for the settings that a first login needs', () => {
    const fields = listFormFields(createForm('createApplication', 'start'));
    expect(fields.map(({ name }) => name)).toEqual(['name', 'language', 'public_signup', 'redirect_uris']);
  });

  test("an operator sees links only to those settings pages that the operator's role may change", async () => {
    const answers = new Map([['getApplication', answered({ app_id: 'a', name: 'Shop' })]]);
    const shown = async (role: 'viewer' | 'developer' | 'admin') => {
      const screen = { parameters: { appId: 'a' }, answers, role };
      const html = recordHtml(await createScreenData('applications/{appId}', screen), 'getApplication');
      return [...html.matchAll(/page=(\w+)/g)].map(([, page]) => page);
    };
    expect(await shown('viewer')).toEqual([]);
    expect(await shown('admin')).toEqual(Object.keys(APPLICATION_PAGES));
    expect(await shown('developer')).not.toContain('tokens');
  });

  test('a console screen ends with the deletion of its record', async () => {
    const answers = new Map([['getWebhook', answered({ webhook_id: 'w', url: 'https://a.example/' })]]);
    const screen = { parameters: { webhookId: 'w' }, answers };
    const { html } = webhookView(await createScreenData('webhooks/{webhookId}', screen));
    const actions = [...html.matchAll(/act=(\w+)/g)].map(([, action]) => action);
    expect(actions.length).toBeGreaterThan(2);
    expect(actions.indexOf('deleteWebhook')).toBe(actions.length - 1);
  });
});

describe('error messages on rejected console forms', () => {
  const look = () => createForm('updateApplication', 'look');
  const rejected = (message: string, form: Readonly<Record<string, string>> = {}) => {
    const problem = findProblem(look(), message);
    return { problem, html: inputsHtml(look(), {}, { form, problem }) };
  };

  test('the console shows an error at the input of the named field, and focuses the input', () => {
    const { html } = rejected('name: must not be empty', { name: '' });
    expect(html).toMatch(
      /id="f-name-error"><bdi>Must not be empty\.<\/bdi><\/p><input[^>]*aria-invalid="true" autofocus/,
    );
    expect(html).toContain('aria-describedby="f-name-error f-name-hint"');
    expect(html.match(/autofocus|aria-invalid/g)).toHaveLength(2);
  });

  test('an error opens only those collapsed sections of a console form that contain the invalid input', () => {
    const { html } = rejected('brand.texts.de.title: must have at most 60 characters');
    expect(html.match(/<details class="part" open>/g)).toHaveLength(2);
    expect(html).toMatch(/open><summary>Own words on the pages<.*open><summary>German</s);
    expect(rejected('name: must not be empty').html).not.toContain(' open>');
  });

  test("the console's error about a list contains the number of the invalid entry, starting at one", () => {
    const of = createForm('updateApplication', 'addresses');
    expect(findProblem(of, 'redirect_uris.1: must be an absolute URI')).toEqual({
      ...{ name: 'redirect_uris', label: 'Addresses to return to after a login' },
      text: 'Entry 2: must be an absolute URI',
    });
  });

  test('an error message in the console contains field labels instead of the API names of the fields', () => {
    expect(rejected('brand.on_primary_color: needs primary_color').problem.text).toBe(
      'Needs “Colour of buttons”.',
    );
  });

  test("the console's error about a field on another settings page contains the name of that page", () => {
    const { problem } = rejected('rate_limits.sends_per_day: must be an integer');
    expect(problem).toMatchObject({ name: 'rate_limits.sends_per_day', page: 'limits' });
  });

  test.each(['The tenant does not exist', 'body: must be JSON', '__proto__.x: is wrong', ': x'])(
    'the console shows the error %p above the form, because the error names no field of the form',
    (message) => {
      expect(rejected(message).problem.name).toBeUndefined();
    },
  );

  test('the console shows HTML markup in an error as text', () => {
    expect(rejected('name: <img src=x>').html).not.toContain('<img');
  });
});

describe('colour fields in operator console forms', () => {
  test.each([
    ['#fff', '', 'Black text has a contrast of 21.0 to 1: good to read.'],
    ['#b3261e', '#b32600', 'Text in #b32600 has a contrast of 1.0 to 1: too low, 4.5 to 1 is needed.'],
    ['#2557d6', 'red', 'White text has a contrast of 6.2 to 1: good to read.'],
    ['red', '', ''],
    ['', '#ffffff', ''],
  ])(
    'the console describes the contrast between the background colour %p and the text colour %p as %p',
    (ground, text, words) => {
      expect(describeContrast(ground, text)).toBe(words);
    },
  );

  test('the console shows next to a colour field the contrast between this colour and the text on it', () => {
    const brand = { primary_color: '#b3261e', on_primary_color: '#ffffff' };
    const html = inputsHtml(createForm('updateApplication', 'look'), { brand });
    expect(html).toMatch(/name="brand\.primary_color"[^>]* data-colour=[^>]* value="#b3261e"/);
    expect(html).toContain(
      'for="f-brand.primary_color">White text has a contrast of 6.5 to 1: good to read.',
    );
  });
});

describe('application settings in the operator console', () => {
  const server = useTestServer({ rateLimits: 'off' });
  const PATH = '/demo-tenant/applications/demo-app';
  const FORM = `${PATH}?act=updateApplication`;
  let operator: AtConsole;
  beforeEach(async () => {
    await becomeOperator(server, 'admin');
    operator = await enterConsole(server);
  });

  test('saving a settings page shows the new value and does not change settings on other pages', async () => {
    const before = await operator.get(`${FORM}&page=addresses`);
    const { headers } = await operator.post(PATH, {
      ...{ act: 'updateApplication', page: 'tokens', _was: '{}', session_idle_seconds: '1234' },
    });
    const location = headers.get('location') ?? '';
    expect(location).toBe(`${FORM}&page=tokens&done=updateApplication`);
    const { html } = await operator.get(location);
    expect(html).toContain('value="1234"');
    expect(html).toContain('Done: Change settings.');
    const uris = (page: string) => /name="redirect_uris"[^>]*>([^<]*)/.exec(page)?.[1];
    expect(uris((await operator.get(`${FORM}&page=addresses`)).html)).toBe(uris(before.html));
  });

  test('the console shows the first settings page if the URL names an unknown page', async () => {
    for (const page of ['elsewhere', '__proto__', 'start'])
      expect((await operator.get(`${FORM}&page=${page}`)).html.includes('<h1>Login methods</h1>')).toBe(true);
  });

  test('a rejected settings page shows the error at the invalid input and keeps all entered values', async () => {
    const entered = {
      name: 'Entered',
      'brand.primary_color': '#888888',
      'brand.on_primary_color': '#777777',
    };
    const { status, html } = await operator.post(PATH, {
      ...{ act: 'updateApplication', page: 'look', _was: '{}', ...entered },
    });
    expect(status).toBe(400);
    expect(html).toMatch(/<title>Error: Look/);
    expect(html).toContain('role="alert"><span>Nothing was changed. <a href="#f-brand.on_primary_color">');
    expect(html).toMatch(
      /open><summary>Advanced<.*has a contrast of.*name="brand\.on_primary_color" aria-invalid/s,
    );
    for (const value of Object.values(entered)) expect(html).toContain(`value="${value}"`);
  });

  test('the console previews the login page with the entered values without saving them', async () => {
    const fields = { act: 'updateApplication', page: 'look', _was: '{}', preview: '' };
    const entered = { name: 'Previewed', 'brand.primary_color': '#b3261e' };
    const { status, html, headers } = await operator.post(PATH, { ...fields, ...entered });
    expect(status).toBe(200);
    const [, frame = ''] = /<iframe sandbox="allow-same-origin"[^>]* srcdoc="([^"]*)"/.exec(html) ?? [];
    expect(frame).toContain('Sign in to Previewed');
    expect(frame).not.toContain('<script');
    const [, theme = ''] = /<\/style>\s*<style>(.*?)<\/style>/s.exec(frame) ?? [];
    expect(theme).toContain('--accent:#b3261e');
    expect(headers.get('content-security-policy')).toContain(policyHash(theme));
    expect((await operator.get(`${FORM}&page=look`)).html.includes('Previewed')).toBe(false);
  });

  test.each([
    ['phone numbers', 'login', 'login_preferences.sms', ['yes', 'no'], 'phone number'],
    [
      'a passkey button',
      'login',
      'login_preferences.passkey',
      ['yes', 'no'],
      '<div id=&quot;passkey&quot; data',
    ],
    ['German texts', 'look', 'language', ['de', 'fr'], 'Bei Previewed anmelden'],
  ])(
    'the preview of the login page shows %s only if the form says so',
    async (_, page, field, values, text) => {
      const fields = { act: 'updateApplication', page, _was: '{}', preview: '', name: 'Previewed' };
      const shown: (boolean | undefined)[] = [];
      for (const value of values) {
        const { html } = await operator.post(PATH, { ...fields, [field]: value });
        shown.push(/srcdoc="([^"]*)"/.exec(html)?.[1]?.includes(text));
      }
      expect(shown).toEqual([true, false]);
    },
  );

  test.each([
    ['with an invalid CSRF token', { csrf: 'A'.repeat(43) }, {}],
    ['from another site', {}, { 'sec-fetch-site': 'cross-site' }],
  ])('the console rejects a request to preview the login page %s', async (_title, fields, headers) => {
    const form = { act: 'updateApplication', page: 'look', preview: '', name: 'Previewed', ...fields };
    const { status, html } = await operator.post(PATH, form, headers);
    expect([status, html.includes('Previewed')]).toEqual([403, false]);
  });

  test('a settings page requires a recent login only if its settings affect who can log in', async () => {
    await server.advanceClock(GUARDED_SECONDS + 1);
    expect((await operator.get(`${FORM}&page=look`)).status).toBe(200);
    const { headers } = await operator.get(`${FORM}&page=addresses`);
    const login = new URL(headers.get('location') ?? '', 'https://console.example');
    expect(login.pathname).toBe('/login');
    expect(login.searchParams.get('to')).toContain('page=addresses');
  });

  test('after a settings page was submitted too long after the login, the console says that nothing was saved', async () => {
    await server.advanceClock(GUARDED_SECONDS + 1);
    const { headers } = await operator.post(PATH, {
      ...{ act: 'updateApplication', page: 'addresses', _was: '{}', redirect_uris: 'http://localhost:8080/' },
    });
    const login = new URL(headers.get('location') ?? '', 'https://console.example');
    const fresh = await enterConsole(server);
    expect(login.searchParams.get('to')).toContain('again=yes');
    const { html } = await fresh.get(login.searchParams.get('to') ?? '');
    expect(/<h1>(.*?)<\/h1>/.exec(html)?.[1]).toBe('Addresses');
    expect(html.includes('Your login was too old')).toBe(true);
  });
});
