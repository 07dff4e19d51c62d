import createClient from 'openapi-fetch';
import type { paths } from './schema.d.ts';

// Logs in with a passcode, with the types that openapi-typescript generates from the API document.

declare const process: { readonly argv: readonly string[] };
const [, , baseUrl = '', client_id = '', client_secret = '', email = ''] = process.argv;

const anonymous = createClient<paths>({ baseUrl });
const issued = await anonymous.POST('/oidc/token', {
  body: { grant_type: 'client_credentials', client_id, client_secret },
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});
if (!issued.data) throw new Error(issued.error.message);

const authorization = `Bearer ${issued.data.access_token}`;
const backend = createClient<paths>({ baseUrl, headers: { authorization } });
await backend.POST('/v1/users', { body: { email } });
const who = { identifier_type: 'email', identifier: email };
const sent = await backend.POST('/v1/auth/otp/send', { body: { channel: 'direct', ...who } });
if (!sent.data?.code) throw new Error(sent.error?.message ?? 'no code');
const guess = { passcode: sent.data.code, ...who };
const { data: tokens, error } = await backend.POST('/v1/auth/otp/authenticate', { body: guess });
if (!tokens) throw new Error(error.message);

const bearer = { authorization: `Bearer ${tokens.access_token}` };
const shown = await anonymous.GET('/oidc/me', { headers: bearer });
if (shown.data?.email !== email) throw new Error(`the user who logged in is ${shown.data?.email}`);
