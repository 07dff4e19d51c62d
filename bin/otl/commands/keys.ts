import type { KeyMaker } from '../../../lib/operator/signing-keys/key-maker.ts';
import type { SigningMode } from '../../../shared/aws/signing-keys/modes.ts';
import { signingKeyRecord } from '../../../shared/aws/signing-keys/record.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import {
  findNextStepTime,
  type KeyStep,
  prepareKey,
  retireKeys,
  rotateKeys,
} from '../../../shared/domain/management/signing-keys.ts';
import type { SigningKey } from '../../../shared/ports/keys.ts';
import type { Call, CommandGroup } from '../engine/command.ts';
import { RefusedError, UsageError } from '../terminal/failure.ts';
import { type Column, listOutcome } from '../terminal/outcome.ts';

interface KeyRecord {
  readonly kid: string;
  readonly alg: SigningKey['alg'];
  readonly state: SigningKey['state'];
  readonly state_since: string;
  readonly mode: SigningMode;
  readonly key_arn: string;
  /** Time (RFC 3339) from which a `next` key may sign, or a `previous` key may be retired. */
  readonly ready_at?: string;
  readonly forced_because?: string;
}

const date = (at: number) => new Date(at * 1000).toISOString();

function keyRecord(key: SigningKey): KeyRecord {
  const ready = findNextStepTime(key);
  return {
    kid: key.kid,
    alg: key.alg,
    state: key.state,
    state_since: date(key.stateSince),
    mode: key.sealed ? 'kms-envelope' : 'kms',
    key_arn: key.keyArn,
    ...(ready === undefined ? {} : { ready_at: date(ready) }),
    ...(key.forcedBecause === undefined ? {} : { forced_because: key.forcedBecause }),
  };
}

const minute = (text: string) => text.slice(0, '2026-01-31T12:00'.length).replace('T', ' ');

const columns: readonly Column<KeyRecord>[] = [
  { heading: 'KEY', text: (key) => key.kid, flexible: true },
  { heading: 'ALGORITHM', text: (key) => key.alg },
  { heading: 'STATE', text: (key) => key.state },
  { heading: 'MODE', text: (key) => key.mode },
  { heading: 'SINCE', text: (key) => minute(key.state_since) },
  { heading: 'NEXT STEP FROM', text: (key) => (key.ready_at === undefined ? '' : minute(key.ready_at)) },
];

const keyList = (keys: readonly SigningKey[]) => listOutcome({ items: keys }, keyRecord, columns);

function readStep({ option }: Call): KeyStep {
  const reason = option('force');
  if (reason === undefined) return { at: nowSeconds() };
  if (reason.trim() === '') throw new UsageError('--force needs a reason, which is stored with the key.');
  return { at: nowSeconds(), reason };
}

const FORCE = { 'force <reason>': 'skip the waiting time; the reason is stored with the key' };

const ALGORITHM = { 'algorithm <name>': 'algorithm of the key: RS256 (default, also signs PS256) or ES256' };

function readAlgorithm({ option }: Call): SigningKey['alg'] {
  const wanted = option('algorithm') ?? 'RS256';
  if (wanted !== 'RS256' && wanted !== 'ES256')
    throw new UsageError('--algorithm must be RS256, which also signs PS256, or ES256.');
  return wanted;
}

/**
 * Returns the object that creates and disables KMS keys in the AWS account of the existing signing keys.
 * @throws `RefusedError` if there is no signing key yet.
 */
async function openKeyMaker({ ports, keyMaker }: Call): Promise<KeyMaker> {
  const [known] = await ports.signingKeyRecords.list();
  if (!known) throw new RefusedError('There is no signing key yet. The deployment creates the first one.');
  return keyMaker(known.keyArn.split(':')[4] ?? '');
}

async function prepare(call: Call) {
  const maker = await openKeyMaker(call);
  const wanted = call.option('mode') ?? maker.modes[0];
  const mode = maker.modes.find((each) => each === wanted);
  if (!mode)
    throw new UsageError(`--mode must be one that the functions may use: ${maker.modes.join(', ')}.`);
  const kind = readAlgorithm(call);
  const key = await prepareKey(call.ports, kind, async () =>
    signingKeyRecord(await maker.create(mode, kind), 'next', nowSeconds()),
  );
  call.audit({ keyId: key.kid });
  const record = keyRecord(key);
  const rotate = kind === 'RS256' ? 'otl keys rotate' : `otl keys rotate --algorithm ${kind}`;
  return { record, note: `The key may sign from ${record.ready_at} on. Then run: ${rotate}` };
}

async function retire(call: Call) {
  const retired = await retireKeys(call.ports, call.id === '' ? undefined : call.id, readStep(call));
  // Write the audit record before the call to KMS, which can fail after the keys have left the published set.
  call.audit({ keyId: retired.map(({ kid }) => kid).join(' '), events: ['management.changed'] });
  const maker = await openKeyMaker(call);
  // A sealed private key was deleted with its record. The KMS key that encrypted it stays enabled, because it decrypts other
  // signing keys.
  for (const { sealed, keyArn } of retired) if (!sealed) await maker.disable(keyArn);
  return keyList(retired);
}

async function rotate(call: Call) {
  const kind = readAlgorithm(call);
  const endsLast = call.option('last') !== undefined;
  if (endsLast && (kind === 'RS256' || call.es256))
    throw new UsageError(`--last is only for an algorithm that is switched off, and ${kind} is on.`);
  const keys = await rotateKeys(call.ports, { kind, endsLast }, readStep(call));
  const signing = keys.filter(({ state }) => state === 'current');
  call.audit({ keyId: signing.map(({ kid }) => kid).join(' ') });
  return keyList(keys);
}

export const keys: CommandGroup = {
  name: 'keys',
  summary: 'keys that sign tokens: prepare the next one, rotate to it, retire the previous one',
  ofNoTenant: true,
  about: () => ({}),
  commands: [
    {
      verb: 'list',
      summary: 'Lists the published keys',
      examples: ['', '--json'],
      run: async ({ ports }) => keyList(await ports.signingKeyRecords.list()),
    },
    {
      verb: 'prepare',
      summary: 'Creates and publishes a key, which does not sign yet',
      changes: 'management.changed',
      options: {
        'mode <mode>': 'kms or kms-envelope (default: the first mode of the environment)',
        ...ALGORITHM,
      },
      examples: ['', '--mode kms-envelope', '--algorithm ES256'],
      run: prepare,
    },
    {
      verb: 'rotate',
      summary: 'Makes the next key sign, once all caches of the key set have it',
      changes: 'management.changed',
      options: { ...FORCE, ...ALGORITHM, last: 'end the last key of an algorithm that is off' },
      examples: ['', '--force "the current key has been misused"'],
      run: rotate,
    },
    {
      verb: 'retire',
      summary: 'Unpublishes and disables previous keys once their last tokens have expired',
      changes: 'management.changed',
      id: 'optional',
      options: FORCE,
      examples: ['', 'kP3_1fXo --force "tokens of this key must become invalid at once"'],
      run: retire,
    },
  ],
};
