/**
 * How tokens are signed. `kms`: KMS signs each token, and the private key never leaves it. `kms-envelope`: KMS has made a
 * key pair and encrypted its private half; each container opens that once and signs by itself, for regions whose logins go
 * beyond the request quota of KMS.
 */
export const SIGNING_MODES = ['kms', 'kms-envelope'] as const;
export type SigningMode = (typeof SIGNING_MODES)[number];

/** What a sealed private key is bound to, beside the key it is sealed under. The same words are tags of keys that sign. */
export const signingTags = (environment: string): Readonly<Record<string, string>> => ({
  'otl:environment': environment,
  'otl:purpose': 'signing',
});

/** The alias of the key that private keys of an environment are sealed under. */
export const envelopeAlias = (prefix: string): string => `alias/${prefix}-signing-envelope`;
