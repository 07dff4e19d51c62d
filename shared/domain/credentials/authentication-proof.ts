import type { AuthenticationMethod, Device } from '../../ports/flows.ts';
import type { ApprovalData } from './approval-data.ts';

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
  /** Hash of the user's own address that the credential was delivered to. */
  readonly deliveredToHash?: string;
  /** The device that requested the credential. */
  readonly device?: Device;
}

/** Only for rules that consume a credential. */
export function provenBy(facts: Omit<AuthenticationProof, typeof proven>): AuthenticationProof {
  return facts as AuthenticationProof;
}
