import type { JWTPayload } from 'jose';
import { durationOf } from '../../operator/words/durations.ts';

/** What each claim of functions/oauth/CLAIMS.md says, in one plain sentence about its value. */

type Sentence = (value: unknown, claims: JWTPayload) => string;

const METHODS: Readonly<Record<string, string>> = {
  eml: 'a link by email',
  eotp: 'a passcode by email',
  sms: 'a passcode by text message',
  otp: 'a passcode that the backend delivered itself',
  social: 'an account at another provider',
  webauthn: 'a passkey',
  moved: 'a session of the system that they were imported from',
  mfa: 'two kinds of factors',
};

const listOf = (value: unknown): readonly unknown[] => [value].flat();
const named = (value: unknown): string => listOf(value).join(', ');

const timeOf = (value: unknown): string =>
  new Date(Number(value) * 1000).toISOString().slice(0, 19).replace('T', ' ');

function audienceOf(value: unknown, { iss, client_id: clientId }: JWTPayload): string {
  if (clientId === undefined) return 'The client that the ID token is for. Another client must refuse it.';
  return listOf(value).includes(iss)
    ? 'Who may take the token: without a resource it is the issuer, the same for every API.'
    : 'Who may take the token: the API of this resource, and no other.';
}

function rolesOf(value: unknown): string {
  return listOf(value).length === 0
    ? 'The user has no role in the application.'
    : 'Roles of the user in the application: what they permit stands in its settings.';
}

const SENTENCES: Readonly<Record<string, Sentence>> = {
  iss: () => 'Who issued the token: this service. The address leads to its metadata and keys.',
  sub: (value, { client_id: id }) =>
    value === id ? 'The client itself: no user is logged in.' : 'The user. This ID never changes.',
  aud: audienceOf,
  iat: (value) => `Issued at ${timeOf(value)} UTC.`,
  exp: (value, { iat = 0 }) =>
    `Good until ${timeOf(value)} UTC: ${durationOf(Number(value) - iat)} after it was issued.`,
  jti: () => 'The ID of this one token.',
  scope: (value) => `What the token may be used for: ${named(value) || 'nothing that needs a scope'}.`,
  client_id: () => 'The client that asked for the token.',
  app_id: () => 'The application that the user logged in to.',
  tid: () => 'The tenant. Check it: all tenants of an environment share one issuer.',
  sid: () => 'The session of the login. To end it makes refresh tokens useless.',
  fid: () => 'A hash that names the family of refresh tokens that this one belongs to.',
  auth_time: (value) => `When the user proved who they are: ${timeOf(value)} UTC.`,
  amr: (value) =>
    `How they proved it: ${listOf(value)
      .map((each) => METHODS[String(each)] ?? each)
      .join(', ')}.`,
  acr: () => 'Two factors of different kinds were used.',
  roles: rolesOf,
  permissions: (value) => `What the roles permit: ${named(value) || 'nothing'}.`,
  org_id: () => 'The organization that the user logged in to.',
  org_roles: () => 'Roles of the user in this organization.',
  cnf: () => 'The key that the token is bound to: it needs a DPoP proof of that key (RFC 9449).',
  userinfo_claims: () => 'What UserInfo shows to this token beside the claims of its scope.',
  nonce: () => 'Came from the login request. It must be what the browser began with.',
  new_user: (value) => (value ? 'This login made the user.' : 'The user was known before this login.'),
  email: () => 'The email address of the user.',
  email_verified: (value) =>
    value ? 'The user has proved to read mail there.' : 'Nothing has proved that the address is theirs.',
  phone_number: () => 'The phone number of the user.',
  phone_number_verified: (value) =>
    value ? 'The user has proved to have this number.' : 'Nothing has proved that the number is theirs.',
  groups: (value) =>
    listOf(value).length === 0 ? 'The user is in no group.' : 'Groups that the user is in.',
  approval_data: () => 'What the user approved with this login.',
  test: () => 'A test user: an API for real people refuses the token.',
  updated_at: (value) => `The record of the user changed last at ${timeOf(value)} UTC.`,
};

/** Undefined for a claim that no page describes, such as a field of the user’s name. */
export function sentenceOf(name: string, claims: JWTPayload): string | undefined {
  return SENTENCES[name]?.(claims[name], claims);
}
