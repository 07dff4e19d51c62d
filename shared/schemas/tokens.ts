import * as v from 'valibot';
import { CLIENT_ID_MAX, PROOF_MAX } from '../domain/limits.ts';
import { maxCharacters } from './max-characters.ts';

const clientId = v.pipe(v.string(), v.minLength(1), maxCharacters(CLIENT_ID_MAX));

/** How a client authenticates in a form: by secret (RFC 6749 §2.3.1) or by assertion (RFC 7521 §4.2). */
export const clientFormFields = {
  client_id: v.optional(clientId),
  client_secret: v.optional(v.pipe(v.string(), maxCharacters(512))),
  client_assertion_type: v.optional(v.pipe(v.string(), maxCharacters(256))),
  client_assertion: v.optional(v.pipe(v.string(), maxCharacters(PROOF_MAX))),
};

/**
 * SPEC D. Client ID and secret may come by HTTP Basic instead, and `grant_type` decides what else is needed; so every
 * field is optional here and the operation says what is missing.
 */
export const TokenRequestForm = v.object({
  grant_type: v.optional(v.string()),
  ...clientFormFields,
  resource: v.optional(v.pipe(v.string(), maxCharacters(2048))),
  scope: v.optional(v.pipe(v.string(), maxCharacters(2048))),
});

export const ClientTokenResponse = v.object({
  access_token: v.string(),
  token_type: v.literal('Bearer'),
  expires_in: v.pipe(v.number(), v.integer()),
  scope: v.string(),
});

/** SPEC "Token response (authenticate operations)". */
export const TokenResponse = v.object({
  access_token: v.string(),
  token_type: v.literal('Bearer'),
  expires_in: v.pipe(v.number(), v.integer()),
  session_id: v.string(),
  id_token: v.optional(v.string()),
  refresh_token: v.optional(v.string()),
});
