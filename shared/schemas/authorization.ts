import * as v from 'valibot';
import { CLIENT_ID_MAX, NONCE_MAX, PUSHED_REQUEST_SECONDS } from '../domain/basis/limits.ts';
import { describe, described, sample } from './fields/described.ts';
import { echoedState, flag } from './fields/login.ts';
import { maxCharacters } from './fields/max-characters.ts';
import * as words from './fields/words.ts';

const text = v.pipe(v.string(), maxCharacters(2048));
/** Schema of a long parameter. CloudFront accepts URLs of up to 8,192 bytes, including all other parameters. */
const long = v.pipe(v.string(), maxCharacters(6144));

/** Returns a text schema that documents the accepted values in the API document. The domain layer checks the value. */
const oneOf = (...values: readonly string[]) => v.pipe(text, v.metadata({ enum: values }));
/** Returns a text schema that documents a pattern in the API document. The domain layer checks the value. */
const fitting = (pattern: string) => v.pipe(text, v.metadata({ pattern }));
/** SHA-256 hash in base64url: a PKCE challenge (RFC 7636 §4.2) or the thumbprint of a key. */
const digest = fitting('^[A-Za-z0-9_-]{43}$');
const challengeMethod = oneOf('S256');

const maxAge = described(
  v.optional(fitting('^\\d{1,9}$')),
  describe("Maximum age in seconds of the browser's login. 0 forces a new login. Default: any age.", '3600'),
);

/**
 * Parameters of the authorization endpoint: those of SPEC F and of OpenID Connect Core §3.1.2.1. The domain layer validates the
 * values.
 */
const authorizationFields = {
  redirect_uri: described(v.optional(text), words.redirectUri),
  response_type: described(v.optional(oneOf('code')), describe('Type of the answer: always `code`.', 'code')),
  response_mode: described(
    v.optional(oneOf('query', 'form_post')),
    describe('How the answer reaches the redirect URI: `query` or `form_post`. Default: `query`.', 'query'),
  ),
  scope: described(
    v.optional(text),
    describe(
      'Scopes, separated by spaces: `openid`, which is required, `profile`, `email`, `phone`, `offline_access`. Others are ignored. ' +
        '`offline_access` requests a refresh token. If the client has `offline_access_needs_consent`, it requires `prompt=consent`.',
      'openid email',
    ),
  ),
  prompt: described(
    v.optional(text),
    describe(
      '`none` never shows a page, `login` forces a new login, `select_account` lets the user choose an account, ' +
        '`create` asks to sign up, `consent` allows `offline_access`. Separate several by spaces.',
      'login',
    ),
  ),
  max_age: maxAge,
  nonce: described(v.optional(v.pipe(v.string(), maxCharacters(NONCE_MAX))), words.tokenNonce),
  state: echoedState,
  resource: described(v.optional(text), words.resourceUri),
  claims: described(v.optional(long), words.claimsParameter),
  acr_values: described(
    v.optional(text),
    describe(
      'How to log in, separated by spaces: `mfa` for two factors, `phone_number` for a verified number, ' +
        '`urn:<vendor>:centralized` for the login page, `urn:<vendor>:<provider>_direct` for a provider, by its name.',
      'mfa',
    ),
  ),
  createNewUser: described(
    v.optional(flag),
    words.createNewUser('true with `prompt=create`, else `hosted_sign_up` of the application'),
  ),
  login_hint: described(v.optional(text), words.loginHint),
  id_token_hint: described(
    v.optional(long),
    describe(
      'ID token of the user who must log in. It may have expired.',
      'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiI4SnowbTJLNCJ9.c2lnbmF0dXJl',
    ),
  ),
  custom_message: described(v.optional(text), words.customMessage),
  ui_locales: described(v.optional(text), words.uiLocales),
  org_id: described(v.optional(text), words.organizationId),
  code_challenge: described(v.optional(digest), words.codeChallenge),
  code_challenge_method: described(v.optional(challengeMethod), words.codeChallengeMethod),
  dpop_jkt: described(
    v.optional(digest),
    describe(
      'Thumbprint of the key that the code and its tokens are bound to (RFC 9449 §10).',
      '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I',
    ),
  ),
  app_id: described(
    v.optional(text),
    describe(
      'Application, for a client that is identified by a metadata document. Default: the application of the `resource`.',
      '4qk2v9x7tm1d8zr5wc3hb6npy',
    ),
  ),
  request: described(
    v.optional(long),
    describe('Request objects are refused with `request_not_supported`.', 'eyJhbGciOiJub25lIn0.e30.'),
  ),
  request_uri: described(
    // RFC 9101 §5.2 limits the URI to 512 characters. Our request URIs have 77 characters.
    v.optional(v.pipe(v.string(), maxCharacters(512))),
    describe(
      'Reference of a pushed request, instead of the other parameters. Any other URI is refused.',
      'urn:ietf:params:oauth:request_uri:R8xV2mTq',
    ),
  ),
};

