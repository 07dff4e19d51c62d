import * as v from 'valibot';
import { ACCESS_TOKEN_SECONDS, CLIENT_ID_MAX, PROOF_MAX } from '../domain/basis/limits.ts';
import { CryptoKeyArtifacts, PasskeyArtifacts } from './approvals.ts';
import { describe, described, sample } from './fields/described.ts';
import { maxCharacters } from './fields/max-characters.ts';
import * as words from './fields/words.ts';

/** Maximum length of a token in characters. The limit has room for 4 KB of claims in base64. */
const TOKEN_MAX = 16_384;

const text = v.pipe(v.string(), maxCharacters(2048));
const secret = v.pipe(v.string(), maxCharacters(512));
const clientId = described(v.pipe(v.string(), v.minLength(1), maxCharacters(CLIENT_ID_MAX)), words.clientId);

/** Fields with which a client authenticates in a form, by secret (RFC 6749 §2.3.1) or assertion (RFC 7521 §4.2). */
const clientFormFields = {
  client_id: v.optional(clientId),
  client_secret: described(v.optional(secret), words.clientSecret),
  client_assertion_type: described(
    v.optional(v.pipe(v.string(), maxCharacters(256))),
    words.clientAssertionType,
  ),
  client_assertion: described(
    v.optional(v.pipe(v.string(), maxCharacters(PROOF_MAX))),
    words.clientAssertion,
  ),
};

/**
 * Request of the token endpoint: client credentials (SPEC D), and the grants for users. Client ID and secret may be sent by
 * HTTP Basic instead. All other fields are optional in this schema, because `grant_type` decides which are required, and the
 * operation reports missing fields.
 */
export const TokenRequestForm = described(
  v.object({
    grant_type: described(
      v.string(),
      describe(
        'Grant type: `client_credentials` for a token of the client; `authorization_code`, `refresh_token` or `urn:ietf:params:oauth:grant-type:token-exchange` for tokens of a user.',
        'client_credentials',
      ),
    ),
    ...clientFormFields,
    resource: described(v.optional(text), words.resourceUri),
    scope: described(
      v.optional(text),
      describe('Scopes, separated by spaces: a subset of the granted ones. Default: all.', 'users:read'),
    ),
    code: described(v.optional(secret), words.exchangeCode),
    redirect_uri: described(
      v.optional(text),
      describe(
        'Redirect URI of the authorization request, if a code is exchanged.',
        'https://app.example.com/complete',
      ),
    ),
    code_verifier: described(v.optional(secret), words.codeVerifier),
    refresh_token: described(v.optional(secret), words.refreshToken),
    subject_token: described(
      v.optional(v.pipe(v.string(), maxCharacters(TOKEN_MAX))),
      describe(
        'Token exchange only: ID token of the former issuer.',
        'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2ln',
      ),
    ),
    subject_token_type: described(
      v.optional(text),
      describe('Token exchange only: type of `subject_token`.', 'urn:ietf:params:oauth:token-type:id_token'),
    ),
    requested_token_type: described(
      v.optional(text),
      describe(
        'Token exchange only: requested type. Default: `urn:ietf:params:oauth:token-type:access_token`, the only supported type.',
        'urn:ietf:params:oauth:token-type:access_token',
      ),
    ),
    actor_token: described(
      v.optional(text),
      describe('Not supported: a request with it is answered with 400.', 'none'),
    ),
  }),
  sample('grant_type', 'client_id', 'client_secret', 'resource'),
);

const expiresIn = described(
  v.pipe(v.number(), v.integer()),
  describe(
    `Lifetime of the access token in seconds: ${ACCESS_TOKEN_SECONDS}, unless the resource or client sets another.`,
    ACCESS_TOKEN_SECONDS,
  ),
);
const tokenType = described(
  v.picklist(['Bearer', 'DPoP']),
  describe(
    'Type of the access token: `DPoP` if it is bound to a key (RFC 9449), otherwise `Bearer`.',
    'Bearer',
  ),
);
const accessToken = described(v.string(), words.accessToken);
const idToken = described(v.string(), words.idToken);
const refreshToken = described(v.string(), words.refreshToken);
const sessionId = described(v.string(), words.sessionId);

/**
 * Response of the token endpoint (RFC 6749 §5.1, OIDC Core §3.1.3.3). With the grant `client_credentials`, it contains only an
 * access token. All other members belong to tokens for users.
 */
export const TokenEndpointResponse = v.object({
  access_token: accessToken,
  issued_token_type: described(
    v.optional(v.string()),
    describe('Token exchange only: type of `access_token`.', 'urn:ietf:params:oauth:token-type:access_token'),
  ),
  token_type: tokenType,
  expires_in: expiresIn,
  scope: described(v.string(), describe('Scopes of the access token, separated by spaces.', 'openid email')),
  id_token: v.optional(idToken),
  refresh_token: v.optional(refreshToken),
  session_id: v.optional(sessionId),
  signing_artifacts: v.optional(PasskeyArtifacts),
});

