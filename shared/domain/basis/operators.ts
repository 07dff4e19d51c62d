/** The tenant whose users are operators. */
export const OPERATORS_TENANT_ID = 'operators0000000000000000';

/** The ID of an operator's grant in its store. No ID of a user or tenant has the separator. */
export const grantId = ({
  userId,
  tenantId,
}: {
  readonly userId: string;
  readonly tenantId: string;
}): string => `${userId}#${tenantId}`;
