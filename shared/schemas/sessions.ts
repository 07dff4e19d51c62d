import * as v from 'valibot';
import { CLIENT_ID_MAX } from '../domain/basis/limits.ts';
import { ClaimsRequest, ClientAttributes, identifier, text, uri } from './login-fields.ts';
import { maxCharacters } from './max-characters.ts';

/** IDs of ours have 51 characters; what is longer must not become the key of an item. */
const SESSION_ID_MAX = 128;
/** It comes in an address as well, and those are no longer than this. */
const ID_TOKEN_MAX = 8192;

const sessionId = v.pipe(v.string(), v.minLength(1), maxCharacters(SESSION_ID_MAX));

export const AuthenticateSessionBody = v.object({
  session_id: sessionId,
  resource: v.optional(uri),
  claims: v.optional(ClaimsRequest),
  org_id: v.optional(identifier),
  client_attributes: v.optional(ClientAttributes),
});

export const LogoutSessionBody = v.object({ session_id: sessionId });

const SessionRecord = v.object({
  session_id: v.string(),
  start_time: v.pipe(v.string(), v.isoTimestamp()),
  expiration_time: v.pipe(v.string(), v.isoTimestamp()),
});
export type SessionRecord = v.InferOutput<typeof SessionRecord>;
export const SessionListResponse = v.array(SessionRecord);

/** SPEC C "Logout". */
export const LogoutResponse = v.object({ sessions_count: v.pipe(v.number(), v.integer()) });

const hint = v.pipe(v.string(), maxCharacters(ID_TOKEN_MAX));

/** OpenID Connect RP-Initiated Logout 1.0 §2. */
const logoutFields = {
  id_token_hint: v.optional(hint),
  client_id: v.optional(v.pipe(v.string(), v.minLength(1), maxCharacters(CLIENT_ID_MAX))),
  post_logout_redirect_uri: v.optional(text),
  state: v.optional(text),
  logout_hint: v.optional(text),
  ui_locales: v.optional(text),
};

/** `logout_request` refers to a request that an application has sent by POST. */
export const LogoutQuery = v.object({
  ...logoutFields,
  logout_request: v.optional(v.pipe(v.string(), maxCharacters(64))),
});

/** With `csrf` it is the person's word on a page of ours, without it an application's request. */
export const LogoutForm = v.object({ ...logoutFields, csrf: v.optional(text) });
