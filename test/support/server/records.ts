import { randomUUID } from 'node:crypto';
import { SESSION_IDLE_SECONDS } from '../../../shared/domain/basis/limits.ts';
import {
  FIRST_GENERATION,
  PROVEN_GENERATIONS,
  TENANT_WIDE,
} from '../../../shared/domain/trust/generations.ts';
import type { Consent } from '../../../shared/ports/consents.ts';
import type { Application, Client, Organization, Resource, Tenant } from '../../../shared/ports/directory.ts';
import type { Webhook } from '../../../shared/ports/events.ts';
import type {
  MagicLink,
  MethodUse,
  OneTimeCodeKey,
  ProvenMethod,
  RefreshFamily,
  Session,
  StoredCode,
} from '../../../shared/ports/flows.ts';
import type { SigningKey } from '../../../shared/ports/keys.ts';
import type { OperatorGrant } from '../../../shared/ports/operators.ts';
import type { Address, Membership, User } from '../../../shared/ports/people.ts';
import type { Trust } from '../../../shared/ports/trust.ts';

// Sample records with unique IDs, so that a test specifies only the fields that matter for the test.

/**
 * Current time of the store tests in epoch seconds. The time is far in the future, because stores ignore items that have
 * expired according to the real clock.
 */
export const T = 4_000_000_000;

/** Returns a unique ID. */
export const unique = (kind: string): string => `${kind}-${randomUUID()}`;

const times = { createdAt: T, updatedAt: T };

export const someTenant = (change: Partial<Tenant> = {}): Tenant => ({
  tenantId: unique('tenant'),
  name: 'Tenant',
  salt: 'salt',
  ...times,
  ...change,
});

export const someApplication = (change: Partial<Application> = {}): Application => ({
  applicationId: unique('app'),
  tenantId: unique('tenant'),
  name: 'Application',
  redirectUris: ['https://example.com/callback'],
  publicSignup: true,
  hostedSignUp: false,
  offerPasskeys: false,
  idTokenClaims: 'all',
  resourceIds: [],
  ...times,
  ...change,
});

export const someClient = (change: Partial<Client> = {}): Client => ({
  clientId: unique('client'),
  tenantId: unique('tenant'),
  applicationId: unique('app'),
  kind: 'application',
  name: 'Client',
  secrets: [{ secretId: 'secret', hash: 'hash', createdAt: T }],
  boundCodes: true,
  ...times,
  ...change,
});

export const someResource = (change: Partial<Resource> = {}): Resource => ({
  resourceId: unique('resource'),
  tenantId: unique('tenant'),
  name: 'Resource',
  uri: `https://${randomUUID()}.example.com/`,
  accessTokenSeconds: 600,
  refreshTokenSeconds: 3600,
  maxRefreshRotateSeconds: 7200,
  ...times,
  ...change,
});

export const someOrganization = (change: Partial<Organization> = {}): Organization => ({
  organizationId: unique('org'),
  tenantId: unique('tenant'),
  name: 'Organization',
  ...times,
  ...change,
});

export const someSigningKey = (change: Partial<SigningKey> = {}): SigningKey => ({
  kid: unique('kid'),
  alg: 'RS256',
  publicJwk: { kty: 'RSA', n: 'modulus', e: 'AQAB' },
  keyArn: 'arn:aws:kms:eu-central-1:111122223333:key/1',
  state: 'next',
  stateSince: T,
  ...change,
});

/** Trust of a proven credential that is valid in the whole tenant. */
export const provenTrust: Trust = {
  standing: 'proven',
  scope: TENANT_WIDE,
  generation: FIRST_GENERATION,
  since: T,
};

export const someAddress = (value: string, change: Partial<Address> = {}): Address => ({
  ...{ value, ...provenTrust },
  ...change,
});

/** Login by email code, as a refresh token family stores it. */
export const someProof: ProvenMethod = { method: 'eotp', at: T, scope: TENANT_WIDE, worth: 'proven' };

