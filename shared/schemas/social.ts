import * as v from 'valibot';
import { CLIENT_ID_MAX } from '../domain/basis/limits.ts';
import { OPENID_NAME } from '../records/providers.ts';
import { providerFields, redirectFields } from './authorization.ts';
import { describe, described, sample } from './fields/described.ts';
import { maxCharacters } from './fields/max-characters.ts';
import * as words from './fields/words.ts';

const text = v.pipe(v.string(), maxCharacters(2048));
const long = v.pipe(v.string(), maxCharacters(8192));

/** Path parameter of logins at an OpenID provider by name. The paths of built-in providers have no parameter. */
export const OpenIdNamePath = v.object({
  name: described(
    v.optional(v.pipe(v.string(), v.regex(OPENID_NAME, 'must have 1 to 32 characters of a-z, 0-9 and -'))),
    describe("Name of the application's own OpenID provider.", 'acme'),
  ),
});

/** Parameters of a login at a social provider (SPEC B). */
export const SocialLoginQuery = v.pipe(
  v.object({
    client_id: described(v.pipe(v.string(), v.minLength(1), maxCharacters(CLIENT_ID_MAX)), words.clientId),
    ...redirectFields,
    ...providerFields,
  }),
  // The API document lists these fields as required. The operation itself checks them after it has found the client.
  v.metadata({ required: ['client_id', 'redirect_uri'] }),
);

/** Response of a provider: a query or, from Apple, a form. Apple includes the user's name only at the first login. */
export const ProviderAnswer = described(
  v.object({
    state: described(
      // The limit is low, because the service itself creates the state, and the state becomes part of a URL again.
      v.optional(v.pipe(v.string(), maxCharacters(128))),
      describe('State that was sent to the provider.', 'af0ifjsldkj'),
    ),
    code: described(
      v.optional(long),
      describe('Code of the provider, which the service exchanges for tokens.', '4/0AX4XfWh'),
    ),
    iss: described(
      v.optional(text),
      describe('Issuer that answers, if the provider sends it (RFC 9207).', 'https://accounts.google.com'),
    ),
    error: described(v.optional(text), describe('Error code of a failed login.', 'access_denied')),
    error_description: described(
      v.optional(text),
      describe('Description of the error by the provider.', 'The user denied the request'),
    ),
    user: described(
      v.optional(text),
      describe(
        'Name of the user as JSON, which Apple sends at the first login.',
        '{"name":{"firstName":"Ann"}}',
      ),
    ),
  }),
  sample('state', 'code'),
);

export const LoginProviderPath = v.object({
  loginId: described(v.pipe(v.string(), maxCharacters(64)), words.loginId),
  provider: described(v.pipe(v.string(), maxCharacters(32)), words.providerInPath),
});
