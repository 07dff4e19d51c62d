// Creates passkeys on its own page and logs users in with passkeys.
import express from 'express';
import { createClient } from 'one-time-login-client';

const { PORT = '8080', BASE_URL: baseUrl = 'http://localhost:3000/cis' } = process.env;
const { CLIENT_ID: clientId = 'demo-client', CLIENT_SECRET: clientSecret = 'demo-client-secret' } =
  process.env;
const login = createClient({ baseUrl, clientId, clientSecret });

const page = `<!doctype html><html lang="en"><title>Passkeys</title><link rel="icon" href="data:,">
<label>Your name <input></label> <button id="make">Make a passkey</button> <button id="use">Log in</button><p></p>
<script type="module">
const headers = { 'content-type': 'application/json' };
const post = async (address, body) => {
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
  const read = await answer.json();
  if (!answer.ok) throw new Error(read.message);
  return read;
};
// The browser may call the service directly, because the page's origin is registered for the application.
const start = (what, more) => post('${baseUrl}/v1/auth/webauthn/' + what, { client_id: '${clientId}', ...more });
// The service returns base64, but browsers expect base64url.
const url = (text) => text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const encoded = (webauthnSessionId, credential) =>
  btoa(JSON.stringify({ webauthnSessionId, publicKeyCredential: credential.toJSON(), userAgent: navigator.userAgent }));

async function make() {
  const username = document.querySelector('input').value;
  const { webauthn_session_id: id, credential_creation_options: o } = await start('register/start', { username });
  const json = { ...o, challenge: url(o.challenge), user: { ...o.user, id: url(o.user.id) } };
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json);
  return post('/make', { username, result: encoded(id, await navigator.credentials.create({ publicKey })) });
}
async function use() {
  const { webauthn_session_id: id, credential_request_options: o } = await start('authenticate/start');
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({ ...o, challenge: url(o.challenge) });
  return post('/use', { result: encoded(id, await navigator.credentials.get({ publicKey })) });
}
const say = ({ message }) => { document.querySelector('p').textContent = message; };
for (const [id, act] of Object.entries({ make, use })) document.getElementById(id).onclick = () => act().then(say, say);
</script></html>`;

const app = express();
app.use(express.json());
app.get('/', (_request, response) => response.send(page));
app.post('/make', async ({ body: { username, result } }, response) => {
  // Call this only for a user whom you have authenticated. The external ID is the user's ID in your own system.
  await login.registerExternalPasskey({ external_user_id: username, webauthn_encoded_result: result });
  response.json({ message: `The passkey of ${username} is made` });
});
app.post('/use', async ({ body: { result } }, response) => {
  const { id_token } = await login.authenticatePasskey({ webauthn_encoded_result: result });
  const { sub } = await login.verifyIdToken(id_token);
  response.json({ message: `Hello user ${sub}` });
});
app.use(({ message }, _request, response, _next) => response.status(400).json({ message }));
const server = app.listen(Number(PORT), () => console.log(`http://localhost:${server.address().port}`));
