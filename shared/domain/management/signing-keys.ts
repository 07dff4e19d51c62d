import { invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { SigningKey, SigningKeyRecords } from '../../ports/keys.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { DIRECTORY_CACHE_SECONDS, KEY_KEPT_SECONDS, KEYS_PROPAGATION_SECONDS } from '../basis/limits.ts';

// Life of a signing key: `next` (published, does not sign yet), `current` (signs), `previous` (no longer signs, published for
// its last tokens), removed. Verifiers must be able to fetch a key before it signs (OIDC Core §10.1.1).

type KeyPorts = PortsWith<
  'signingKeyRecords.list' | 'signingKeyRecords.move' | 'signingKeyRecords.put' | 'signingKeyRecords.remove'
>;

/** Type of a signing key, which is its algorithm. Keys of different types rotate independently. */
type KeyKind = SigningKey['alg'];

/** Options for the state change of a signing key: its time (epoch seconds), and a reason if it happens earlier than allowed. */
export interface KeyStep {
  readonly at: number;
  readonly reason?: string;
}

/** Returns the time (epoch seconds) from which a signing key may enter its next state, or undefined for the current key. */
export function findNextStepTime({ state, stateSince }: SigningKey): number | undefined {
  if (state === 'next') return stateSince + KEYS_PROPAGATION_SECONDS;
  return state === 'previous' ? stateSince + KEY_KEPT_SECONDS : undefined;
}

const formatTime = (at: number): string => new Date(at * 1000).toISOString();

/**
 * Rejects a state change of a signing key that comes too early, unless a reason is given. Even with a reason, a key stays
 * published while a function with a cached state could still sign with it.
 */
function requireReady(key: SigningKey, { at, reason }: KeyStep, what: string): void {
  const soonest = key.state === 'previous' ? key.stateSince + DIRECTORY_CACHE_SECONDS : 0;
  const ready = reason === undefined ? (findNextStepTime(key) ?? 0) : soonest;
  if (at >= ready) return;
  throw invalidInput(`The key ${key.kid} must not ${what} before ${formatTime(ready)}.`);
}

const keysInState = (keys: readonly SigningKey[], state: SigningKey['state']): readonly SigningKey[] =>
  keys.filter((key) => key.state === state).toSorted((one, other) => one.stateSince - other.stateSince);

const keysOfType = (keys: readonly SigningKey[], kind: KeyKind): readonly SigningKey[] =>
  keys.filter(({ alg }) => alg === kind);

/** Publishes a new key as `next`. Errors: `system_invalid_input` if there is already a next key, `concurrent_change`. */
export async function prepareKey(
  { signingKeyRecords }: KeyPorts,
  kind: KeyKind,
  make: () => Promise<SigningKey>,
): Promise<SigningKey> {
  const [pendingNext] = keysInState(keysOfType(await signingKeyRecords.list(), kind), 'next');
  if (pendingNext)
    throw invalidInput(`There is a next key already: ${pendingNext.kid}. Rotate to it, or retire it.`);
  const key = await make();
  if (!(await signingKeyRecords.put(key))) throw new ServiceError('concurrent_change');
  return key;
}

/**
 * Makes the next key the current key, then ends the previous current key. In between, both keys can sign and are published; if
 * a rotation stops there, the next call completes it. `endsLast` also ends a current key that has no successor. Errors:
 * `system_invalid_input` if there is no next key or the rotation is too early, `concurrent_change`.
 */
export async function rotateKeys(
  { signingKeyRecords }: KeyPorts,
  { kind, endsLast = false }: { readonly kind: KeyKind; readonly endsLast?: boolean },
  step: KeyStep,
): Promise<readonly SigningKey[]> {
  const keys = keysOfType(await signingKeyRecords.list(), kind);
  const [next, another] = keysInState(keys, 'next');
  const signing = keysInState(keys, 'current');
  if (another) throw invalidInput('There are two next keys: retire one of them first.');
  const kept = !next && !endsLast ? 1 : 0;
  if (!next && signing.length <= kept) throw invalidInput('There is no next key: prepare one first.');
  if (next) {
    requireReady(next, step, 'sign');
    const begins = { at: step.at, forcedBecause: step.reason };
    if (!(await signingKeyRecords.move(next.kid, 'next', 'current', begins)))
      throw new ServiceError('concurrent_change');
  }
  for (const { kid } of signing.slice(0, signing.length - kept))
    await signingKeyRecords.move(kid, 'current', 'previous', { at: step.at });
  return keysOfType(await signingKeyRecords.list(), kind);
}

/**
 * Removes keys from the published set: the key named `kid`, or all previous keys. A current key cannot be removed. A next key
 * has signed nothing and can be removed at any time. Errors: `system_invalid_input`, `concurrent_change`.
 */
export async function retireKeys(
  { signingKeyRecords }: KeyPorts,
  kid: string | undefined,
  step: KeyStep,
): Promise<readonly SigningKey[]> {
  const keys = await signingKeyRecords.list();
  const chosen = kid === undefined ? keysInState(keys, 'previous') : keys.filter((key) => key.kid === kid);
  if (chosen.length === 0)
    throw invalidInput(kid === undefined ? 'There is no previous key.' : `There is no signing key ${kid}.`);
  for (const key of chosen) {
    if (key.state === 'current') throw invalidInput(`The key ${key.kid} signs: rotate first.`);
    if (key.state === 'previous') requireReady(key, step, 'leave');
  }
  for (const key of chosen)
    if (!(await signingKeyRecords.remove(key.kid, key.state))) throw new ServiceError('concurrent_change');
  await requireGone(signingKeyRecords, chosen);
  return chosen;
}

/**
 * Verifies that retired keys no longer exist. If the SDK has retried a deletion, its result does not show whether the store
 * accepted the first attempt.
 */
async function requireGone(records: SigningKeyRecords, retired: readonly SigningKey[]): Promise<void> {
  const left = new Set((await records.list()).map(({ kid }) => kid));
  if (retired.some(({ kid }) => left.has(kid))) throw new ServiceError('concurrent_change');
}
