import type { AuthenticationMethod, Device } from '../../ports/flows.ts';
import type { ApprovalData } from './approval-data.ts';

declare const proven: unique symbol;

/**
 * That somebody has just consumed a credential. Tokens are issued for nothing less: only the consuming rules of this
 * folder make one, so an operation that forgets to consume does not compile.
 */
export interface AuthenticationProof {
  readonly [proven]: true;
  readonly method: AuthenticationMethod;
  readonly at: number;
  readonly approvalData?: ApprovalData;
  /** Hash of the address that the credential was delivered to, when that was the user's own. */
  readonly deliveredToHash?: string;
  /** What asked for the credential. */
  readonly device?: Device;
}

/** For the rules that consume a credential, and for nobody else. */
export function provenBy(facts: Omit<AuthenticationProof, typeof proven>): AuthenticationProof {
  return facts as AuthenticationProof;
}
