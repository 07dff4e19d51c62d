import * as v from 'valibot';
import { ACCESS_TOKEN_SECONDS, CLIENT_ID_MAX, PROOF_MAX } from '../domain/basis/limits.ts';
import { CryptoKeyArtifacts, PasskeyArtifacts } from './approvals.ts';
import { described, doc, sample } from './fields/described.ts';
import { maxCharacters } from './fields/max-characters.ts';
import * as words from './fields/words.ts';

/** A token with claims of 4 KB and their base64. */
const TOKEN_MAX = 16_384;

const text = v.pipe(v.string(), maxCharacters(2048));
const secret = v.pipe(v.string(), maxCharacters(512));
const clientId = described(v.pipe(v.string(), v.minLength(1), maxCharacters(CLIENT_ID_MAX)), words.clientId);

/** How a client authenticates in a form: by secret (RFC 6749 §2.3.1) or by assertion (RFC 7521 §4.2). */
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
 * SPEC D, and the grants for users. Client ID and secret may come by HTTP Basic instead, and `grant_type` decides what else
 * is needed; so every other field is optional here and the operation says what is missing.
 */
export const TokenRequestForm = described(
  v.object({
    grant_type: described(
      v.string(),
      doc(
        '`client_credentials` for a token of the client; `authorization_code`, `refresh_token` or `urn:ietf:params:oauth:grant-type:token-exchange` for those of a user.',
        'client_credentials',
      ),
    ),
    ...clientFormFields,
    resource: described(v.optional(text), words.resourceUri),
    scope: described(
      v.optional(text),
      doc(
        'What the token may do, spaces between; less than before, never more. Default: everything.',
        'users:read',
      ),
    ),
    code: described(v.optional(secret), words.exchangeCode),
    redirect_uri: described(
      v.optional(text),
      doc('The redirect URI of the authorization request, with a code.', 'https://app.example.com/complete'),
    ),
    code_verifier: described(v.optional(secret), words.codeVerifier),
    refresh_token: described(v.optional(secret), words.refreshToken),
    subject_token: described(
      v.optional(v.pipe(v.string(), maxCharacters(TOKEN_MAX))),
      doc(
        'For a token exchange: the ID token of the former issuer.',
        'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2ln',
      ),
    ),
    subject_token_type: described(
      v.optional(text),
      doc('Likewise: what `subject_token` is.', 'urn:ietf:params:oauth:token-type:id_token'),
    ),
    requested_token_type: described(
      v.optional(text),
      doc(
        'Likewise: what is asked for. Default: `urn:ietf:params:oauth:token-type:access_token`, the only one there is.',
        'urn:ietf:params:oauth:token-type:access_token',
      ),
    ),
    actor_token: described(v.optional(text), doc('Not taken: a request with it is 400.', 'none')),
  }),
  sample('grant_type', 'client_id', 'client_secret', 'resource'),
);

const expiresIn = described(
  v.pipe(v.number(), v.integer()),
  doc(
    `How long the access token lives, in seconds: ${ACCESS_TOKEN_SECONDS}, or as the resource or client sets.`,
    ACCESS_TOKEN_SECONDS,
  ),
);
const tokenType = described(
  v.picklist(['Bearer', 'DPoP']),
  doc('`DPoP` if the access token is bound to a key (RFC 9449), else `Bearer`.', 'Bearer'),
);
const accessToken = described(v.string(), words.accessToken);
const idToken = described(v.string(), words.idToken);
const refreshToken = described(v.string(), words.refreshToken);
const sessionId = described(v.string(), words.sessionId);

/** RFC 6749 §5.1, OIDC Core §3.1.3.3. A client token comes alone; only tokens of users have the further members. */
export const TokenEndpointResponse = v.object({
  access_token: accessToken,
  issued_token_type: described(
    v.optional(v.string()),
    doc('Of a token exchange: what `access_token` is.', 'urn:ietf:params:oauth:token-type:access_token'),
  ),
  token_type: tokenType,
  expires_in: expiresIn,
  scope: described(v.string(), doc('What the access token may do, spaces between.', 'openid email')),
  id_token: v.optional(idToken),
  refresh_token: v.optional(refreshToken),
  session_id: v.optional(sessionId),
  signing_artifacts: v.optional(PasskeyArtifacts),
});

