import type { StoredRecord } from '../records/field.ts';
import type { enrolmentFields, invitationFields, operatorFields } from '../records/operator.ts';
import type { ReadOptions, RecordStore } from './directory.ts';

export interface OperatorGrant extends StoredRecord<typeof operatorFields> {}
export interface Invitation extends StoredRecord<typeof invitationFields> {}
export interface Enrolment extends StoredRecord<typeof enrolmentFields> {}
export type OperatorRole = OperatorGrant['role'];

/** ID of an operator grant. There is one grant per operator and tenant. */
export type GrantName = Pick<OperatorGrant, 'userId' | 'tenantId'>;

export interface Operators {
  /** Finds a grant. Unless `fresh` is set, the result may be one minute old. */
  find(grant: GrantName, options?: ReadOptions): Promise<OperatorGrant | undefined>;
  /** Lists the grants of a user. The read is strongly consistent. */
  listOfUser(userId: string): Promise<readonly OperatorGrant[]>;
}

/** Store of operator grants by ID. Each of its lists contains the grants of one tenant. */
export type OperatorRecords = RecordStore<OperatorGrant>;

/** Enrolments of invited people, one per grant. */
export interface OperatorEnrolments {
  /** Finds an enrolment. The read is strongly consistent. */
  find(grant: GrantName): Promise<Enrolment | undefined>;
  /** Binds an invitation to a browser. The first of several concurrent browsers succeeds. Returns the stored enrolment. */
  bind(enrolment: Enrolment): Promise<Enrolment>;
  /** Records that the person has enrolled. Returns false if the invitation is not bound to the person's browser. */
  complete(enrolment: Enrolment, at: number): Promise<boolean>;
  remove(grant: GrantName): Promise<unknown>;
}
