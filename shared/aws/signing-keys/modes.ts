/**
 * Modes of signing tokens. `kms`: KMS signs each token, and the private key never leaves KMS. `kms-envelope`: KMS creates a key
 * pair and encrypts the private key; each container decrypts the key once and signs itself. Use `kms-envelope` in regions with
 * more logins than the request quota of KMS allows.
 */
export const SIGNING_MODES = ['kms', 'kms-envelope'] as const;
export type SigningMode = (typeof SIGNING_MODES)[number];

/** Returns the KMS encryption context of a private key. KMS signing keys have the same values as tags. */
export const signingTags = (environment: string): Readonly<Record<string, string>> => ({
  'otl:environment': environment,
  'otl:purpose': 'signing',
});

/** Returns the alias of the KMS key that encrypts the private keys of an environment. */
export const envelopeAlias = (prefix: string): string => `alias/${prefix}-signing-envelope`;
