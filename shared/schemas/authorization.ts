import * as v from 'valibot';
import { CLIENT_ID_MAX, NONCE_MAX, PUSHED_REQUEST_SECONDS } from '../domain/basis/limits.ts';
import { described, doc, sample } from './fields/described.ts';
import { echoedState, flag } from './fields/login.ts';
import { maxCharacters } from './fields/max-characters.ts';
import * as words from './fields/words.ts';

const text = v.pipe(v.string(), maxCharacters(2048));
/** CloudFront takes addresses of 8,192 bytes, and the other parameters need their part. */
const long = v.pipe(v.string(), maxCharacters(6144));

/** A text of which the domain takes these alone. */
const oneOf = (...values: readonly string[]) => v.pipe(text, v.metadata({ enum: values }));
/** A text of which the domain takes what fits alone. */
const fitting = (pattern: string) => v.pipe(text, v.metadata({ pattern }));
/** SHA-256 in base64url: of PKCE (RFC 7636 §4.2), and a thumbprint of a key. */
const digest = fitting('^[A-Za-z0-9_-]{43}$');
const challengeMethod = oneOf('S256');

const maxAge = described(
  v.optional(fitting('^\\d{1,9}$')),
  doc('How old a login of the browser may be, in seconds. 0 forces a new login. Default: any age.', '3600'),
);

/** SPEC F, and OpenID Connect Core §3.1.2.1 where it goes beyond. What each value must be, the domain says. */
const authorizationFields = {
  redirect_uri: described(v.optional(text), words.redirectUri),
  response_type: described(
    v.optional(oneOf('code')),
    doc('What comes to the redirect URI: always `code`.', 'code'),
  ),
  response_mode: described(
    v.optional(oneOf('query', 'form_post')),
    doc('How it comes there: `query` or `form_post`. Default: `query`.', 'query'),
  ),
  scope: described(
    v.optional(text),
    doc(
      'With spaces between: `openid`, which is required, `profile`, `email`, `phone`, `offline_access`. Others are ignored. ' +
        '`offline_access` gives a refresh token; with `offline_access_needs_consent` of the client it takes `prompt=consent`.',
      'openid email',
    ),
  ),
  prompt: described(
    v.optional(text),
    doc(
      '`none` never shows a page, `login` forces a new login, `select_account` lets the person choose an account, ' +
        '`create` asks to sign up, `consent` allows `offline_access`; spaces between.',
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
    doc(
      'How to log in, spaces between: `mfa` for two kinds of factors, `phone_number` for a verified number, ' +
        '`urn:<vendor>:centralized` for the login page, `urn:<vendor>:<provider>_direct` for a provider.',
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
    doc(
      'An ID token of the user who must log in; it may have expired.',
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
    doc(
      'The thumbprint of the key that the code and its tokens are bound to (RFC 9449 §10).',
      '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I',
    ),
  ),
  app_id: described(
    v.optional(text),
    doc(
      'The application that a client by document asks for. Default: the one that has the `resource`.',
      '4qk2v9x7tm1d8zr5wc3hb6npy',
    ),
  ),
  request: described(
    v.optional(long),
    doc('Request objects are refused with `request_not_supported`.', 'eyJhbGciOiJub25lIn0.e30.'),
  ),
  request_uri: described(
    // RFC 9101 §5.2. Ours have 77 characters.
    v.optional(v.pipe(v.string(), maxCharacters(512))),
    doc(
      'The reference of a pushed request, instead of the other parameters. Others are refused.',
      'urn:ietf:params:oauth:request_uri:R8xV2mTq',
    ),
  ),
};

/** Fields that a pushed request is shown with. */
const PUSHED = ['client_id', 'client_secret', 'redirect_uri', 'response_type', 'scope', 'state', 'nonce'];

/** SPEC B. What each value must be, the domain says: from there on errors go to the redirect URI. */
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

/** What a login of section B asks of the provider; as at the authorization endpoint. */
export const providerFields = {
  prompt: described(
    v.optional(text),
    doc(
      '`login` forces a new login at the provider, `select_account` lets the person choose an account there; spaces between.',
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
      doc(
        '`phone` ends the login with a verified phone number. An email of the user is verified by default, where the application sends mail.',
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

/** RFC 9126 §2.1: the parameters of an authorization request, and the client's authentication. */
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
    doc(
      'The reference to send the browser to the authorization endpoint with. It counts once.',
      'urn:ietf:params:oauth:request_uri:R8xV2mTq',
    ),
  ),
  expires_in: described(
    v.pipe(v.number(), v.integer()),
    doc('How long it counts, in seconds.', PUSHED_REQUEST_SECONDS),
  ),
});
