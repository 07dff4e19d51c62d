import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ApiDocument } from '../../functions/console/engine/document.ts';
import { type Field, listFormFields, readBody, toInputValues } from '../../functions/console/engine/forms.ts';
import { inputsHtml } from '../../functions/console/engine/inputs.ts';
import { findProblem } from '../../functions/console/engine/problem.ts';
import { findWords } from '../../functions/console/words/find-words.ts';
import { type AtConsole, becomeOperator, enterConsole } from '../support/console.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { consoleDocument } from './support.ts';

// Lists of objects in the forms of the console, such as the Android apps of an application.

let document: ApiDocument;
beforeAll(async () => {
  document = await consoleDocument();
});

const createForm = (id: string) => {
  const { body: schema, path } = document.operations.get(id) ?? { path: '' };
  return { document, schema, role: 'admin', words: findWords(path) } as const;
};
const shop = { team_id: 'ABCDE12345', bundle_id: 'com.example.shop' };
const bank = { team_id: 'ABCDE12345', bundle_id: 'com.example.bank' };
const record = { ios_apps: [shop, bank] };

/** Returns the form that shows the record, with the changes of an operator. */
function submit(changes: Readonly<Record<string, string>>, shown: object = record) {
  const of = createForm('updateApplication');
  const values = toInputValues(document, listFormFields(of), { ...shown });
  const [, was = ''] = /name="_was" value="([^"]*)"/.exec(inputsHtml(of, { ...shown })) ?? [];
  return { ...values, _was: was.replaceAll('&#34;', '"'), ...changes };
}
const send = (form: Readonly<Record<string, string>>) => readBody(createForm('updateApplication'), form);

describe('lists of objects in operator console forms', () => {
  test('each field of a list entry in a console form has a readable label', () => {
    const ids = ['updateApplication', 'updateUser', 'updateResource', 'createUser', 'createResource'];
    const entries = ids.flatMap((id) =>
      listFormFields(createForm(id)).flatMap(({ entry }): readonly Field[] => entry?.(0) ?? []),
    );
    expect(entries.length).toBeGreaterThan(20);
    const nameless = entries.filter(({ words }) => words === undefined || /_|^[a-z]/.test(words.label));
    expect(nameless.map(({ name }) => name)).toEqual([]);
  });

  test('a console form shows the fields of each list entry and empty fields for a new entry', () => {
    const html = inputsHtml(createForm('updateApplication'), record);
    expect(html).toContain('<summary>1. ABCDE12345</summary>');
    expect(html).toMatch(/name="ios_apps\.1\.bundle_id"[^>]* value="com\.example\.bank"/);
    expect(html).toMatch(/<summary>Add an entry<.*name="ios_apps\.2\.bundle_id"[^>]* value=""/s);
    expect(html).not.toContain('name="ios_apps.3.');
  });

  test('a console form sends a list only if the operator has changed an entry', () => {
    expect(send(submit({}))).toEqual({});
    expect(send(submit({ 'ios_apps.1.bundle_id': 'com.example.bank2' }))).toEqual({
      ios_apps: [shop, { ...bank, bundle_id: 'com.example.bank2' }],
    });
  });

  test('to add a list entry, an operator fills the empty fields, and to remove an entry, empties its fields', () => {
    const added = { 'ios_apps.2.team_id': 'ABCDE12345', 'ios_apps.2.bundle_id': 'com.example.news' };
    const removed = { 'ios_apps.0.team_id': '', 'ios_apps.0.bundle_id': '' };
    const news = { team_id: 'ABCDE12345', bundle_id: 'com.example.news' };
    expect(send(submit(added))).toEqual({ ios_apps: [shop, bank, news] });
    expect(send(submit({ ...added, ...removed }))).toEqual({ ios_apps: [bank, news] });
    const none = { ...removed, 'ios_apps.1.team_id': '', 'ios_apps.1.bundle_id': '' };
    expect(send(submit(none))).toEqual({ ios_apps: null });
  });

  test('a console form sends nested lists and objects in a list entry in the format of the API', () => {
    const form = {
      ...{ _was: '{}', 'scopes.0.name': 'orders:read', 'scopes.0.sentence.en': 'Read your orders' },
      'scopes.0.default': '',
    };
    expect(readBody(createForm('createResource'), form)).toMatchObject({
      scopes: [{ name: 'orders:read', sentence: { en: 'Read your orders' } }],
    });
    const role = { _was: '{}', 'roles.0.name': 'support', 'roles.0.permissions': 'users:read\r\nusers:edit' };
    expect(send(role)).toEqual({ roles: [{ name: 'support', permissions: ['users:read', 'users:edit'] }] });
  });

  test('a console form shows an error at the right list entry, even after an earlier entry was removed', () => {
    const form = submit({ 'ios_apps.0.team_id': '', 'ios_apps.0.bundle_id': '' });
    const of = createForm('updateApplication');
    expect(findProblem(of, 'ios_apps.0.bundle_id: is wrong', form)).toMatchObject({
      name: 'ios_apps.1.bundle_id',
      text: 'Is wrong.',
    });
    const problem = { name: 'ios_apps.1.bundle_id', text: 'Is wrong.' };
    const html = inputsHtml(of, record, { form, problem });
    expect(html).toMatch(
      /<details class="part" open><summary>1\. ABCDE12345<.*name="ios_apps\.1\.bundle_id" aria-inv/s,
    );
  });

  test.each([
    'ios_apps.x.bundle_id',
    'ios_apps.1e9.bundle_id',
    'ios_apps.-1.bundle_id',
    'ios_apps.',
    'ios_apps.0.other',
  ])('a form field with the forged name %p adds no entry to a list', (name) => {
    expect(send({ _was: '{}', [name]: 'x' })).not.toMatchObject({ ios_apps: [expect.anything()] });
  });

  test('a console form field that takes JSON shows an example', () => {
    const html = inputsHtml(createForm('updateUser'), {});
    expect(html).toMatch(/As JSON, for example <q>.*plan.*gold.*<\/q>/);
  });
});

describe('adding native apps to an application in the operator console', () => {
  const server = useTestServer({ rateLimits: 'off' });
  let operator: AtConsole;
  beforeEach(async () => {
    await becomeOperator(server, 'admin');
    operator = await enterConsole(server);
  });

  test('an operator can add a native app in the console, and sees an error at the input of an invalid app', async () => {
    const path = '/demo-tenant/applications/demo-app';
    const form = { act: 'updateApplication', page: 'addresses' };
    const app = { 'ios_apps.0.team_id': shop.team_id, 'ios_apps.0.bundle_id': shop.bundle_id };
    expect((await operator.post(path, { ...form, ...app })).status).toBe(303);
    const { html } = await operator.get(`${path}?act=updateApplication&page=addresses`);
    expect(html).toMatch(/name="ios_apps\.0\.bundle_id"[^>]* value="com\.example\.shop"/);
    const wrong = { ...app, 'ios_apps.1.team_id': 'short', 'ios_apps.1.bundle_id': 'com.example.bank' };
    const refused = await operator.post(path, { ...form, ...wrong });
    expect(refused.status).toBe(400);
    expect(refused.html).toMatch(/name="ios_apps\.1\.team_id" aria-invalid="true" autofocus/);
  });
});
