// Logs users in with an emailed code, on its own pages.
import express from 'express';
import session from 'express-session';
import { ApiError, createClient } from 'one-time-login-client';

const { PORT = '8080', SESSION_SECRET = 'long and random, for sessions of your own' } = process.env;
const { BASE_URL: baseUrl = 'http://localhost:3000/cis' } = process.env;
const { CLIENT_ID: clientId = 'demo-client', CLIENT_SECRET: clientSecret = 'demo-client-secret' } =
  process.env;
const login = createClient({ baseUrl, clientId, clientSecret });

const escaped = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
const page = (body) => `<!doctype html><html lang="en"><title>Shop</title>${body}</html>`;
const form = (path, field, button) =>
  page(`<form method="post" action="${path}">${field} <button>${button}</button></form>`);
const emailForm = form('/login', '<label>Email <input name="email" type="email"></label>', 'Send a code');
const codeForm = form(
  '/code',
  '<label>Code <input name="code" autocomplete="one-time-code"></label>',
  'Log in',
);

const app = express();
app.use(express.urlencoded({ extended: false }));
// `lax` protects against forms of other sites (CSRF). Add `secure: true` if the application is served over HTTPS.
const cookie = { httpOnly: true, sameSite: 'lax' };
app.use(session({ secret: SESSION_SECRET, resave: false, saveUninitialized: false, cookie }));

app.get('/', ({ session: { user } }, response) => {
  if (!user) return response.send(emailForm);
  response.send(form('/logout', `Hello ${escaped(user.email)}`, 'Log out'));
});
app.post('/login', async ({ body: { email }, session }, response) => {
  // A code can be sent only to an existing user. The status 409 means that the user already exists.
  await login.createUser({ email }).catch((error) => {
    if (error.status !== 409) throw error;
  });
  const who = { identifier_type: 'email', identifier: email };
  // The request ID binds the code to this browser.
  const { request_id } = await login.sendOTP({ ...who, channel: 'email', generate_request_id: true });
  session.login = { ...who, request_id };
  response.send(codeForm);
});
app.post('/code', async (request, response) => {
  const passcode = request.body.code;
  const { id_token } = await login.authenticateOTP({ ...request.session.login, passcode });
  const { sub, email } = await login.verifyIdToken(id_token);
  // A new session ID after the login, because an attacker may know the previous ID (session fixation).
  await new Promise((resolve) => request.session.regenerate(resolve));
  request.session.user = { id: sub, email };
  response.redirect(303, '/');
});
app.post('/logout', ({ session }, response) => session.destroy(() => response.redirect(303, '/')));
app.use((error, _request, response, _next) => {
  const { status, message } =
    error instanceof ApiError ? error : { status: 500, message: 'Something went wrong' };
  if (status === 500) console.error(error);
  response.status(status).send(page(`<p>${escaped(message)}</p><a href="/">Try again</a>`));
});
const server = app.listen(Number(PORT), () => console.log(`http://localhost:${server.address().port}`));
