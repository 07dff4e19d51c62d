import * as v from 'valibot';
import { CLIENT_ID_MAX, SESSION_ID_MAX } from '../domain/basis/limits.ts';
import { describe, described, sample } from './fields/described.ts';
import { languageChoice } from './fields/language-choice.ts';
import {
  ClaimsRequest,
  ClientAttributes,
  echoedState,
  organization,
  resource,
  text,
  uiLocales,
} from './fields/login.ts';
import { maxCharacters } from './fields/max-characters.ts';
import * as words from './fields/words.ts';

/** Maximum length of an ID token in characters. An ID token can be part of a URL, and CloudFront rejects longer URLs. */
const ID_TOKEN_MAX = 8192;

const sessionId = described(
  v.pipe(v.string(), v.minLength(1), maxCharacters(SESSION_ID_MAX)),
  describe('ID of an active session of the application.', 'mB8rQ2xTzK5wYc0VnJ6hLd'),
);

export const AuthenticateSessionBody = described(
  v.object({
    session_id: sessionId,
    resource,
    claims: v.optional(ClaimsRequest),
    org_id: organization,
    client_attributes: v.optional(ClientAttributes),
  }),
  sample('session_id', 'resource'),
);

export const LogoutSessionBody = v.object({ session_id: sessionId });

const SessionRecord = v.object({
  session_id: described(v.string(), describe('ID of the session.', 'mB8rQ2xTzK5wYc0VnJ6hLd')),
  start_time: described(
    v.pipe(v.string(), v.isoTimestamp()),
    describe('Time at which the session began (RFC 3339, UTC).', '2026-01-31T09:30:00.000Z'),
  ),
  expiration_time: described(
    v.pipe(v.string(), v.isoTimestamp()),
    describe('Time at which the session ends if it is not used (RFC 3339, UTC).', '2026-02-14T09:30:00.000Z'),
  ),
  device_bound: v.optional(
    described(
      v.boolean(),
      describe(
        'True if the session works only on the device whose browser has registered a key for it.',
        true,
      ),
    ),
  ),
});
export type SessionRecord = v.InferOutput<typeof SessionRecord>;
export const SessionListResponse = v.array(SessionRecord);

const credential = v.object({
  type: described(v.string(), describe('Type of the credential.', 'cookie')),
  name: described(v.string(), describe('Name of the bound cookie.', '__Host-bound-mB8rQ2xTzK5wYc0V')),
  attributes: described(v.string(), describe('Attributes of the cookie.', 'Path=/; Secure; SameSite=Lax')),
});
const scope = v.object({
  include_site: described(v.boolean(), describe('False: the session belongs to this host only.', false)),
});

/** Rules by which a browser keeps a device-bound session ("JSON session instructions" in the W3C draft). */
export const DeviceSessionInstructions = v.object({
  session_identifier: described(v.string(), describe('ID of the bound session.', 'mB8rQ2xTzK5w.k3Jx')),
  refresh_url: described(v.string(), describe('Path that renews the cookie.', '/oidc/session/binding')),
  scope: described(scope, describe('Requests that wait for a renewal of the bound cookie.')),
  credentials: described(v.array(credential), describe('Cookies that the browser renews.')),
  allowed_refresh_initiators: described(
    v.array(v.string()),
    describe('Hosts whose links may cause a renewal.', ['*']),
  ),
});
export type DeviceSessionInstructions = v.InferOutput<typeof DeviceSessionInstructions>;

/** Response to a logout (SPEC C "Logout"). */
export const LogoutResponse = v.object({
  sessions_count: described(
    v.pipe(v.number(), v.integer()),
    describe('Number of sessions that ended: 1, or 0 if it had ended before.', 1),
  ),
});

const hint = v.pipe(v.string(), maxCharacters(ID_TOKEN_MAX));

/** Parameters of a logout (OpenID Connect RP-Initiated Logout 1.0 §2). */
const logoutFields = {
  id_token_hint: described(
    v.optional(hint),
    describe(
      "ID token of the login. If it belongs to the browser's login, the page does not ask. It may have expired.",
      'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiI4SnowbTJLNCJ9.c2lnbmF0dXJl',
    ),
  ),
  client_id: described(
    v.optional(v.pipe(v.string(), v.minLength(1), maxCharacters(CLIENT_ID_MAX))),
    describe('Client ID. Required for `post_logout_redirect_uri` without a hint.', 'h3VqLw0sT9yKf2NxGd7RmA'),
  ),
  post_logout_redirect_uri: described(
    v.optional(text),
    describe(
      'URI that the browser is sent to afterwards: one that the application has registered.',
      'https://app.example.com/bye',
    ),
  ),
  state: echoedState,
  logout_hint: described(v.optional(text), describe('Accepted and ignored.', 'ann@example.com')),
  ui_locales: uiLocales,
};

/** Query parameters of a logout request. `logout_request` refers to a logout request that an application has sent by POST. */
export const LogoutQuery = v.object({
  ...logoutFields,
  logout_request: described(
    v.optional(v.pipe(v.string(), maxCharacters(64))),
    describe('ID of a request that came by POST. Set by the service.', 'Rt5Zq0XbK8nWv2YcJ4mLhG'),
  ),
  language: languageChoice,
});

/**
 * Form of a logout. With `csrf`, the user has confirmed the logout on a hosted page. Without it, an application requests the
 * logout.
 */
export const LogoutForm = described(
  v.object({ ...logoutFields, csrf: described(v.optional(text), words.csrf) }),
  sample('id_token_hint', 'post_logout_redirect_uri', 'state'),
);
