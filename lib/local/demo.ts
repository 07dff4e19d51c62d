/** The tenant that exists at every start. Its secrets are public: they open only a local server. */
export const demo = {
  tenantId: 'demo-tenant',
  applicationId: 'demo-app',
  client: { clientId: 'demo-client', clientSecret: 'demo-client-secret' },
  /** For pages and apps that can keep no secret. */
  publicClient: { clientId: 'demo-public' },
  management: { clientId: 'demo-management', clientSecret: 'demo-management-secret' },
  /** A person who may do everything in the tenant, at the operator console. */
  operator: { userId: 'demo-operator', email: 'operator@example.com' },
} as const;

/** Keys of the local KMS. */
export const SIGNING_KEY_ID = '5167a000-0000-4000-8000-000000000001';
export const ES256_KEY_ID = '5167a000-0000-4000-8000-000000000002';
export const MAC_KEY_ID = '3ac00000-0000-4000-8000-000000000001';
/** Seals the private keys that `otl keys prepare --mode kms-envelope` makes. */
export const ENVELOPE_KEY_ID = 'e7e10000-0000-4000-8000-000000000001';

/** Makes the secrets of webhooks. */
export const WEBHOOK_KEY_ID = '3eb00c00-0000-4000-8000-000000000001';

export const localKeys = [
  { id: SIGNING_KEY_ID, spec: 'RSA_2048' },
  { id: ES256_KEY_ID, spec: 'ECC_NIST_P256' },
  { id: MAC_KEY_ID, spec: 'HMAC_256' },
  { id: WEBHOOK_KEY_ID, spec: 'HMAC_256' },
  { id: ENVELOPE_KEY_ID, spec: 'SYMMETRIC_DEFAULT' },
] as const;
