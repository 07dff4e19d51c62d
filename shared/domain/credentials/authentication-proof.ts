import { isFaultOfService } from '../../errors/service-error.ts';
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
  /** Epoch seconds of the proof. */
  readonly at: number;
  /** `auth_time` of the tokens, in epoch seconds. Absent: `at`. */
  readonly authTime?: number;
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

/** A credential that one request holds from its consume on, and alone can give back. */
export interface Hold {
  /** A random mark, stored with the consume. */
  readonly holder: string;
  /** Writes once, however often it is called. */
  readonly giveBack: () => Promise<void>;
}

export function newHold(write: (holder: string) => Promise<void>): Hold {
  const holder = crypto.randomUUID();
  let written: Promise<void> | undefined;
  const giveBack = () => {
    written ??= write(holder);
    return written;
  };
  return { holder, giveBack };
}

/**
 * Runs a consume and all that follows it. Where the service itself fails, the credential is given back, also one whose consume
 * has no known end: "try again" must be true. The failed login has answered no tokens, and the same answer goes out even if
 * the store refuses the credential, which is used up then.
 */
export async function orGiveBack<T>({ giveBack }: Hold, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isFaultOfService(error)) await giveBack().catch(() => {});
    throw error;
  }
}

/**
 * Consumes a credential beside the look-ups that must allow it. What they refuse gives it back, so that an honest mistake does
 * not burn it; a crash between the two does, and opens nothing. Errors: those of the look-ups first.
 */
export async function consumeBeside<P extends AuthenticationProof, T>(
  { giveBack }: Hold,
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
