import * as v from 'valibot';
import { CLIENT_ID_MAX } from '../domain/basis/limits.ts';
import { redirectFields } from './authorization.ts';
import { maxCharacters } from './max-characters.ts';

const text = v.pipe(v.string(), maxCharacters(2048));
const long = v.pipe(v.string(), maxCharacters(8192));

/** SPEC B. */
export const SocialLoginQuery = v.pipe(
  v.object({
    client_id: v.pipe(v.string(), v.minLength(1), maxCharacters(CLIENT_ID_MAX)),
    ...redirectFields,
  }),
  // What the operation demands once it knows the client.
  v.metadata({ required: ['client_id', 'redirect_uri'] }),
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
