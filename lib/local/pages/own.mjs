import { busy, byId, copy, copyButton, factsOf, labelled, make, spoken } from './elements.mjs';
import { ask, environment } from './service.mjs';

/** Makes an application of the developer's own, as the command line does. */

const KINDS = [
  ['web', 'Web backend', 'http://localhost:8080'],
  ['single-page', 'Single page', 'http://localhost:8080'],
  ['native', 'Native app', 'com.example.shop:/complete'],
  ['api', 'Backend that calls the API alone', ''],
];

const commandOf = ({ name, kind, address }) =>
  `npm run otl -- --endpoint ${location.origin} application create --name ${quoted(name)} --kind ${kind}` +
  (address ? ` --address ${quoted(address)}` : '');
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

function snippet(text, label) {
  const pre = make('pre', {
    className: 'snippet',
    tabIndex: 0,
    role: 'region',
    'aria-label': label,
    textContent: text,
  });
  const button = make('button', { type: 'button', className: 'button', textContent: 'Copy' });
  button.onclick = () => void copy(text, button);
  return make('div', { className: 'paste' }, button, pre);
}

/** What it leaves off, or that it leaves nothing off. */
function offOf(applicationId, leftOff) {
  if (leftOff.length === 0) return make('p', { textContent: 'It has all that the demo has.' });
  const lines = leftOff.map(({ effect, options }) =>
    make('li', {}, `${effect}: `, make('code', { textContent: options })),
  );
  return make(
    'div',
    {},
    make(
      'p',
      { className: 'soft' },
      ...spoken(`Each of these is an option of \`otl application update ${applicationId}\`:`),
    ),
    make('ul', { className: 'plain-list' }, ...lines),
  );
}

function madeOf(asked, { application, client_id, client_secret, lines, left_off }) {
  const facts = [
    ['issuer', environment.issuer],
    ['app_id', application.app_id],
    ['client_id', client_id],
    ...(client_secret ? [['CLIENT_SECRET', client_secret]] : []),
    ...(application.redirect_uris.length > 0 ? [['redirect_uris', application.redirect_uris.join(' ')]] : []),
  ];
  return [
    make(
      'section',
      { className: 'card part' },
      make('h2', { textContent: `${application.name} is made` }),
      factsOf(facts),
      ...(client_secret
        ? [make('p', { className: 'actions' }, copyButton('button', client_secret, 'Copy the secret'))]
        : []),
    ),
    make(
      'section',
      { className: 'card part' },
      make('h2', { textContent: 'Five lines that log a person in' }),
      snippet(lines, 'Code'),
    ),
    make(
      'section',
      { className: 'card part' },
      make('h2', { textContent: 'What is off' }),
      offOf(application.app_id, left_off),
    ),
    make(
      'section',
      { className: 'card part' },
      make('h2', { textContent: 'The same by the command line' }),
      snippet(commandOf(asked), 'Command line'),
    ),
  ];
}

export function showOwn() {
  const view = byId('view-own');
  if (view.childElementCount > 0) return;
  const name = make('input', { required: true, maxLength: 128, autocomplete: 'off', value: 'Shop' });
  const kind = make(
    'select',
    {},
    ...KINDS.map(([value, textContent]) => make('option', { value, textContent })),
  );
  const address = make('input', { required: true, autocomplete: 'off', spellcheck: false });
  const addressField = labelled('Address', address, 'Where it runs, or its redirect URI.');
  const told = make('p', { className: 'told bad', role: 'alert' });
  const result = make('div', { className: 'tokens', role: 'status' });
  kind.onchange = () => {
    address.value = KINDS.find(([value]) => value === kind.value)[2];
    addressField.hidden = address.value === '';
    address.required = address.value !== '';
  };
  kind.onchange();
  const submit = make('button', { className: 'button main', textContent: 'Make it' });
  const form = make(
    'form',
    { className: 'card part own' },
    labelled('Name', name),
    labelled('Kind', kind),
    addressField,
    make('p', { className: 'actions' }, submit),
    told,
  );
  form.onsubmit = (event) => {
    event.preventDefault();
    void busy(submit, async () => {
      const asked = { name: name.value, kind: kind.value, address: address.value.trim() };
      told.textContent = '';
      try {
        result.replaceChildren(
          ...madeOf(asked, await ask('own-application', { method: 'POST', body: asked })),
        );
      } catch (error) {
        result.replaceChildren();
        told.textContent = error.message;
      }
    });
  };
  view.append(
    make(
      'div',
      { className: 'column' },
      make(
        'div',
        {},
        make('h1', { textContent: 'Make it yours' }),
        make('p', {
          className: 'soft',
          textContent:
            'An application of your own in this server, with its client and all that it needs to log new people in.',
        }),
      ),
      form,
      result,
    ),
  );
}
