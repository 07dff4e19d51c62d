import type { JWTPayload } from 'jose';
import { toDurationText } from '../../operator/words/durations.ts';

// Describes the value of each claim that functions/oauth/CLAIMS.md lists, in one sentence, for the playground.

type Sentence = (value: unknown, claims: JWTPayload) => string;

const METHODS: Readonly<Record<string, string>> = {
  eml: 'a link by email',
  eotp: 'a passcode by email',
  sms: 'a passcode by text message',
  otp: 'a passcode that the backend delivered itself',
  social: 'an account at another provider',
  webauthn: 'a passkey',
  moved: 'a session of the system that they were imported from',
  mfa: 'two factor types',
};

const toList = (value: unknown): readonly unknown[] => [value].flat();
const joinValues = (value: unknown): string => toList(value).join(', ');

const formatTime = (value: unknown): string =>
  new Date(Number(value) * 1000).toISOString().slice(0, 19).replace('T', ' ');

function describeAudience(value: unknown, { iss, client_id: clientId }: JWTPayload): string {
  if (clientId === undefined) return 'The client that the ID token is for. Another client must refuse it.';
  return toList(value).includes(iss)
    ? 'Who may accept the token: without a resource it is the issuer, the same for every API.'
    : 'Who may accept the token: only the API of this resource.';
}

function describeRoles(value: unknown): string {
  return toList(value).length === 0
    ? 'The user has no role in the application.'
    : 'Roles of the user in the application. Its settings define what they permit.';
}

const SENTENCES: Readonly<Record<string, Sentence>> = {
  iss: () => 'Who issued the token: this service. The address leads to its metadata and keys.',
  sub: (value, { client_id: id }) =>
    value === id ? 'The client itself: no user is logged in.' : 'The user. This ID never changes.',
  aud: describeAudience,
  iat: (value) => `Issued at ${formatTime(value)} UTC.`,
  exp: (value, { iat = 0 }) =>
    `Valid until ${formatTime(value)} UTC: ${toDurationText(Number(value) - iat)} after it was issued.`,
  jti: () => 'The ID of this one token.',
  scope: (value) => `What the token may be used for: ${joinValues(value) || 'nothing that needs a scope'}.`,
  client_id: () => 'The client that requested the token.',
  app_id: () => 'The application that the user logged in to.',
  tid: () => 'The tenant. Check it: all tenants of an environment share one issuer.',
  sid: () => 'The session of the login. When it ends, its refresh tokens become invalid.',
  fid: () => 'A hash that names the family of refresh tokens that this one belongs to.',
  auth_time: (value) => `When the user proved who they are: ${formatTime(value)} UTC.`,
  amr: (value) =>
    `How they proved it: ${toList(value)
      .map((each) => METHODS[String(each)] ?? each)
      .join(', ')}.`,
  acr: () => 'Two factors of different types were used.',
  roles: describeRoles,
  permissions: (value) => `What the roles permit: ${joinValues(value) || 'nothing'}.`,
  org_id: () => 'The organization that the user logged in to.',
  org_roles: () => 'Roles of the user in this organization.',
  cnf: () => 'The key that the token is bound to: it needs a DPoP proof of that key (RFC 9449).',
  userinfo_claims: () => 'Claims that UserInfo returns for this token in addition to those of its scope.',
  nonce: () => 'The value of the login request. It must be the one that the browser started with.',
  new_user: (value) =>
    value ? 'The user was created by this login.' : 'The user existed before this login.',
  email: () => 'The email address of the user.',
  email_verified: (value) =>
    value ? 'The user has proved that they receive mail there.' : 'The address has not been verified.',
  phone_number: () => 'The phone number of the user.',
  phone_number_verified: (value) =>
    value ? 'The user has proved that the number is theirs.' : 'The number has not been verified.',
  groups: (value) =>
    toList(value).length === 0 ? 'The user is in no group.' : 'Groups that the user is in.',
  approval_data: () => 'What the user approved with this login.',
  test: () => 'A test user. An API for real users must refuse the token.',
  updated_at: (value) => `The record of the user was last changed at ${formatTime(value)} UTC.`,
};

/** Describes the value of a claim in one sentence. Returns undefined for undocumented claims, such as the user's names. */
export function describeClaim(name: string, claims: JWTPayload): string | undefined {
  return SENTENCES[name]?.(claims[name], claims);
}
