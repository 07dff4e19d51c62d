import { dates, type Fields } from './field.ts';

export const organizationFields = {
  organizationId: { kind: 'text', always: true, access: 'read', wire: 'org_id' },
  tenantId: { kind: 'text', always: true, access: 'read' },
  name: { kind: 'text', always: true },
  ...dates,
} as const satisfies Fields;

/** Membership of a user in an organization. */
export const memberFields = {
  organizationId: { kind: 'text', always: true, access: 'read', wire: 'org_id' },
  userId: { kind: 'text', always: true, access: 'create', personal: true },
  tenantId: { kind: 'text', always: true, access: 'none' },
  roles: { kind: 'texts', always: true, default: [] },
  ...dates,
} as const satisfies Fields;
