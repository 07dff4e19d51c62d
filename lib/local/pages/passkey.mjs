import { button, make, runDisabled } from './elements.mjs';
import { backend, lastLogin } from './service.mjs';

// Passkey login of the playground. The page itself is the application that registers and uses passkeys.

const base64Url = (text) => text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
const withUrlId = (named) => ({ ...named, id: base64Url(named.id) });

/** Converts binary fields of WebAuthn options from standard Base64, as the service sends them, to base64url for the browser. */
const forBrowser = ({ challenge, user, excludeCredentials = [], allowCredentials = [], ...rest }) => ({
  ...rest,
  challenge: base64Url(challenge),
  ...(user && { user: withUrlId(user) }),
  excludeCredentials: excludeCredentials.map(withUrlId),
  allowCredentials: allowCredentials.map(withUrlId),
});

async function service(path, body, token) {
  const response = await fetch(`/cis${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

const encoded = (webauthnSessionId, credential) =>
  btoa(
    JSON.stringify({
      webauthnSessionId,
      publicKeyCredential: credential.toJSON(),
      userAgent: navigator.userAgent,
    }),
  );

/** Runs a WebAuthn ceremony. Shows the error in the step if the browser or the user cancels it. */
async function ceremony(step, ask) {
  try {
    return await ask();
  } catch (error) {
    step.append(make('p.refusal', { role: 'alert' }, error.message));
    return undefined;
  }
}

async function register(journey, step) {
  await journey.begin();
  const token = lastLogin.tokens.access_token;
  const started = await journey.expect(
    step,
    service('/v1/auth/webauthn/register/start', { username: 'playground' }, token),
  );
  if (!started) return;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    forBrowser(started.credential_creation_options),
  );
  const made = await ceremony(step, () => navigator.credentials.create({ publicKey }));
  if (!made) return;
  const webauthn_encoded_result = encoded(started.webauthn_session_id, made);
  const stored = await journey.expect(
    step,
    service('/v1/auth/webauthn/register', { webauthn_encoded_result }, token),
  );
  if (stored)
    step.append(
      make('p.notice.good', { role: 'status' }, `The passkey ${stored.credential_id} is registered.`),
    );
}

async function login(journey, step, { client_id }) {
  await journey.begin();
  const started = await journey.expect(step, service('/v1/auth/webauthn/authenticate/start', { client_id }));
  if (!started) return;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    forBrowser(started.credential_request_options),
  );
  const used = await ceremony(step, () => navigator.credentials.get({ publicKey }));
  if (!used) return;
  const webauthn_encoded_result = encoded(started.webauthn_session_id, used);
  const answer = await journey.expect(
    step,
    backend('POST', '/v1/auth/webauthn/authenticate', { webauthn_encoded_result }),
  );
  if (answer) await journey.done(answer);
}

const pressed = (label, work, className) =>
  button(label, (event) => void runDisabled(event.currentTarget, work), className);

function render(journey, environment) {
  const making = journey.step(
    'The user makes a passkey',
    'A user who is logged in adds it. The page talks to the service with their access token.',
    lastLogin.tokens
      ? pressed('Make a passkey', () => register(journey, making), 'button')
      : make(
          'p.notice',
          'No user is logged in on this page yet: ',
          make('a', { href: '#login/email' }, 'log in by another method'),
          ' first.',
        ),
  );
  const using = journey.step(
    'The user logs in with it',
    'The page asks for a challenge, the device signs it, and the backend exchanges the signature for tokens.',
    pressed('Log in with a passkey', () => login(journey, using, environment), 'button main'),
  );
}

export const passkey = {
  id: 'passkey',
  title: 'Passkey',
  about: 'The device proves who the user is. It cannot be phished, and nothing is typed.',
  render,
};
