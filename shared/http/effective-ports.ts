import type { Auth, Operation } from '../operation.ts';
import type { PortName } from '../ports/index.ts';
import type { AnyUse, Use, Using } from '../ports/uses.ts';

/** Whether the login of a token still lives. */
const OF_LOGIN = ['sessions.find', 'revokedTokens.isRevoked', 'users.find'] as const;

/** What `serve` uses to identify the caller and count the call. */
const IMPLIED = {
  none: [],
  // A key-bound token comes with a proof that is good once; the proof for a user's token may need a nonce.
  client: ['signingKeys', 'clients', 'applications', 'tenants', 'windows.count', 'replays'],
  admin: ['signingKeys', 'clients', 'tenants', 'windows.count', 'replays'],
  operator: [
    ...(['signingKeys', 'clients', 'tenants', 'operators.find', 'windows.count', 'replays'] as const),
    ...OF_LOGIN,
  ],
  user: ['signingKeys', 'clients', 'replays', 'nonceMac'],
  // The role of an organization's administrator is read at each call.
  'org-admin': [
    ...(['signingKeys', 'clients', 'tenants', 'replays', 'nonceMac'] as const),
    ...(['memberships', 'organizations'] as const),
    ...OF_LOGIN,
  ],
  'client-secret': [],
  'login-cookie': [],
  origin: [],
} as const satisfies Readonly<Record<Auth, readonly Use[]>>;

/** The ports that `serve` may find, depending on the row. */
export type ImpliedPorts = Partial<Using<(typeof IMPLIED)[Auth][number]>>;

export function authOf(row: Operation): readonly Auth[] {
  return typeof row.auth === 'string' ? [row.auth] : row.auth;
}

const TOKEN_KINDS: readonly Auth[] = ['client', 'admin', 'operator', 'user', 'org-admin'];

const WITHOUT_TOKEN: readonly Auth[] = ['none', 'login-cookie', 'origin'];

/** Whether a caller may show neither a token nor a secret. */
export function isAnonymous(row: Operation): boolean {
  return authOf(row).some((kind) => WITHOUT_TOKEN.includes(kind));
}

/**
 * Whether its anonymous calls are counted by network. Keys, metadata and health are not: they answer from memory, and verifiers
 * behind an attacker's address need them.
 */
export const countsNetworks = (row: Operation): boolean =>
  isAnonymous(row) && (row.reach === 'browser' || row.method === 'POST');

/** Whether the caller presents an access token of this service. */
export function takesToken(row: Operation): boolean {
  return authOf(row).some((kind) => TOKEN_KINDS.includes(kind));
}

/** Whether the caller may be an operator. */
export const takesOperators = (row: Operation): boolean => authOf(row).includes('operator');

/** What an operator reads is answered by a token that lives 15 minutes; what one changes, by a login that lives now. */
const isOfLogin = (use: Use): boolean => (OF_LOGIN as readonly Use[]).includes(use);
const impliedBy = (auth: Auth, { method }: Operation): readonly Use[] =>
  auth === 'operator' && method === 'GET' ? IMPLIED.operator.filter((use) => !isOfLogin(use)) : IMPLIED[auth];

/** All that a function may call: its row's `uses` and what its `auth` implies. Ports, bundles and IAM follow this list. */
export function effectiveUses(row: Operation): readonly Use[] {
  return [...new Set([...row.uses, ...authOf(row).flatMap((auth) => impliedBy(auth, row))])].sort();
}

/** The port of `users.find` is `users`. */
const portOf = (use: AnyUse): PortName => use.split('.', 1)[0] as PortName;

export function portsIn(uses: readonly AnyUse[]): readonly PortName[] {
  return [...new Set(uses.map(portOf))];
}

export const effectivePorts = (row: Operation): readonly PortName[] => portsIn(effectiveUses(row));

/** The verbs of a port that are used. Undefined: all of them. */
export function verbsIn(uses: readonly AnyUse[], port: PortName): readonly string[] | undefined {
  if (uses.includes(port)) return undefined;
  const start = `${port}.`;
  return uses.filter((use) => use.startsWith(start)).map((use) => use.slice(start.length));
}
