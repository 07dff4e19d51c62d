import * as v from 'valibot';
import { CLIENT_ID_MAX } from '../domain/basis/limits.ts';
import { flag } from './login-fields.ts';
import { maxCharacters } from './max-characters.ts';

const text = v.pipe(v.string(), maxCharacters(2048));
const long = v.pipe(v.string(), maxCharacters(8192));

/** SPEC B. What each value must be, the domain says: from there on errors go to the redirect URI. */
export const SocialLoginQuery = v.pipe(
  v.object({
    client_id: v.pipe(v.string(), v.minLength(1), maxCharacters(CLIENT_ID_MAX)),
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
  }),
  // What the operation demands once it knows the client.
  v.metadata({ jsonSchema: { required: ['client_id', 'redirect_uri'] } }),
);

/** What a provider brings back: by query, or as a form (Apple, which adds the name once). */
export const ProviderAnswer = v.object({
  state: v.optional(text),
  code: v.optional(long),
  iss: v.optional(text),
  error: v.optional(text),
  error_description: v.optional(text),
  user: v.optional(text),
});

export const LoginProviderPath = v.object({
  loginId: v.pipe(v.string(), maxCharacters(64)),
  provider: v.pipe(v.string(), maxCharacters(16)),
});
