import { beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiDocument, readDocument, type Schema } from '../../functions/console/engine/document.ts';
import { digest, type FormSchema, hasInputs, readBody } from '../../functions/console/engine/forms.ts';
import { inputsHtml } from '../../functions/console/engine/inputs.ts';
import { findWords } from '../../functions/console/words/find-words.ts';
import { consoleDocument, toText } from './support.ts';

// Inputs of the console's forms by the schema of their field, and the values that the forms send.

let document: ApiDocument;
beforeAll(async () => {
  document = await consoleDocument();
});

const createForm = (id: string, page?: string) => {
  const { body: schema, path } = document.operations.get(id) ?? { path: '' };
  return { document, schema, role: 'admin', words: findWords(path), page } as const;
};

/** Returns the form of a request body with the given fields. */
function formOf(properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): FormSchema {
  const empty = readDocument({ paths: {}, components: { schemas: {} } });
  return { document: empty, schema: { type: 'object', properties, required }, role: 'admin' };
}
const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });
const lines: Schema = { type: 'array', items: { type: 'string' } };

describe('values that a console form sends', () => {
  test.each([
    ['a required text', formOf({ a: { type: 'string' } }, ['a']), { a: '' }],
    ['a required list', formOf({ a: lines }, ['a']), { a: [] }],
    ['a text that can be null', formOf({ a: orNull({ type: 'string' }) }), { a: null }],
    ['an optional text', formOf({ a: { type: 'string' } }), {}],
    ['a text or number', formOf({ a: { anyOf: [{ type: 'string' }, { type: 'number' }] } }), {}],
  ])('a console form sends %s that was emptied as %j', (_, of, body) => {
    expect(readBody(of, { a: '' })).toEqual(body);
  });

  test('a console form sends null for an object whose fields were all emptied, else the whole object', () => {
    const inner = { type: 'object', properties: { b: orNull(lines), c: orNull({ type: 'string' }) } };
    const was = JSON.stringify({ 'a.c': digest('kept') });
    expect(readBody(formOf({ a: orNull(inner) }), { 'a.b': '', 'a.c': '' })).toEqual({ a: null });
    expect(readBody(formOf({ a: inner }), { 'a.b': '', 'a.c': '' })).toEqual({});
    expect(readBody(formOf({ a: orNull(inner) }), { 'a.b': 'x', 'a.c': 'kept', _was: was })).toEqual({
      a: { b: ['x'], c: 'kept' },
    });
  });

  test('a console form sends numbers, integers and JSON as such', () => {
    const keys: Schema = { type: 'array', items: { type: 'object', additionalProperties: {} } };
    const of = formOf({
      ...{ a: { type: 'number' }, b: { type: 'integer' }, c: { type: 'object' }, d: { oneOf: [] }, e: keys },
    });
    expect(readBody(of, { a: '1.5', b: '2', c: '{"x":1}', d: '["y"]', e: '[{"kty":"EC"}]' })).toEqual({
      ...{ a: 1.5, b: 2, c: { x: 1 }, d: ['y'], e: [{ kty: 'EC' }] },
    });
  });
});

