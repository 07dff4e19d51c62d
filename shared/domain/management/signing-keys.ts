import { invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { SigningKey, SigningKeyRecords } from '../../ports/keys.ts';
import type { Using } from '../../ports/uses.ts';
import { DIRECTORY_CACHE_SECONDS, KEY_KEPT_SECONDS, KEYS_SEEN_SECONDS } from '../basis/limits.ts';

/*
 * The life of a signing key: `next` (published, does not sign yet), `current` (signs), `previous` (signs no more, published
 * for its last tokens), gone. OIDC Core §10.1.1: verifiers must be able to know a key before it signs.
 */

type KeyPorts = Using<
  'signingKeyRecords.list' | 'signingKeyRecords.move' | 'signingKeyRecords.put' | 'signingKeyRecords.remove'
>;

/** Each kind of key has a rotation of its own. */
type KeyKind = SigningKey['alg'];

/** What is given where a step is taken: its time, and why it does not wait. */
export interface KeyStep {
  readonly at: number;
  readonly reason?: string;
}

/** When the step out of this state may be taken, as epoch seconds; undefined of a key that signs. */
export function readyAt({ state, stateSince }: SigningKey): number | undefined {
  if (state === 'next') return stateSince + KEYS_SEEN_SECONDS;
  return state === 'previous' ? stateSince + KEY_KEPT_SECONDS : undefined;
}

const wordOf = (at: number): string => new Date(at * 1000).toISOString();

/** A reason lets a step come early; but no key leaves while functions that have not read its state yet sign with it. */
function requireReady(key: SigningKey, { at, reason }: KeyStep, what: string): void {
  const soonest = key.state === 'previous' ? key.stateSince + DIRECTORY_CACHE_SECONDS : 0;
  const ready = reason === undefined ? (readyAt(key) ?? 0) : soonest;
  if (at >= ready) return;
  throw invalidInput(`The key ${key.kid} must not ${what} before ${wordOf(ready)}.`);
}

const ofState = (keys: readonly SigningKey[], state: SigningKey['state']): readonly SigningKey[] =>
  keys.filter((key) => key.state === state).toSorted((one, other) => one.stateSince - other.stateSince);

const ofKind = (keys: readonly SigningKey[], kind: KeyKind): readonly SigningKey[] =>
  keys.filter(({ alg }) => alg === kind);

/** Publishes a new key as `next`. Errors: `system_invalid_input` when there is one, `concurrent_change`. */
export async function prepareKey(
  { signingKeyRecords }: KeyPorts,
  kind: KeyKind,
  make: () => Promise<SigningKey>,
): Promise<SigningKey> {
  const [waiting] = ofState(ofKind(await signingKeyRecords.list(), kind), 'next');
  if (waiting) throw invalidInput(`There is a next key already: ${waiting.kid}. Rotate to it, or retire it.`);
  const key = await make();
  if (!(await signingKeyRecords.put(key))) throw new ServiceError('concurrent_change');
  return key;
}

/**
 * The next key signs from now on, and the one before no more. The new one begins first: in between two can sign, and both
 * are published. A rotation that was cut off there is finished by the next call. `endsLast` ends the last key without a
 * next one.
 * Errors: `system_invalid_input` without a next key or before its time, `concurrent_change`.
 */
export async function rotateKeys(
  { signingKeyRecords }: KeyPorts,
  { kind, endsLast = false }: { readonly kind: KeyKind; readonly endsLast?: boolean },
  step: KeyStep,
): Promise<readonly SigningKey[]> {
  const keys = ofKind(await signingKeyRecords.list(), kind);
  const [next, another] = ofState(keys, 'next');
  const signing = ofState(keys, 'current');
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
  return ofKind(await signingKeyRecords.list(), kind);
}

/**
 * Takes keys out of the published set: the one named, or every previous key. A next key has signed nothing and may go at
 * any time; a current key never goes. Errors: `system_invalid_input`, `concurrent_change`.
 */
export async function retireKeys(
  { signingKeyRecords }: KeyPorts,
  kid: string | undefined,
  step: KeyStep,
): Promise<readonly SigningKey[]> {
  const keys = await signingKeyRecords.list();
  const chosen = kid === undefined ? ofState(keys, 'previous') : keys.filter((key) => key.kid === kid);
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

/** A repeated deletion cannot tell whether the first one was refused. */
async function requireGone(records: SigningKeyRecords, retired: readonly SigningKey[]): Promise<void> {
  const left = new Set((await records.list()).map(({ kid }) => kid));
  if (retired.some(({ kid }) => left.has(kid))) throw new ServiceError('concurrent_change');
}
