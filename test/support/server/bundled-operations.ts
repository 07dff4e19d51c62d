import { operations } from '../../../functions/operations.ts';
import type { OperationTable } from '../../../lib/build/bundle.ts';
import { isFull } from '../tools/full-run.ts';
import { stateOfSources } from './made-once.ts';

/** The largest, those that must be small, and those that logins call. */
const ALWAYS = new Set([
  'browser/authorize',
  'browser/login-act',
  'browser/login-page',
  'browser/login-passkey',
  'browser/push-request-rfc9126',
  'code-based/open-link',
  'meta/fallback',
  'meta/health',
  'meta/openapi',
  'one-time/authenticate-magic-link',
  'one-time/authenticate-otp',
  'one-time/open-magic-link',
  'one-time/send-magic-link',
  'one-time/send-otp',
  'tokens/discovery',
  'tokens/jwks',
  'tokens/token',
  'users/create-user',
]);
const IN_TURN = 6;

/** Bundling takes 20 seconds of CPU: a run that is not full takes these and some others, which change with the sources. */
function some(): OperationTable {
  const first = Number.parseInt(stateOfSources().slice(0, 6), 16);
  return Object.fromEntries(
    Object.entries(operations).filter(
      ([, { event }], index) => ALWAYS.has(event) || (index + first) % IN_TURN === 0,
    ),
  );
}

export const areAll = isFull || process.env.BUNDLED !== undefined;
export const operationsOf = (all: boolean): OperationTable => (all ? operations : some());
