import { byId, make, spoken } from './elements.mjs';
import { application, ask, manage } from './service.mjs';

/** A control for each setting of the application, made from the schema of its API. */

/** Where the effect of a setting shows, by the beginning of its name. */
const SHOWS = [
  ['login_preferences.link', 'a link by email', '#login/link'],
  ['login_preferences.email', 'a passcode by email', '#login/email'],
  ['login_preferences.sms', 'a passcode by SMS', '#login/sms'],
  ['login_preferences.direct', 'a passcode by your backend', '#login/direct'],
  ['login_preferences.passkey', 'the hosted pages', '#login/hosted'],
  ['rate_limits', 'a passcode by email, twice', '#login/email'],
  ['notices', 'the inbox, after a login', '#inbox'],
  ['app_id_audience', 'the access token of a login', '#login/email'],
  ['language', 'the mail of a passcode', '#login/email'],
  ['code_host', 'the text of an SMS', '#login/sms'],
  ['session_', 'a login, and the clock', '#clock'],
  ['passcodes_across_clients', undefined],
  ['resources', undefined],
  ['roles', 'the access token of a login', '#login/email'],
  ['', 'the hosted pages', '#login/hosted'],
];

let record = {};

const valueAt = (path) => path.reduce((value, name) => value?.[name], record);

/** The body that changes one setting: methods and groups are merged, so what stands beside it is sent with it. */
function changeOf([name, ...rest], value) {
  if (rest.length === 0) return { [name]: value };
  const [inner] = rest;
  if (name === 'login_preferences') {
    const [, ...field] = rest;
    const method = field.length === 0 ? value : { ...record.login_preferences?.[inner], [field[0]]: value };
    return { login_preferences: { [inner]: method } };
  }
  return { [name]: { ...record[name], [inner]: value } };
}

const kindOf = ({ anyOf, ...schema }) => ({ ...schema, ...anyOf?.find(({ type }) => type !== 'null') });
const defaultOf = ({ description = '' }) => /\(default: ([^)]+)\)/.exec(description)?.[1];

/** An input for each kind of setting, what is read of its text, and the text of a value. Null: no value. */
const CONTROLS = {
  choice: ({ enum: choices }) => ({
    input: make('select', ...['', ...choices].map((value) => make('option', { value }, value || 'default'))),
    read: (text) => text || null,
  }),
  number: ({ minimum, maximum, type, ...schema }) => ({
    input: make('input', {
      type: 'number',
      placeholder: defaultOf(schema) ?? '',
      ...(minimum !== undefined && { min: minimum }),
      ...(maximum !== undefined && { max: maximum }),
      ...(type === 'number' && { step: 'any' }),
    }),
    read: (text) => (text === '' ? null : Number(text)),
  }),
  text: (schema) => ({
    input: make('input', {
      type: 'text',
      placeholder: defaultOf(schema) ?? '',
      autocomplete: 'off',
      spellcheck: false,
    }),
    read: (text) => text.trim() || null,
  }),
  lines: () => ({
    input: make('textarea', { rows: 3, spellcheck: false, placeholder: 'one a line' }),
    read: (text) => text.split('\n').flatMap((line) => line.trim() || []),
    textOf: (lines) => lines.join('\n'),
  }),
  json: () => ({
    input: make('textarea.mono', { rows: 4, spellcheck: false, placeholder: 'JSON' }),
    read: (text) => (text.trim() === '' ? null : JSON.parse(text)),
    textOf: (value) => (value.length === 0 ? '' : JSON.stringify(value, null, 2)),
  }),
};

function kindOfControl(schema) {
  if (schema.enum) return 'choice';
  if (schema.type === 'number' || schema.type === 'integer') return 'number';
  if (schema.type === 'array') return schema.items.type === 'string' ? 'lines' : 'json';
  return 'text';
}

/** A switch is on where `isOn` says so of the value; `off` is what it sends then. */
function switchOf(path, isOn, [off, on]) {
  const input = make('input', { type: 'checkbox', role: 'switch' });
  const show = () => {
    input.checked = isOn(valueAt(path));
  };
  return { input, read: () => (input.checked ? on : off), show };
}

