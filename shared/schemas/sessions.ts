import * as v from 'valibot';
import { ClaimsRequest, ClientAttributes, identifier, uri } from './login-fields.ts';
import { maxCharacters } from './max-characters.ts';

/** IDs of ours have 51 characters; what is longer must not become the key of an item. */
const SESSION_ID_MAX = 128;

const sessionId = v.pipe(v.string(), v.minLength(1), maxCharacters(SESSION_ID_MAX));

export const AuthenticateSessionBody = v.object({
  session_id: sessionId,
  resource: v.optional(uri),
  claims: v.optional(ClaimsRequest),
  org_id: v.optional(identifier),
  client_attributes: v.optional(ClientAttributes),
});

export const LogoutSessionBody = v.object({ session_id: sessionId });

export const SessionListResponse = v.array(
  v.object({
    session_id: v.string(),
    start_time: v.pipe(v.string(), v.isoTimestamp()),
    expiration_time: v.pipe(v.string(), v.isoTimestamp()),
  }),
);

/** SPEC C "Logout". */
export const LogoutResponse = v.object({ sessions_count: v.pipe(v.number(), v.integer()) });
