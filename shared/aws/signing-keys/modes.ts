/**
 * How tokens are signed. `kms`: KMS signs each token, and the private key never leaves it. `kms-envelope`: KMS makes a key
 * pair and encrypts the private key; each container decrypts it once and signs itself, for regions with more logins than
 * the request quota of KMS allows.
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