/** Names of the fields that the example of a pushed request shows. */
const PUSHED = ['client_id', 'client_secret', 'redirect_uri', 'response_type', 'scope', 'state', 'nonce'];

/**
 * Parameters of the redirect operations (SPEC B). The domain layer validates the values, because it can send errors to the
 * redirect URI.
 */
export const redirectFields = {
  redirect_uri: described(v.optional(text), words.redirectUri),
  create_new_user: described(v.optional(flag), words.createNewUser('true')),
  resource: described(v.optional(text), words.resourceUri),
  require_mfa: described(v.optional(flag), words.requireMfa),
  claims: described(v.optional(long), words.claimsParameter),
  state: echoedState,
  nonce: described(v.optional(text), words.tokenNonce),
  org_id: described(v.optional(text), words.organizationId),
  code_challenge: described(v.optional(digest), words.codeChallenge),
  code_challenge_method: described(v.optional(challengeMethod), words.codeChallengeMethod),
};

const clientId = described(v.pipe(v.string(), v.minLength(1), maxCharacters(CLIENT_ID_MAX)), words.clientId);

/** Parameters that a redirect login (SPEC B) passes on to the provider. The authorization endpoint has the same parameters. */
export const providerFields = {
  prompt: described(
    v.optional(text),
    describe(
      '`login` forces a new login at the provider, `select_account` lets the user choose an account there. Separate several by spaces.',
      'select_account',
    ),
  ),
  max_age: maxAge,
  login_hint: described(v.optional(text), words.loginHint),
  ui_locales: described(v.optional(text), words.uiLocales),
};

export const PasskeyLoginQuery = v.pipe(
  v.object({
    client_id: clientId,
    ...redirectFields,
    ui_locales: described(v.optional(text), words.uiLocales),
    login_hint: described(v.optional(text), words.loginHint),
    custom_message: described(v.optional(text), words.customMessage),
    verifications: described(
      v.optional(text),
      describe(
        '`phone` to end the login with a verified phone number. The email address of the user is verified by default, if the application sends mail.',
        'phone',
      ),
    ),
  }),
  v.metadata({ required: ['client_id', 'redirect_uri'] }),
);

export const AuthorizationQuery = described(
  v.object({ client_id: clientId, ...authorizationFields }),
  sample('client_id', 'redirect_uri', 'response_type', 'scope', 'state', 'nonce'),
);

/** Parameters of a pushed authorization request and of the client's authentication (RFC 9126 §2.1). */
export const PushedRequestForm = v.pipe(
  described(
    v.object({
      client_id: v.optional(clientId),
      client_secret: described(v.optional(v.pipe(v.string(), maxCharacters(512))), words.clientSecret),
      client_assertion: described(v.optional(long), words.clientAssertion),
      client_assertion_type: described(v.optional(text), words.clientAssertionType),
      ...authorizationFields,
    }),
    sample(...PUSHED),
  ),
  v.metadata({ required: ['redirect_uri', 'response_type'] }),
);

export const PushedRequestResponse = v.object({
  request_uri: described(
    v.string(),
    describe(
      'Reference with which to send the browser to the authorization endpoint. It is valid once.',
      'urn:ietf:params:oauth:request_uri:R8xV2mTq',
    ),
  ),
  expires_in: described(
    v.pipe(v.number(), v.integer()),
    describe('Lifetime in seconds.', PUSHED_REQUEST_SECONDS),
  ),
});
