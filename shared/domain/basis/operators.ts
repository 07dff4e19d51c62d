/** ID of the tenant whose users are the operators of this installation. */
export const OPERATORS_TENANT_ID = 'operators0000000000000000';

/** Builds the ID under which an operator's grant is stored. Neither user IDs nor tenant IDs contain the separator. */
export const buildGrantId = ({
  userId,
  tenantId,
}: {
  readonly userId: string;
  readonly tenantId: string;
}): string => `${userId}#${tenantId}`;