/** Login by email code, as a session stores it, including the name of the credential. */
export const someUse = (change: Partial<MethodUse> = {}): MethodUse => ({
  ...{ ...someProof, credential: 'email' },
  ...change,
});

export const someUser = (change: Partial<User> = {}): User => ({
  userId: unique('user'),
  tenantId: unique('tenant'),
  status: 'Active',
  externalIds: [],
  customIdentifiers: [],
  groups: [],
  roles: [],
  identities: [],
  changes: [],
  formerEmails: [],
  generations: PROVEN_GENERATIONS,
  applications: [],
  ...times,
  ...change,
});

export const someMembership = (change: Partial<Membership> = {}): Membership => ({
  organizationId: unique('org'),
  userId: unique('user'),
  tenantId: unique('tenant'),
  roles: ['member'],
  ...times,
  ...change,
});

export const someConsent = (change: Partial<Consent> = {}): Consent => ({
  userId: unique('user'),
  key: unique('key'),
  mark: unique('mark'),
  revision: unique('by'),
  tenantId: unique('tenant'),
  applicationId: unique('app'),
  clientId: 'https://agent.example.com/client.json',
  redirectUri: 'https://agent.example.com/callback',
  resource: 'https://api.example.com/notes',
  scopes: ['notes:read'],
  staysConnected: true,
  grantedAt: T,
  expiresAt: T + 600,
  ...change,
});

export const someCodeKey = (): OneTimeCodeKey => ({
  applicationId: unique('app'),
  identifierHash: unique('hash'),
  slot: unique('slot'),
});

export const someCode = (change: Partial<StoredCode> = {}): StoredCode => ({
  kind: 'known',
  mac: unique('mac'),
  userId: unique('user'),
  userHash: unique('person'),
  callerType: 'strangers',
  purpose: 'one-time',
  clientId: unique('client'),
  channel: 'email',
  maxTries: 3,
  lockSeconds: 900,
  sentAt: T,
  expiresAt: T + 300,
  ...change,
});

export const someLink = (change: Partial<MagicLink> = {}): MagicLink => ({
  hash: unique('hash'),
  userId: unique('user'),
  tenantId: unique('tenant'),
  applicationId: unique('app'),
  clientId: unique('client'),
  redirectUri: 'https://example.com/callback',
  channel: 'email',
  sentAt: T,
  expiresAt: T + 900,
  ...change,
});

export const someFamily = (change: Partial<RefreshFamily> = {}): RefreshFamily => ({
  familyId: unique('family'),
  clientId: unique('client'),
  currentHash: 'hash',
  scope: 'openid',
  authTime: T,
  methods: [someProof],
  issuedAt: T,
  expiresAt: T + 3600,
  endsAt: T + 7200,
  ...change,
});

export function someSession(change: Partial<Session> = {}): Session {
  const userId = change.userId ?? unique('user');
  return {
    sessionId: `${userId}.${randomUUID()}`,
    userId,
    tenantId: unique('tenant'),
    applicationId: unique('app'),
    clientId: unique('client'),
    methods: [someUse()],
    generation: FIRST_GENERATION,
    startedAt: T,
    expiresAt: T + 1000,
    endsAt: T + 5000,
    idleSeconds: SESSION_IDLE_SECONDS,
    families: [someFamily()],
    ...change,
  };
}

export const someGrant = (change: Partial<OperatorGrant> = {}): OperatorGrant => ({
  userId: unique('operator'),
  tenantId: unique('tenant'),
  role: 'viewer',
  state: 'active',
  invitedBy: 'another',
  ...times,
  ...change,
});

export const someWebhook = (change: Partial<Webhook> = {}): Webhook => ({
  webhookId: unique('webhook'),
  tenantId: unique('tenant'),
  url: 'https://hooks.example.com/events',
  events: [],
  enabled: true,
  secretVersions: [1],
  createdAt: T,
  updatedAt: T,
  ...change,
});
