import {
  button,
  byId,
  copy,
  copyButton,
  createFactList,
  createField,
  createForm,
  make,
  runDisabled,
  withCode,
} from './elements.mjs';
import { ask, environment, toConsoleUrl } from './service.mjs';

// View of the playground that creates an application for the developer, as `otl application create` does.

const KINDS = [
  ['web', 'Web backend', 'http://localhost:8080'],
  ['single-page', 'Single page', 'http://localhost:8080'],
  ['native', 'Native app', 'com.example.shop:/complete'],
  ['api', 'Backend that calls the API alone', ''],
];

const createCommand = ({ name, kind, address }) =>
  `npm run otl -- --endpoint ${location.origin} application create --name ${quoted(name)} --kind ${kind}` +
  (address ? ` --address ${quoted(address)}` : '');
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

function snippet(text, label) {
  const pre = make('pre.snippet', { tabIndex: 0, role: 'region', 'aria-label': label }, text);
  return make(
    'div.paste',
    button('Copy', (event) => void copy(text, event.currentTarget)),
    pre,
  );
}

/** Lists the features that are off in the new application, each with the command line option that turns it on. */
function showLeftOff(applicationId, leftOff) {
  if (leftOff.length === 0) return make('p', 'It has everything that the demo has.');
  const lines = leftOff.map(({ effect, options }) => make('li', `${effect}: `, make('code', options)));
  return make(
    'div',
    make('p.soft', ...withCode(`Each of these is an option of \`otl application update ${applicationId}\`:`)),
    make('ul.plain-list', ...lines),
  );
}

const part = (heading, ...content) => make('section.card.part', make('h2', heading), ...content);

function showCreated(asked, { application, client_id, client_secret, lines, left_off }) {
  const facts = [
    ['issuer', environment.issuer],
    ['app_id', application.app_id],
    ['client_id', client_id],
    ...(client_secret ? [['CLIENT_SECRET', client_secret]] : []),
    ...(application.redirect_uris.length > 0 ? [['redirect_uris', application.redirect_uris.join(' ')]] : []),
  ];
  const copies = client_secret ? [copyButton('button', client_secret, 'Copy the secret')] : [];
  return [
    part(
      `${application.name} is made`,
      createFactList(facts),
      make(
        'p.actions',
        ...copies,
        make('a.button', { href: toConsoleUrl(application.app_id) }, 'Change its settings'),
      ),
    ),
    part('Five lines that log a person in', snippet(lines, 'Code')),
    part('What is off', showLeftOff(application.app_id, left_off)),
    part('The same by the command line', snippet(createCommand(asked), 'Command line')),
  ];
}

export function showOwn() {
  const view = byId('view-own');
  if (view.childElementCount > 0) return;
  const name = make('input', { required: true, maxLength: 128, autocomplete: 'off', value: 'Shop' });
  const kind = make('select', ...KINDS.map(([value, text]) => make('option', { value }, text)));
  const address = make('input', { required: true, autocomplete: 'off', spellcheck: false });
  const addressField = createField('Address', address);
  const told = make('p.told.bad', { role: 'alert' });
  const result = make('div.tokens', { role: 'status' });
  kind.onchange = () => {
    address.value = KINDS.find(([value]) => value === kind.value)[2];
    addressField.hidden = address.value === '';
    address.required = address.value !== '';
  };
  kind.onchange();
  const submit = make('button.button.main', 'Make it');
  const create = () =>
    runDisabled(submit, async () => {
      const asked = { name: name.value, kind: kind.value, address: address.value.trim() };
      told.textContent = '';
      try {
        const made = await ask('own-application', { method: 'POST', body: asked });
        result.replaceChildren(...showCreated(asked, made));
      } catch (error) {
        result.replaceChildren();
        told.textContent = error.message;
      }
    });
  const fields = [createField('Name', name), createField('Kind', kind), addressField];
  view.append(
    make(
      'div.column',
      make(
        'div',
        make('h1', 'Make it yours'),
        make(
          'p.soft',
          'An application of your own in this server, with its client and all that it needs to log new people in. ',
          make('a', { href: toConsoleUrl(environment.app_id) }, 'The operator console'),
          ' changes the settings of the demo application.',
        ),
      ),
      createForm('form.card.part.own', create, ...fields, make('p.actions', submit), told),
      result,
    ),
  );
}
