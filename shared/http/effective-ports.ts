import type { Auth, Operation } from '../operation.ts';
import type { PortName } from '../ports/index.ts';

/** What `serve` itself needs to tell who is calling and how often. */
const IMPLIED: Readonly<Record<Auth, readonly PortName[]>> = {
  none: [],
  // A token that is bound to a key comes with a proof, which counts once; of a user's client it may need a nonce.
  client: ['signingKeys', 'clients', 'applications', 'tenants', 'windows', 'replays'],
  admin: ['signingKeys', 'clients', 'applications', 'tenants', 'windows', 'replays'],
  user: ['signingKeys', 'clients', 'replays', 'nonceMac'],
  // Whether somebody still administers an organization is asked at each call.
  'org-admin': [
    ...(['signingKeys', 'clients', 'tenants', 'replays', 'nonceMac', 'sessions', 'revokedTokens'] as const),
    ...(['users', 'memberships', 'organizations'] as const),
  ],
  'client-secret': [],
  'login-cookie': [],
};

export function authOf(row: Operation): readonly Auth[] {
  return typeof row.auth === 'string' ? [row.auth] : row.auth;
}

const TOKEN_KINDS: readonly Auth[] = ['client', 'admin', 'user', 'org-admin'];

/** Whether an operation is called with an access token of ours. */
export function takesToken(row: Operation): boolean {
  return authOf(row).some((kind) => TOKEN_KINDS.includes(kind));
}

/** The ports of a function: its row's `uses` and what its `auth` implies. Wiring, bundles and IAM all follow this list. */
export function effectivePorts(row: Operation): readonly PortName[] {
  return [...new Set([...row.uses, ...authOf(row).flatMap((auth) => IMPLIED[auth])])].sort();
}
