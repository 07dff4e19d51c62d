import type { Stored } from '../records/field.ts';
import type { enrolmentFields, invitationFields, operatorFields } from '../records/operator.ts';
import type { ReadOptions, RecordStore } from './directory.ts';

export interface OperatorGrant extends Stored<typeof operatorFields> {}
export interface Invitation extends Stored<typeof invitationFields> {}
export interface Enrolment extends Stored<typeof enrolmentFields> {}
export type OperatorRole = OperatorGrant['role'];

/** The ID of a grant: of one operator in one tenant. */
export type GrantName = Pick<OperatorGrant, 'userId' | 'tenantId'>;

export interface Operators {
  /** At most a minute old, unless `fresh` is asked for. */
  find(grant: GrantName, options?: ReadOptions): Promise<OperatorGrant | undefined>;
  /** The grants of a user, strongly consistent. */
  listOfUser(userId: string): Promise<readonly OperatorGrant[]>;
}

/** By `grantId` of the store. Its lists are those of one tenant. */
export type OperatorRecords = RecordStore<OperatorGrant>;

/** Enrolments of invited people, one for each grant. */
export interface OperatorEnrolments {
  /** Strongly consistent. */
  find(grant: GrantName): Promise<Enrolment | undefined>;
  /** Binds an invitation to a browser. Of many browsers at once the first one has it; returns the enrolment that counts. */
  bind(enrolment: Enrolment): Promise<Enrolment>;
  /** Notes that the person has enrolled. False unless the invitation is bound to this browser. */
  complete(enrolment: Enrolment, at: number): Promise<boolean>;
  remove(grant: GrantName): Promise<unknown>;
}
