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
  /** Epoch seconds of the proof. */
  readonly at: number;
  /** `auth_time` of the tokens, in epoch seconds. Absent: `at`. */
  readonly authTime?: number;
  readonly approvalData?: ApprovalData;
  /** Hash of the user's own address to which the credential was delivered. Absent: only the client vouches for the user. */
  readonly deliveredToHash?: string;
  /** Device that requested the credential. */
  readonly device?: Device;
}

/** Creates the proof of an authentication. Only rules that consume a credential may call it. */
export function provenBy(facts: Omit<AuthenticationProof, typeof proven>): AuthenticationProof {
  return facts as AuthenticationProof;
}

/** Consumed credential that only the request which consumed it can restore. */
export interface CredentialHold {
  /** Random mark that is stored when the credential is consumed. */
  readonly holder: string;
  /** Makes the credential usable again. Further calls write nothing. */
  readonly giveBack: () => Promise<void>;
}

/** Creates a hold. `write` restores the credential in the store if it was consumed with the given mark. */
export function createHold(write: (holder: string) => Promise<void>): CredentialHold {
  const holder = crypto.randomUUID();
  let written: Promise<void> | undefined;
  const giveBack = () => {
    written ??= write(holder);
    return written;
  };
  return { holder, giveBack };
}

/**
 * Consumes a credential and runs all that follows. If the service itself fails, the credential is restored, even if it is
 * unknown whether the consume succeeded: the user is told to try again, and must be able to. No tokens were issued by then. If
 * the store fails to restore the credential, it stays consumed, and the original error is thrown.
 */
export async function restoreOnFailure<T>({ giveBack }: CredentialHold, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isServerError(error)) await giveBack().catch(() => {});
    throw error;
  }
}

/**
 * Consumes a credential in parallel with the look-ups that must allow it. If they refuse, the credential is restored, so that
 * an honest mistake does not use it up. A crash in between uses it up without logging anyone in. Errors of the look-ups come
 * first.
 */
export async function consumeInParallel<P extends AuthenticationProof, T>(
  { giveBack }: CredentialHold,
  consuming: Promise<P>,
  lookingUp: Promise<T>,
): Promise<{ readonly proof: P; readonly result: T }> {
  const [consumed, found] = await Promise.allSettled([consuming, lookingUp]);
  if (found.status === 'rejected') {
    if (consumed.status === 'fulfilled') await giveBack();
    throw found.reason;
  }
  return { proof: await consuming, result: found.value };
}