/** What a control holds, and how it shows what the service has. `onOff`: a method that is absent is off. */
function controlOf(path, schema, onOff) {
  if (onOff) return switchOf(path, (value) => value !== undefined, [null, {}]);
  const isOn = defaultOf(schema)?.startsWith('true') ?? false;
  if (schema.type === 'boolean') return switchOf(path, (value) => value ?? isOn, [false, true]);
  const { input, read, textOf = String } = CONTROLS[kindOfControl(schema)](schema);
  const show = () => {
    const value = valueAt(path);
    input.value = value === undefined ? '' : textOf(value);
  };
  return { input, read: () => read(input.value), show };
}

const shown = [];

async function save(path, read, told) {
  const name = path.join('.');
  try {
    const { status, body } = await manage('PUT', application, changeOf(path, read()));
    if (status >= 300) throw new Error(`${status}: ${[body.message].flat().join(' ')}`);
    record = body.result;
    const [, text, href] = SHOWS.find(([beginning]) => name.startsWith(beginning));
    told.className = 'told good';
    const { questions } = name === 'roles' ? await ask('settings') : { questions: [] };
    told.replaceChildren(
      'Saved. ',
      ...questions.map((question) => `${question} `),
      ...(text ? ['See it at ', make('a', { href }, text), '.'] : []),
    );
  } catch (error) {
    told.className = 'told bad';
    told.replaceChildren(error.message);
  }
  for (const show of shown) show();
}

/** A setting with its words and its control. */
function settingOf(path, schema, onOff = false) {
  const id = `set-${path.join('-')}`;
  const { input, read, show } = controlOf(path, schema, onOff);
  shown.push(show);
  const told = make('p.told', { role: 'status' });
  Object.assign(input, { id, onchange: () => void save(path, read, told) });
  input.setAttribute('aria-describedby', `${id}-about`);
  const row = make(
    'div',
    { className: `setting ${input.type}` },
    make('label', { htmlFor: id }, make('code', path.at(-1))),
    input,
    make('p.soft', { id: `${id}-about` }, ...spoken(schema.description ?? '')),
    told,
  );
  row.dataset.name = path.join('.');
  return row;
}

/** The settings of an object, and those of the objects in it, each under a heading. */
function settingsOf(properties, path = []) {
  return Object.entries(properties).map(([name, given]) => {
    const schema = kindOf(given);
    const here = [...path, name];
    if (schema.type !== 'object') return settingOf(here, schema);
    const isMethod = path[0] === 'login_preferences';
    const needs = Object.keys(schema.properties ?? {}).length > 0 && schema.required?.length > 0;
    return make(
      'section.group',
      ...(isMethod && !needs ? [settingOf(here, given, true)] : [headingOf(here, given)]),
      ...settingsOf(schema.properties ?? {}, here),
    );
  });
}

function headingOf(path, { description = '' }) {
  const heading = make(path.length === 1 ? 'h2' : 'h3', {}, make('code', path.at(-1)));
  const row = make('div.heading', heading, make('p.soft', ...spoken(description)));
  row.dataset.name = path.join('.');
  return row;
}

function search(list) {
  const input = make('input', {
    type: 'search',
    placeholder: 'Find a setting',
    'aria-label': 'Find a setting',
  });
  input.oninput = () => {
    const wanted = input.value.toLowerCase();
    for (const row of list.querySelectorAll('.setting, .heading'))
      row.hidden = !`${row.dataset.name} ${row.textContent}`.toLowerCase().includes(wanted);
  };
  return input;
}

export async function showSettings(place) {
  const view = byId('view-settings');
  const { schema, application: stored } = await ask('settings');
  record = stored;
  if (view.childElementCount === 0) {
    const { name, add_redirect_uris: _, ...properties } = schema.properties;
    const list = make('div.card.settings', ...settingsOf({ name, ...properties }));
    view.append(
      make(
        'div.column.wide',
        make('h1', 'Settings of the demo application'),
        make(
          'p.soft',
          ...spoken(
            'What an operator sets by `PUT /v1/applications/{appId}`. Each change here is that request, and takes effect at once.',
          ),
        ),
        search(list),
        list,
      ),
    );
  }
  for (const show of shown) show();
  const row = place && view.querySelector(`[data-name="${CSS.escape(place)}"]`);
  if (row) {
    row.scrollIntoView({ block: 'center' });
    row.querySelector('input, select, textarea')?.focus();
  }
}
