import type {
  AuthorizationCode,
  LoginTransaction,
  PushedRequest,
  UpstreamLogin,
} from '../../shared/ports/authorization.ts';
import { T, unique } from './records.ts';

/** Records of the redirect flows for store tests. */

export const someAuthorizationCode = (change: Partial<AuthorizationCode> = {}): AuthorizationCode => ({
  hash: unique('hash'),
  origin: 'oidc',
  tenantId: unique('tenant'),
  applicationId: unique('app'),
  clientId: unique('client'),
  redirectUri: 'https://example.com/callback',
  scope: 'openid',
  offlineAccess: false,
  resources: [],
  userId: unique('user'),
  methods: [{ method: 'eotp', at: T }],
  authTime: T,
  sessionId: `${unique('user')}.session`,
  startsSession: true,
  familyId: unique('family'),
  issuedAt: T,
  expiresAt: T + 60,
  ...change,
});

export const somePushedRequest = (change: Partial<PushedRequest> = {}): PushedRequest => ({
  hash: unique('hash'),
  clientId: unique('client'),
  parameters: '{"scope":"openid"}',
  expiresAt: T + 60,
  ...change,
});

export const someLoginTransaction = (change: Partial<LoginTransaction> = {}): LoginTransaction => ({
  hash: unique('hash'),
  tenantId: unique('tenant'),
  applicationId: unique('app'),
  clientId: unique('client'),
  browserHash: unique('browser'),
  request: '{"state":"s"}',
  progress: '{"step":"identifier"}',
  version: 1,
  startedAt: T,
  expiresAt: T + 1800,
  ...change,
});

export const someUpstreamLogin = (change: Partial<UpstreamLogin> = {}): UpstreamLogin => ({
  hash: unique('hash'),
  provider: 'google',
  tenantId: unique('tenant'),
  applicationId: unique('app'),
  clientId: unique('client'),
  browserHash: unique('browser'),
  request: 'sealed',
  expiresAt: T + 600,
  ...change,
});
