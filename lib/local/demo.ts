/**
 * IDs and secrets of the demo tenant, which exists at every start. The secrets may be public: only local servers accept them.
 */
export const demo = {
  tenantId: 'demo-tenant',
  applicationId: 'demo-app',
  client: { clientId: 'demo-client', clientSecret: 'demo-client-secret' },
  /** Public client, for single-page and native apps, which cannot keep a secret. */
  publicClient: { clientId: 'demo-public' },
  management: { clientId: 'demo-management', clientSecret: 'demo-management-secret' },
  /** Operator who has all rights in the demo tenant at the operator console. */
  operator: { userId: 'demo-operator', email: 'operator@example.com' },
} as const;

/** ID of the local KMS key that signs tokens with RSA. */
export const SIGNING_KEY_ID = '5167a000-0000-4000-8000-000000000001';
/** ID of the local KMS key that signs tokens with ECDSA (ES256). */
export const ES256_KEY_ID = '5167a000-0000-4000-8000-000000000002';
/** ID of the local KMS key that computes message authentication codes, for example of passcodes. */
export const MAC_KEY_ID = '3ac00000-0000-4000-8000-000000000001';
/** ID of the local KMS key that encrypts the private keys created by `otl keys prepare --mode kms-envelope`. */
export const ENVELOPE_KEY_ID = 'e7e10000-0000-4000-8000-000000000001';
/** ID of the local KMS key from which the secrets of webhooks are derived. */
export const WEBHOOK_KEY_ID = '3eb00c00-0000-4000-8000-000000000001';

export const localKeys = [
  { id: SIGNING_KEY_ID, spec: 'RSA_2048' },
  { id: ES256_KEY_ID, spec: 'ECC_NIST_P256' },
  { id: MAC_KEY_ID, spec: 'HMAC_256' },
  { id: WEBHOOK_KEY_ID, spec: 'HMAC_256' },
  { id: ENVELOPE_KEY_ID, spec: 'SYMMETRIC_DEFAULT' },
] as const;
