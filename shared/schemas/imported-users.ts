import * as v from 'valibot';
import {
  CREDENTIAL_ID_MAX_BYTES,
  EXTERNAL_ID_MAX,
  IDENTITIES_MAX,
  NAME_MAX,
  PASSKEYS_MAX,
} from '../domain/basis/limits.ts';

// Fields that an import from another system accepts if the operator trusts that system.

const binary = (bytesMax: number) =>
  v.pipe(
    v.string(),
    v.regex(/^[A-Za-z0-9+/_-]+={0,2}$/, 'must be base64 or base64url'),
    v.transform((text) => Buffer.from(text, 'base64')),
    v.check((bytes) => bytes.length > 0 && bytes.length <= bytesMax, 'has the wrong length'),
    v.transform((bytes) => bytes.toString('base64url')),
  );

const COUNT_MAX = 2 ** 32 - 1;
const HANDLE_MAX_BYTES = 64;
const PUBLIC_KEY_MAX_BYTES = 2048;
const text = v.pipe(v.string(), v.nonEmpty(), v.maxLength(NAME_MAX));

export const passkeyEntries = {
  credential_id: binary(CREDENTIAL_ID_MAX_BYTES),
  public_key: binary(PUBLIC_KEY_MAX_BYTES),
  user_handle: binary(HANDLE_MAX_BYTES),
  rp_id: v.optional(text),
  sign_count: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(COUNT_MAX)), 0),
  transports: v.optional(v.array(text), []),
  aaguid: v.optional(text, '00000000-0000-0000-0000-000000000000'),
  name: v.optional(text),
  backup_eligible: v.optional(v.boolean()),
  backed_up: v.optional(v.boolean(), false),
  created_at: v.optional(v.unknown()),
};
export const accountEntries = {
  provider: v.pipe(v.string(), v.nonEmpty()),
  subject: v.pipe(v.string(), v.nonEmpty(), v.maxLength(EXTERNAL_ID_MAX)),
  issuer: v.optional(v.string()),
};

export const trustedFields = v.object({
  user_id: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(EXTERNAL_ID_MAX))),
  email_verified: v.optional(v.boolean()),
  phone_number_verified: v.optional(v.boolean()),
  created_at: v.optional(v.unknown()),
  identities: v.optional(v.pipe(v.array(v.object(accountEntries)), v.maxLength(IDENTITIES_MAX)), []),
  passkeys: v.optional(v.pipe(v.array(v.object(passkeyEntries)), v.maxLength(PASSKEYS_MAX)), []),
});
export type TrustedImportFields = v.InferOutput<typeof trustedFields>;
