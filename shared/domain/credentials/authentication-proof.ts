import type { AuthenticationMethod, Device } from '../../ports/flows.ts';
import type { ApprovalData } from '../../ports/signing.ts';

declare const proven: unique symbol;

/**
 * Proof of a consumed credential. Tokens need one, and only rules that consume make one: an operation that forgets to consume
 * does not compile.
 */
export interface AuthenticationProof {
  readonly [proven]: true;
  readonly method: AuthenticationMethod;
  /** Epoch seconds of the authentication. */
  readonly at: number;
  readonly approvalData?: ApprovalData;
  /** Hash of the user's own address that the credential was delivered to; absent: it proves nothing but what its client says. */
  readonly deliveredToHash?: string;
  /** The device that requested the credential. */
  readonly device?: Device;
}

/** Only for rules that consume a credential. */
export function provenBy(facts: Omit<AuthenticationProof, typeof proven>): AuthenticationProof {
  return facts as AuthenticationProof;
}

/**
 * Consumes a credential beside the look-ups that must allow it. What they refuse gives it back, so that an honest mistake does
 * not burn it; a crash between the two does, and opens nothing. Errors: those of the look-ups first.
 */
export async function consumeBeside<P extends AuthenticationProof, T>(
  consuming: Promise<P>,
  lookingUp: Promise<T>,
  giveBack: () => Promise<void>,
): Promise<{ readonly proof: P; readonly result: T }> {
  const [consumed, found] = await Promise.allSettled([consuming, lookingUp]);
  if (found.status === 'rejected') {
    if (consumed.status === 'fulfilled') await giveBack();
    throw found.reason;
  }
  return { proof: await consuming, result: found.value };
}
