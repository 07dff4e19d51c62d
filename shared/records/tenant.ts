import { dates, type Fields, flag, number } from './field.ts';

export const tenantFields = {
  tenantId: { kind: 'text', always: true, access: 'read' },
  name: { kind: 'text', always: true },
  /** Secret key (32 random bytes, base64url) that hashes identifiers, so that the table `flows` contains no addresses. */
  salt: { kind: 'text', always: true, access: 'none', exported: false },
  /** Maximum number of SMS per day. It replaces the default in domain/basis/limits.ts. */
  smsPerDay: number,
  smsPer30Days: { kind: 'number', wire: 'sms_per_30_days', stored: 'sms_per_30_days' },
  /** Maximum number of applications. It replaces the default in domain/basis/limits.ts. */
  maxApplications: number,
  /** Hours until a recovery takes effect. It replaces the default in domain/basis/limits.ts. */
  recoveryDelayHours: number,
  /** True if users may delete their own accounts on the account page. */
  accountDeletion: flag,
  ...dates,
} as const satisfies Fields;