describe('inputs of a console form', () => {
  test.each([
    [{ type: 'string', maxLength: 1024 }, /^<input type="text"/],
    [{ type: 'string', maxLength: 2048 }, /^<textarea/],
    [{ type: 'number' }, /^<input type="number"/],
    [{ type: 'integer' }, /^<input type="number"/],
    [{ type: 'boolean' }, /^<select/],
    [{ enum: ['x', 'y'] }, /^<select/],
    [{ type: 'string', format: 'date-time' }, /^<input type="datetime-local"/],
    [{ oneOf: [] }, /^<textarea/],
  ] as const)('a console form has for a field with the schema %j the input %s', (schema, input) => {
    const html = inputsHtml(formOf({ a: schema }), {});
    expect(/<(?:select|textarea|input)[^>]* id="f-a"[^>]*>/.exec(html)?.[0]).toMatch(input);
    expect(html).not.toContain('data-colour');
  });

  test('a console form shows stored times, structures and choices as the values of its inputs', () => {
    const risk = inputsHtml(createForm('setPhoneRisk'), {
      ...{ signal: 'sim_swap', observed_at: '2026-01-31T12:05:33.000Z' },
    });
    expect(risk).toContain('value="2026-01-31T12:05"');
    expect(risk).not.toContain('Choose one');
    const user = inputsHtml(createForm('updateUser'), {
      custom_app_data: { plan: 'gold' },
      status: 'Active',
    });
    expect(user).toContain('>{\n  &#34;plan&#34;: &#34;gold&#34;\n}</textarea>');
    expect(user).toMatch(
      /<select id="f-status"[^>]*><option value="">Not set<\/option><option value="Active" selected>/,
    );
  });

  test('a console form offers the stored value of a choice also if operators may not choose it', () => {
    const html = inputsHtml(createForm('updateManagementClient'), { auth_method: 'none' });
    const [select = ''] = /<select id="f-auth_method".*?<\/select>/.exec(html) ?? [];
    expect([...select.matchAll(/value="(\w*)"/g)].map(([, value]) => value).toSorted()).toEqual([
      ...['', 'none', 'private_key_jwt', 'secret'],
    ]);
  });

  test('a console form states the range of a number only if it has both limits', () => {
    const words = { a: { label: 'Least' }, b: { label: 'Most' }, c: { label: 'Both' } };
    const fields = {
      a: { type: 'number', minimum: 1 },
      b: { type: 'number', maximum: 5 },
      c: { type: 'number', minimum: 1, maximum: 5 },
    };
    const of = { ...formOf(fields), words };
    expect(toText(inputsHtml(of, {}))).toBe('Least Most Both 1 to 5.');
  });

  test('the browser requires a value only for required fields outside of objects and lists', () => {
    const item: Schema = { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] };
    const of = formOf({ a: { type: 'string' }, c: { type: 'string' }, d: { type: 'array', items: item } }, [
      'a',
    ]);
    const html = inputsHtml(of, { d: [{ b: 'x' }] });
    expect([...html.matchAll(/name="([^"]*)"[^>]* required/g)].map(([, name]) => name)).toEqual(['a']);
  });

  test.each([
    ['', ''],
    ['1.5', ''],
    ['90', '1 minute 30 seconds'],
  ])('a console form describes the duration "%s" as "%s"', (access_token_ttl, words) => {
    const html = inputsHtml(createForm('updateClient'), { access_token_ttl });
    expect(html).toContain(`<output data-seconds for="f-access_token_ttl">${words}</output>`);
  });

  test('a console form explains how to fill lists and structures, but not choices and objects', () => {
    const webhook = inputsHtml(createForm('createWebhook'), {});
    expect(webhook.match(/One per line\./g)).toHaveLength(1);
    const words = { a: { label: 'A', choices: { x: 'X' } } };
    const list = { ...formOf({ a: lines, b: { type: 'object', properties: { c: lines } } }), words };
    expect(toText(inputsHtml(list, {}))).toBe('A X B C One per line.');
  });

  test('a console form says how to remove an entry only of a list that has entries', () => {
    const says = (record: object) =>
      inputsHtml(createForm('updateApplication'), { ...record }).match(/To remove an entry/g)?.length ?? 0;
    const app = { team_id: 'ABCDE12345', bundle_id: 'com.example.shop' };
    expect([says({}), says({ ios_apps: [app] })]).toEqual([0, 1]);
  });

  test('a console form shows each login method with a switch, and its settings below', () => {
    const html = inputsHtml(createForm('updateApplication', 'login'), {});
    const switches = html.split('<div class="switch">').slice(1);
    const names = (parts: readonly string[]) =>
      parts.map((part) => /^<label for="f-([\w.]+)"/.exec(part)?.[1]);
    expect(names(switches)).toEqual(
      [
        ...['email', 'link', 'passkey', 'sms', 'google', 'apple', 'facebook', 'line', 'microsoft', 'direct'],
      ].map((name) => `login_preferences.${name}`),
    );
    expect(names(switches.filter((part) => !part.includes('<summary>Settings')))).toEqual([
      'login_preferences.passkey',
    ]);
  });

  test('a console form shows the fields of a page in their order, with the contrast of each background', () => {
    const html = inputsHtml(createForm('updateApplication', 'look'), { brand: {} });
    expect(html.indexOf('id="f-name"')).toBeLessThan(html.indexOf('<legend>Branding'));
    expect([...html.matchAll(/<output id="f-brand\.(\w+)-contrast"/g)].map(([, name]) => name)).toEqual([
      ...['primary_color', 'primary_color_dark'],
    ]);
  });

  test('a console form has inputs only if it has at least one field', () => {
    expect(hasInputs(createForm('deleteUser'))).toBe(false);
    expect(hasInputs(formOf({ a: { type: 'string' } }))).toBe(true);
  });
});
