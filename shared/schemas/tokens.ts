import * as v from 'valibot';
import { CLIENT_ID_MAX, PROOF_MAX } from '../domain/basis/limits.ts';
import { maxCharacters } from './max-characters.ts';
import { CryptoKeyArtifacts, PasskeyArtifacts } from './signing.ts';

/** A token with claims of 4 KB and their base64. */
const TOKEN_MAX = 16_384;

const text = v.pipe(v.string(), maxCharacters(2048));
const secret = v.pipe(v.string(), maxCharacters(512));
const clientId = v.pipe(v.string(), v.minLength(1), maxCharacters(CLIENT_ID_MAX));

/** How a client authenticates in a form: by secret (RFC 6749 §2.3.1) or by assertion (RFC 7521 §4.2). */
const clientFormFields = {
  client_id: v.optional(clientId),
  client_secret: v.optional(secret),
  client_assertion_type: v.optional(v.pipe(v.string(), maxCharacters(256))),
  client_assertion: v.optional(v.pipe(v.string(), maxCharacters(PROOF_MAX))),
};

/**
 * SPEC D, and the grants for users. Client ID and secret may come by HTTP Basic instead, and `grant_type` decides what else
 * is needed; so every other field is optional here and the operation says what is missing.
 */
export const TokenRequestForm = v.object({
  grant_type: v.string(),
  ...clientFormFields,
  resource: v.optional(text),
  scope: v.optional(text),
  code: v.optional(secret),
  redirect_uri: v.optional(text),
  code_verifier: v.optional(secret),
  refresh_token: v.optional(secret),
});

const seconds = v.pipe(v.number(), v.integer());
const tokenType = v.picklist(['Bearer', 'DPoP']);

/** RFC 6749 §5.1, OIDC Core §3.1.3.3. A client token comes alone; only tokens of users have the further members. */
export const TokenEndpointResponse = v.object({
  access_token: v.string(),
  token_type: tokenType,
  expires_in: seconds,
  scope: v.string(),
  id_token: v.optional(v.string()),
  refresh_token: v.optional(v.string()),
  session_id: v.optional(v.string()),
  signing_artifacts: v.optional(PasskeyArtifacts),
});

/** SPEC "Token response (authenticate operations)". */
export const TokenResponse = v.object({
  access_token: v.string(),
  token_type: v.literal('Bearer'),
  expires_in: seconds,
  session_id: v.string(),
  id_token: v.optional(v.string()),
  refresh_token: v.optional(v.string()),
  signing_artifacts: v.optional(v.union([PasskeyArtifacts, CryptoKeyArtifacts])),
});

/** SPEC C "Retrieve tokens". */
export const RetrieveTokensBody = v.object({
  code: secret,
  client_id: clientId,
  client_secret: secret,
  code_verifier: v.optional(secret),
  redirect_uri: v.optional(text),
});

export const RetrieveTokensResponse = v.object({
  id_token: v.string(),
  access_token: v.string(),
  refresh_token: v.optional(v.string()),
  is_user_created: v.boolean(),
  token_type: tokenType,
  expires_in: seconds,
  session_id: v.string(),
  signing_artifacts: v.optional(PasskeyArtifacts),
});

export const RefreshBody = v.object({ refresh_token: secret });

export const RefreshResponse = v.object({
  access_token: v.string(),
  id_token: v.string(),
  refresh_token: v.string(),
  token_type: tokenType,
  expires_in: seconds,
});

/** RFC 7009 §2.1, RFC 7662 §2.1. The hint is not needed: a token tells by its form what it is. */
export const TokenForm = v.object({
  ...clientFormFields,
  token: v.pipe(v.string(), v.minLength(1), maxCharacters(TOKEN_MAX)),
  token_type_hint: v.optional(text),
});

/** RFC 7009 §2.2: the status says it all. */
export const RevocationResponse = v.object({});

/** RFC 7662 §2.2. */
export const IntrospectionResponse = v.looseObject({ active: v.boolean() });

/** OIDC Core §5.1. */
export const UserInfoResponse = v.object({
  sub: v.string(),
  email: v.optional(v.string()),
  email_verified: v.optional(v.boolean()),
  phone_number: v.optional(v.string()),
  phone_number_verified: v.optional(v.boolean()),
});