/** Response of authenticate operations (SPEC "Token response (authenticate operations)"). */
export const TokenResponse = v.object({
  access_token: accessToken,
  token_type: described(v.literal('Bearer'), describe('Type of the access token: always `Bearer`.')),
  expires_in: expiresIn,
  session_id: sessionId,
  id_token: v.optional(idToken),
  refresh_token: v.optional(refreshToken),
  signing_artifacts: described(
    v.optional(v.union([PasskeyArtifacts, CryptoKeyArtifacts])),
    describe(
      'Evidence of an approval by a passkey or device key. Anyone can verify it without this service.',
    ),
  ),
});

/** Request that exchanges a code for tokens (SPEC C "Retrieve tokens"). */
export const RetrieveTokensBody = described(
  v.object({
    code: described(secret, words.exchangeCode),
    client_id: clientId,
    client_secret: described(secret, describe('Secret of the client.', 'the-secret-of-your-client')),
    code_verifier: described(v.optional(secret), words.codeVerifier),
    redirect_uri: described(
      v.optional(text),
      describe('Redirect URI of the authorization request.', 'https://app.example.com/complete'),
    ),
  }),
  sample('code', 'client_id', 'client_secret'),
);

export const RetrieveTokensResponse = v.object({
  id_token: idToken,
  access_token: accessToken,
  refresh_token: v.optional(refreshToken),
  is_user_created: described(v.boolean(), describe('Whether this exchange created the user.', false)),
  token_type: tokenType,
  expires_in: expiresIn,
  session_id: sessionId,
  signing_artifacts: v.optional(PasskeyArtifacts),
});

export const RefreshBody = v.object({ refresh_token: described(secret, words.refreshToken) });

export const RefreshResponse = v.object({
  access_token: accessToken,
  id_token: idToken,
  refresh_token: refreshToken,
  token_type: tokenType,
  expires_in: expiresIn,
});

/**
 * Request to revoke or inspect a token (RFC 7009 §2.1, RFC 7662 §2.1). `token_type_hint` has no effect, because the service
 * recognises the type of a token by its format.
 */
export const TokenForm = described(
  v.object({
    ...clientFormFields,
    token: described(
      v.pipe(v.string(), v.minLength(1), maxCharacters(TOKEN_MAX)),
      describe('Access token or refresh token.', '8Jz0m2K4.r6PqWb1N.Xc3Tz9Lv.the-secret-part'),
    ),
    token_type_hint: described(
      v.optional(text),
      describe('`access_token` or `refresh_token`. Optional and ignored.', 'refresh_token'),
    ),
  }),
  sample('client_id', 'client_secret', 'token'),
);

/** Empty response to a revocation. The HTTP status is the whole result (RFC 7009 §2.2). */
export const RevocationResponse = v.object({});

/** Response to an introspection (RFC 7662 §2.2). */
export const IntrospectionResponse = v.looseObject({
  active: described(
    v.boolean(),
    describe(
      'Whether the token is currently valid and the caller may inspect it. If false, there are no other members.',
      true,
    ),
  ),
});

/** Response of the UserInfo endpoint: claims of the user (OpenID Connect Core §5.1). */
export const UserInfoResponse = v.object({
  sub: described(v.string(), words.userId),
  email: described(
    v.optional(v.string()),
    describe('Email address of the user. With the scope `email`.', 'ann@example.com'),
  ),
  email_verified: described(
    v.optional(v.boolean()),
    describe('Whether the email address is verified.', true),
  ),
  phone_number: described(
    v.optional(v.string()),
    describe('Phone number of the user in E.164. With the scope `phone`.', '+12015550123'),
  ),
  phone_number_verified: described(
    v.optional(v.boolean()),
    describe('Whether the number is verified.', true),
  ),
  name: described(
    v.optional(v.string()),
    describe('First and last name. With the scope `profile`.', 'Ann Smith'),
  ),
  given_name: described(v.optional(v.string()), describe('First name. With the scope `profile`.', 'Ann')),
  family_name: described(v.optional(v.string()), describe('Last name. With the scope `profile`.', 'Smith')),
  preferred_username: described(
    v.optional(v.string()),
    describe('Username. With the scope `profile`.', 'ann'),
  ),
  picture: described(
    v.optional(v.string()),
    describe('URL of a picture. With the scope `profile`.', 'https://example.com/ann.png'),
  ),
  locale: described(
    v.optional(v.string()),
    describe('Language of the user. With the scope `profile`.', 'en'),
  ),
  updated_at: described(
    v.optional(v.number()),
    describe("Time of the record's last change in epoch seconds. With the scope `profile`.", 1_767_225_600),
  ),
  username: described(
    v.optional(v.string()),
    describe('Username of the user, if requested with the parameter `claims`.', 'ann'),
  ),
  groups: described(
    v.optional(v.array(v.string())),
    describe('Groups of the user, if requested with the parameter `claims`.', ['staff']),
  ),
});
