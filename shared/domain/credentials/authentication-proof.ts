import { isServerError } from '../../errors/service-error.ts';
import type { AuthenticationMethod, Device } from '../../ports/flows.ts';
import type { ApprovalData } from '../../ports/signing.ts';

declare const proven: unique symbol;

/**
 * Proof that a credential was consumed. Issuing tokens requires such a proof, and only rules that consume a credential create
 * one. An operation that forgets to consume the credential therefore does not compile.
 */
export interface AuthenticationProof {
  readonly [proven]: true;
  readonly method: AuthenticationMethod;
  /** Time of the proof in epoch seconds. */
  readonly at: number;
  /** `auth_time` of the tokens, in epoch seconds. Defaults to `at`. */
  readonly authTime?: number;
  readonly approvalData?: ApprovalData;
  /** Hash of the user's own address to which the credential was delivered. Absent if only the client vouches for the user. */
  readonly deliveredToHash?: string;
  /** Device that requested the credential. */
  readonly device?: Device;
}

/** Creates the proof of an authentication. Only rules that consume a credential may call it. */
export function provenBy(facts: Omit<AuthenticationProof, typeof proven>): AuthenticationProof {
  return facts as AuthenticationProof;
}

/** Consumption of a credential by one request. Only this request can undo it. */
export interface Consumption {
  /**
   * Random value that is stored when the credential is consumed. Only the request that knows the value may restore the
   * credential.
   */
  readonly holder: string;
  /** Makes the credential usable again. Only the first call writes to the store. */
  readonly undo: () => Promise<void>;
}

/** Prepares the consumption of a credential. `write` restores the credential if the same `holder` has consumed it. */
export function createConsumption(write: (holder: string) => Promise<void>): Consumption {
  const holder = crypto.randomUUID();
  let written: Promise<void> | undefined;
  const undo = () => {
    written ??= write(holder);
    return written;
  };
  return { holder, undo };
}

/**
 * Calls `run`, which consumes a credential and continues the login. If the service itself fails, no tokens were issued, so the
 * credential is restored and the user can try again. The credential is also restored if it is unknown whether `run` consumed
 * it. If restoring fails too, the credential stays consumed and the original error is thrown.
 */
export async function restoreOnFailure<T>({ undo }: Consumption, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isServerError(error)) await undo().catch(() => {});
    throw error;
  }
}

/**
 * Consumes a credential while look-ups check in parallel whether the request is allowed. If a look-up rejects the request, the
 * credential is restored, so that an honest mistake does not use it up. After a crash in between, the credential stays consumed
 * without logging anyone in. If both consuming and a look-up fail, the error of the look-up is thrown.
 */
export async function consumeInParallel<P extends AuthenticationProof, T>(
  { undo }: Consumption,
  consuming: Promise<P>,
  lookingUp: Promise<T>,
): Promise<{ readonly proof: P; readonly result: T }> {
  const [consumed, found] = await Promise.allSettled([consuming, lookingUp]);
  if (found.status === 'rejected') {
    if (consumed.status === 'fulfilled') await undo();
    throw found.reason;
  }
  return { proof: await consuming, result: found.value };
}
