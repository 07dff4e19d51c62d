import * as v from 'valibot';
import { CLIENT_ID_MAX, NONCE_MAX } from '../domain/basis/limits.ts';
import { flag } from './login-fields.ts';
import { maxCharacters } from './max-characters.ts';
import {
  PASSKEY_RESULT_MAX,
  StartPasskeyLoginResponse,
  StartPasskeyRegistrationResponse,
} from './signing.ts';

const text = v.pipe(v.string(), maxCharacters(2048));
/** CloudFront takes addresses of 8,192 bytes, and the other parameters need their part. */
const long = v.pipe(v.string(), maxCharacters(6144));

/** SPEC F, and OpenID Connect Core §3.1.2.1 where it goes beyond. What each value must be, the domain says. */
const authorizationFields = {
  redirect_uri: v.optional(text),
  response_type: v.optional(text),
  response_mode: v.optional(text),
  scope: v.optional(text),
  prompt: v.optional(text),
  max_age: v.optional(text),
  nonce: v.optional(v.pipe(v.string(), maxCharacters(NONCE_MAX))),
  state: v.optional(text),
  resource: v.optional(text),
  claims: v.optional(long),
  acr_values: v.optional(text),
  createNewUser: v.optional(flag),
  login_hint: v.optional(text),
  id_token_hint: v.optional(long),
  custom_message: v.optional(text),
  ui_locales: v.optional(text),
  org_id: v.optional(text),
  code_challenge: v.optional(text),
  code_challenge_method: v.optional(text),
  dpop_jkt: v.optional(text),
  request: v.optional(long),
  request_uri: v.optional(text),
};

/** SPEC B. What each value must be, the domain says: from there on errors go to the redirect URI. */
export const redirectFields = {
  redirect_uri: v.optional(text),
  create_new_user: v.optional(flag),
  resource: v.optional(text),
  require_mfa: v.optional(flag),
  claims: v.optional(long),
  state: v.optional(text),
  nonce: v.optional(text),
  org_id: v.optional(text),
  code_challenge: v.optional(text),
  code_challenge_method: v.optional(text),
};

const clientId = v.pipe(v.string(), v.minLength(1), maxCharacters(CLIENT_ID_MAX));

export const PasskeyLoginQuery = v.pipe(
  v.object({
    client_id: clientId,
    ...redirectFields,
    ui_locales: v.optional(text),
    login_hint: v.optional(text),
    custom_message: v.optional(text),
    verifications: v.optional(text),
  }),
  v.metadata({ required: ['client_id', 'redirect_uri'] }),
);

export const AuthorizationQuery = v.object({ client_id: clientId, ...authorizationFields });

/** RFC 9126 §2.1: the parameters of an authorization request, and the client's authentication. */
export const PushedRequestForm = v.pipe(
  v.object({
    client_id: v.optional(clientId),
    client_secret: v.optional(v.pipe(v.string(), maxCharacters(512))),
    client_assertion: v.optional(long),
    client_assertion_type: v.optional(text),
    ...authorizationFields,
  }),
  v.metadata({ required: ['redirect_uri', 'response_type'] }),
);

export const PushedRequestResponse = v.object({
  request_uri: v.string(),
  expires_in: v.pipe(v.number(), v.integer()),
});

const loginId = v.pipe(v.string(), maxCharacters(64));

export const LoginPath = v.object({ loginId });
/** What the person did; absent: said who they are. */
export const LoginActPath = v.object({ loginId, act: v.optional(v.pipe(v.string(), maxCharacters(16))) });

export const LoginForm = v.object({
  csrf: v.optional(text),
  identifier: v.optional(v.pipe(v.string(), maxCharacters(320))),
  method: v.optional(text),
  passcode: v.optional(v.pipe(v.string(), maxCharacters(64))),
  phone_number: v.optional(v.pipe(v.string(), maxCharacters(64))),
});

/** What an authenticator has signed, as the script of the page puts it. */
export const PasskeyForm = v.object({
  csrf: v.optional(text),
  credential: v.optional(v.pipe(v.string(), maxCharacters(PASSKEY_RESULT_MAX))),
});

export const PasskeyRegistrationQuery = v.object({
  register_webauthn_cred_token: v.optional(v.pipe(v.string(), maxCharacters(64))),
  ui_locales: v.optional(text),
});

export const PasskeyOptionsForm = v.object({
  csrf: v.optional(text),
  identifier: v.optional(v.pipe(v.string(), maxCharacters(320))),
});

/** One or the other, by what the page is for. Binary fields are in standard base64. */
export const PasskeyOptionsResponse = v.union([StartPasskeyLoginResponse, StartPasskeyRegistrationResponse]);

/** Why a code or link was refused: the page that a form leads back to says it. */
export const REFUSALS = ['code_wrong', 'code_expired', 'codes_off', 'locked', 'form_expired'] as const;

export const LoginQuery = v.object({
  link: v.optional(v.pipe(v.string(), maxCharacters(64))),
  refused: v.optional(v.picklist(REFUSALS)),
});
