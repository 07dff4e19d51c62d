import { button, createField, createForm, make, openLink, runDisabled } from './elements.mjs';
import { createQuickActions, messagesTo, newMessages } from './inbox.mjs';
import { passkey } from './passkey.mjs';
import { backend, callback, environment, journeys } from './service.mjs';

// Login methods of the playground, each with the steps of the backend, the user and the browser.

const random = () =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32)))).replace(/[+/=]/g, 'x');

async function codeChallenge(verifier) {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return btoa(String.fromCharCode(...new Uint8Array(hash)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** Shows the request that the backend will send, with the current values of the input fields. */
function showCall(call, createBody, ...inputs) {
  const shown = make('pre.call', { tabIndex: 0 });
  const show = () => {
    shown.textContent = `${call}\n${JSON.stringify(createBody(), null, 2)}`;
  };
  for (const input of inputs) input.addEventListener('input', show);
  show();
  return shown;
}

/** Creates a form with one field and one button, which calls `work` with the value of the field. */
function fieldForm(label, input, action, work) {
  const submit = make('button.button.main', { type: 'submit' }, action);
  const send = () => runDisabled(submit, () => work(input.value.trim()));
  return createForm('form.ask', send, createField(label, input), submit);
}

const createInput = (properties) =>
  make('input', { autocomplete: 'off', required: true, spellcheck: false, ...properties });

/** Creates a box with the latest message to the user, and buttons for its code and link. */
function createMailbox(journey, find, use) {
  const box = make('div.arrived', { 'aria-live': 'polite' });
  const waiting = make('p.soft', 'Nothing yet.');
  box.append(waiting);
  let shown;
  journey.onMessages = () => {
    const [message] = journey.since === '' ? [] : find();
    if (!message || message.id === shown) return;
    shown = message.id;
    const about = message.subject ?? message.text;
    box.replaceChildren(
      make('p', make('b', message.to), ` · ${about}`),
      make(
        'div.actions',
        createQuickActions(message),
        ...(use ? [button('Use the code', () => use(message.codes[0]))] : []),
      ),
    );
  };
  return box;
}

const makesUser = 'The user must exist, so the backend makes one first: 409 says that there is one.';

/** Creates the user if the user does not exist, then sends the message. Returns undefined if either request fails. */
async function sendTo(journey, step, user, send) {
  await journey.begin();
  const made = await backend('POST', '/v1/users', user);
  // 409 means that the user already exists.
  if (made.status !== 409 && !(await journey.expect(step, made))) return undefined;
  return journey.expect(step, send());
}

const inputTypes = { email: 'email', phone_number: 'tel' };

function codeMethod({ channel, type, field, label, value, reads }) {
  return (journey) => {
    const who = createInput({ value, type: inputTypes[type] });
    const code = createInput({ inputMode: 'numeric', autocomplete: 'one-time-code', className: 'code' });
    const sent = () => ({ channel, identifier_type: type, identifier: who.value.trim() });
    const returned = () => {
      const { channel: _, ...identity } = sent();
      return { passcode: code.value.trim(), ...identity };
    };
    const fill = (passcode) => {
      code.value = passcode;
      code.dispatchEvent(new Event('input'));
      code.focus();
    };
    const sending = journey.step(
      'Your backend sends a passcode',
      makesUser,
      showCall('POST /v1/auth/otp/send', sent, who),
      fieldForm(label, who, 'Send', async () => {
        const answer = await sendTo(journey, sending, { [field]: sent().identifier }, () =>
          backend('POST', '/v1/auth/otp/send', sent()),
        );
        if (!answer?.code) return;
        fill(answer.code);
      }),
    );
    if (reads)
      journey.step(
        'The user reads it',
        reads,
        createMailbox(journey, () => messagesTo(sent().identifier, journey.since), fill),
      );
    const exchanging = journey.step(
      'Your backend exchanges it for tokens',
      'Three wrong ones lock the user out for a while. Try it, and move the clock.',
      showCall('POST /v1/auth/otp/authenticate', returned, who, code),
      fieldForm('Passcode', code, 'Log in', async () => {
        const answer = await journey.expect(
          exchanging,
          backend('POST', '/v1/auth/otp/authenticate', returned()),
        );
        if (answer) await journey.done(answer);
      }),
    );
  };
}

function linkMethod(journey) {
  const who = createInput({ value: 'ada@example.com', type: 'email' });
  const sent = () => ({ identifier_type: 'email', identifier: who.value.trim(), redirect_uri: callback });
  const sending = journey.step(
    'Your backend sends a link',
    `${makesUser} \`redirect_uri\` is where the link leads in the end.`,
    showCall('POST /v1/auth/link/email/send', sent, who),
    fieldForm('Email address', who, 'Send', async () => {
      const state = random();
      journey.state = state;
      journeys.begin({ state, isLink: true });
      await sendTo(journey, sending, { email: sent().identifier }, () =>
        backend('POST', '/v1/auth/link/email/send', { ...sent(), state }),
      );
    }),
  );
  journey.step(
    'The user opens it',
    'In any browser. The link brings a code to the redirect URI, which here is the callback page.',
    createMailbox(journey, () => messagesTo(sent().identifier, journey.since)),
  );
  journey.step(
    'Your backend exchanges the code',
    'With `POST /v1/auth/link/email/authenticate`: press the button on the callback page, and the tokens come here too.',
  );
}

const MEANINGS = {
  client_id: 'Which client asks.',
  response_type: 'A code comes back, no token.',
  scope: 'What the tokens are for: `openid` makes an ID token.',
  redirect_uri: 'Where the browser comes back. The application must allow it.',
  state: 'Comes back unchanged: a page that began no login must not end one.',
  nonce: 'Comes back in the ID token, for the same reason.',
  code_challenge: 'PKCE: a hash of a secret that never leaves this page. The code is worthless without it.',
  code_challenge_method: 'How the hash was made.',
};

/** Shows the steps of a login that continues in another tab and returns to the callback page. */
async function leave(journey, { path, about, extra, sends = false }) {
  const [state, nonce, verifier] = [random(), random(), random()];
  const parameters = new URLSearchParams({
    ...extra,
    redirect_uri: callback,
    state,
    nonce,
    code_challenge: await codeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  journey.state = state;
  const link = openLink('button main', `/cis${path}?${parameters}`);
  link.textContent = 'Open the page ↗';
  const go = () => {
    journeys.begin({ state, nonce, verifier });
    void journey.begin();
  };
  link.addEventListener('click', go);
  link.addEventListener('auxclick', go);
  const list = make('dl.claims.parameters');
  for (const [name, value] of parameters)
    list.append(
      make(
        'div',
        make('dt', make('code', name)),
        make('dd', make('span.value.mono', value), make('p', (MEANINGS[name] ?? '').replaceAll('`', ''))),
      ),
    );
  journey.step(
    'Your application sends the browser away',
    `To \`GET ${path}\`, with these parameters.`,
    make('details', make('summary', 'Parameters'), list),
    link,
  );
  journey.step(
    'The user logs in there',
    about,
    ...(sends ? [createMailbox(journey, () => newMessages(journey.since))] : []),
  );
  journey.step(
    'Your backend exchanges the code',
    'With `POST /oidc/token` and the secret behind the challenge: press the button on the callback page, and the tokens come here too.',
  );
}

const hosted = (journey, { client_id }) =>
  leave(journey, {
    path: '/oidc/auth',
    about:
      'On pages of this service, in a tab of its own. Any address will do: what is sent to it appears here.',
    extra: { client_id, response_type: 'code', scope: 'openid email' },
    sends: true,
  });

const social = Object.entries(environment.providers).map(([id, title]) => ({
  id,
  title,
  about: `The user has an account at ${title}, and your application learns who it is from this service.`,
  note: `Start the server with \`SOCIAL_${id.toUpperCase()}_CLIENT_ID\`, and \`SOCIAL_${id.toUpperCase()}_ISSUER\` for a provider of your own, to try this.`,
  render: (journey, { client_id }) =>
    leave(journey, {
      path: `/v1/auth/${id}`,
      about: `At ${title}, or at the provider that takes its place here.`,
      extra: { client_id },
    }),
}));

export const methods = [
  {
    id: 'hosted',
    title: 'Hosted pages',
    about: 'Your application has no login page: it sends the browser here, as to any OpenID provider.',
    render: hosted,
  },
  {
    id: 'email',
    title: 'Passcode by email',
    about: 'Your application has its own page, and its backend talks to this service.',
    render: codeMethod({
      channel: 'email',
      type: 'email',
      field: 'email',
      label: 'Email address',
      value: 'ada@example.com',
      reads: 'In their mail. Here every message lands in the inbox.',
    }),
  },
  {
    id: 'link',
    title: 'Link by email',
    about: 'The user opens a link and is logged in, with nothing to type.',
    render: linkMethod,
  },
  {
    id: 'sms',
    title: 'Passcode by SMS',
    about: 'As by email, to a phone number. Numbers can be taken over: offer it beside better methods.',
    render: codeMethod({
      channel: 'sms',
      type: 'phone_number',
      field: 'phone_number',
      label: 'Phone number',
      value: '+12015550123',
      reads: 'On their phone. Here every message lands in the inbox.',
    }),
  },
  {
    id: 'direct',
    title: 'Passcode by your backend',
    about: 'The answer brings the passcode, and your backend delivers it in its own way.',
    render: codeMethod({
      channel: 'direct',
      type: 'email',
      field: 'email',
      label: 'Email address',
      value: 'ada@example.com',
    }),
  },
  passkey,
  ...social,
];