/** SPEC "Token response (authenticate operations)". */
export const TokenResponse = v.object({
  access_token: accessToken,
  token_type: described(v.literal('Bearer'), doc('How to send the access token: always `Bearer`.')),
  expires_in: expiresIn,
  session_id: sessionId,
  id_token: v.optional(idToken),
  refresh_token: v.optional(refreshToken),
  signing_artifacts: described(
    v.optional(v.union([PasskeyArtifacts, CryptoKeyArtifacts])),
    doc('Proves the approval to anyone, without this service: of a passkey, or of a device key.'),
  ),
});

/** SPEC C "Retrieve tokens". */
export const RetrieveTokensBody = described(
  v.object({
    code: described(secret, words.exchangeCode),
    client_id: clientId,
    client_secret: described(secret, doc('The secret of the client.', 'the-secret-of-your-client')),
    code_verifier: described(v.optional(secret), words.codeVerifier),
    redirect_uri: described(
      v.optional(text),
      doc('The redirect URI of the authorization request.', 'https://app.example.com/complete'),
    ),
  }),
  sample('code', 'client_id', 'client_secret'),
);

export const RetrieveTokensResponse = v.object({
  id_token: idToken,
  access_token: accessToken,
  refresh_token: v.optional(refreshToken),
  is_user_created: described(v.boolean(), doc('Whether this exchange made the user.', false)),
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

/** RFC 7009 §2.1, RFC 7662 §2.1. The hint is not needed: a token tells by its form what it is. */
export const TokenForm = described(
  v.object({
    ...clientFormFields,
    token: described(
      v.pipe(v.string(), v.minLength(1), maxCharacters(TOKEN_MAX)),
      doc('An access token or refresh token.', '8Jz0m2K4.r6PqWb1N.Xc3Tz9Lv.the-secret-part'),
    ),
    token_type_hint: described(
      v.optional(text),
      doc('`access_token` or `refresh_token`; not needed, and not believed.', 'refresh_token'),
    ),
  }),
  sample('client_id', 'client_secret', 'token'),
);

/** RFC 7009 §2.2: the status says it all. */
export const RevocationResponse = v.object({});

/** RFC 7662 §2.2. */
export const IntrospectionResponse = v.looseObject({
  active: described(
    v.boolean(),
    doc(
      'Whether the token is good now, and for the caller to know. False: there are no other members.',
      true,
    ),
  ),
});

/** OIDC Core §5.1. */
export const UserInfoResponse = v.object({
  sub: described(v.string(), words.userId),
  email: described(
    v.optional(v.string()),
    doc('The email address of the user. With the scope `email`.', 'ann@example.com'),
  ),
  email_verified: described(v.optional(v.boolean()), doc('Whether the address is proven.', true)),
  phone_number: described(
    v.optional(v.string()),
    doc('The phone number of the user in E.164. With the scope `phone`.', '+12015550123'),
  ),
  phone_number_verified: described(v.optional(v.boolean()), doc('Whether the number is proven.', true)),
  name: described(v.optional(v.string()), doc('First and last name. With the scope `profile`.', 'Ann Smith')),
  given_name: described(v.optional(v.string()), doc('The first name. With the scope `profile`.', 'Ann')),
  family_name: described(v.optional(v.string()), doc('The last name. With the scope `profile`.', 'Smith')),
  preferred_username: described(
    v.optional(v.string()),
    doc('The username of the user. With the scope `profile`.', 'ann'),
  ),
  picture: described(
    v.optional(v.string()),
    doc('The address of a picture. With the scope `profile`.', 'https://example.com/ann.png'),
  ),
  locale: described(v.optional(v.string()), doc('The language of the user. With the scope `profile`.', 'en')),
  updated_at: described(
    v.optional(v.number()),
    doc('When the record changed last, in epoch seconds. With the scope `profile`.', 1_767_225_600),
  ),
  username: described(
    v.optional(v.string()),
    doc('The username, where the parameter `claims` names it.', 'ann'),
  ),
  groups: described(
    v.optional(v.array(v.string())),
    doc('The groups of the user, where the parameter `claims` names them.', ['staff']),
  ),
});
