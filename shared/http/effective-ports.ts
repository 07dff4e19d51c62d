import type { Auth, Operation } from '../operation.ts';
import type { PortName } from '../ports/index.ts';
import type { PortMethod, PortOrMethod, PortsWith } from '../ports/uses.ts';

/** Port methods that check whether the login of a token is still valid. */
const LOGIN_CHECKS = ['sessions.find', 'revokedTokens.isRevoked', 'users.find'] as const;

/** Port methods with which `serve` identifies the caller and counts the call, by type of caller. */
const IMPLIED = {
  none: [],
  // A key-bound token needs a single-use proof, and the proof for a user's token may also need a nonce.
  client: ['signingKeys', 'clients', 'applications', 'tenants', 'windows.count', 'replays'],
  admin: ['signingKeys', 'clients', 'tenants', 'windows.count', 'replays'],
  operator: [
    ...(['signingKeys', 'clients', 'tenants', 'operators.find', 'windows.count', 'replays'] as const),
    ...LOGIN_CHECKS,
  ],
  user: ['signingKeys', 'clients', 'replays', 'nonceMac'],
  // The role of an organization's administrator is read at each call.
  'org-admin': [
    ...(['signingKeys', 'clients', 'tenants', 'replays', 'nonceMac'] as const),
    ...(['memberships', 'organizations'] as const),
    ...LOGIN_CHECKS,
  ],
  'client-secret': [],
  'login-cookie': [],
  origin: [],
} as const satisfies Readonly<Record<Auth, readonly PortMethod[]>>;

/** Ports that `serve` may receive. They depend on the types of callers that the operation accepts. */
export type ImpliedPorts = Partial<PortsWith<(typeof IMPLIED)[Auth][number]>>;

export function listAuth(row: Operation): readonly Auth[] {
  return typeof row.auth === 'string' ? [row.auth] : row.auth;
}

const TOKEN_KINDS: readonly Auth[] = ['client', 'admin', 'operator', 'user', 'org-admin'];

const WITHOUT_TOKEN: readonly Auth[] = ['none', 'login-cookie', 'origin'];

/** Returns true if the operation can be called without a token or client secret. */
export function isAnonymous(row: Operation): boolean {
  return listAuth(row).some((kind) => WITHOUT_TOKEN.includes(kind));
}

/**
 * Returns true if anonymous calls to the operation are counted by network. Requests for keys, metadata and health are not
 * counted: they are served from memory, and verifiers that share a network with an attacker must still get them.
 */
export const countsNetworks = (row: Operation): boolean =>
  isAnonymous(row) && (row.reach === 'browser' || row.method === 'POST');

/** Returns true if callers of the operation authenticate with an access token of this service. */
export function acceptsToken(row: Operation): boolean {
  return listAuth(row).some((kind) => TOKEN_KINDS.includes(kind));
}

/** Returns true if the operation's `auth` includes operators. */
export const acceptsOperators = (row: Operation): boolean => listAuth(row).includes('operator');

/** Returns true for methods that check an operator's login. Changes need this check; reads accept any unexpired token. */
const checksLogin = (use: PortMethod): boolean => (LOGIN_CHECKS as readonly PortMethod[]).includes(use);
const impliedBy = (auth: Auth, { method }: Operation): readonly PortMethod[] =>
  auth === 'operator' && method === 'GET'
    ? IMPLIED.operator.filter((use) => !checksLogin(use))
    : IMPLIED[auth];

/** Returns the port methods that an operation's function and IAM policy need: its `uses` and those that `auth` implies. */
export function effectiveUses(row: Operation): readonly PortMethod[] {
  return [...new Set([...row.uses, ...listAuth(row).flatMap((auth) => impliedBy(auth, row))])].sort();
}

/** Returns the port of a method, such as `users` for `users.find`. */
const toPort = (use: PortOrMethod): PortName => use.split('.', 1)[0] as PortName;

export function listPorts(uses: readonly PortOrMethod[]): readonly PortName[] {
  return [...new Set(uses.map(toPort))];
}

export const effectivePorts = (row: Operation): readonly PortName[] => listPorts(effectiveUses(row));

/** Returns the methods of a port that are used. Returns undefined if the whole port is used. */
export function listMethods(uses: readonly PortOrMethod[], port: PortName): readonly string[] | undefined {
  if (uses.includes(port)) return undefined;
  const start = `${port}.`;
  return uses.filter((use) => use.startsWith(start)).map((use) => use.slice(start.length));
}
