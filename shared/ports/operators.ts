import type { Stored } from '../records/field.ts';
import type { invitationFields, operatorFields } from '../records/operator.ts';
import type { ReadOptions, RecordStore } from './directory.ts';

export interface OperatorGrant extends Stored<typeof operatorFields> {}
export interface Invitation extends Stored<typeof invitationFields> {}
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
