import * as v from 'valibot';
import { CLIENT_ID_MAX } from '../domain/basis/limits.ts';
import { providerFields, redirectFields } from './authorization.ts';
import { described, doc, sample } from './fields/described.ts';
import { maxCharacters } from './fields/max-characters.ts';
import * as words from './fields/words.ts';

const text = v.pipe(v.string(), maxCharacters(2048));
const long = v.pipe(v.string(), maxCharacters(8192));

/** SPEC B. */
export const SocialLoginQuery = v.pipe(
  v.object({
    client_id: described(v.pipe(v.string(), v.minLength(1), maxCharacters(CLIENT_ID_MAX)), words.clientId),
    ...redirectFields,
    ...providerFields,
  }),
  // What the operation demands once it knows the client.
  v.metadata({ required: ['client_id', 'redirect_uri'] }),
);

/** What a provider brings back: by query, or as a form (Apple, which adds the name once). */
export const ProviderAnswer = described(
  v.object({
    state: described(
      // Ours, so short: it goes into an address again.
      v.optional(v.pipe(v.string(), maxCharacters(128))),
      doc('The state that the provider was sent with.', 'af0ifjsldkj'),
    ),
    code: described(
      v.optional(long),
      doc('The code of the provider, which the service exchanges there.', '4/0AX4XfWh'),
    ),
    iss: described(
      v.optional(text),
      doc('The issuer that answers, where the provider names it (RFC 9207).', 'https://accounts.google.com'),
    ),
    error: described(
      v.optional(text),
      doc('Why the login failed at the provider, instead of a code.', 'access_denied'),
    ),
    error_description: described(
      v.optional(text),
      doc('The same in words of the provider.', 'The user denied the request'),
    ),
    user: described(
      v.optional(text),
      doc(
        'The name of the user as JSON, which Apple sends at the first login alone.',
        '{"name":{"firstName":"Ann"}}',
      ),
    ),
  }),
  sample('state', 'code'),
);

export const LoginProviderPath = v.object({
  loginId: described(v.pipe(v.string(), maxCharacters(64)), words.loginId),
  provider: described(v.pipe(v.string(), maxCharacters(16)), words.provider),
});
