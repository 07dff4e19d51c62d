import { dates, type Fields, flag, number } from './field.ts';

export const tenantFields = {
  tenantId: { kind: 'text', always: true, access: 'read' },
  name: { kind: 'text', always: true },
  /** Key of the hashes of identifiers, so that the table `flows` contains no address: 32 random bytes, base64url. */
  salt: { kind: 'text', always: true, access: 'none' },
  /** Maximum number of SMS per day, overriding the default in domain/basis/limits.ts. */
  smsPerDay: number,
  smsPer30Days: { kind: 'number', wire: 'sms_per_30_days', stored: 'sms_per_30_days' },
  /** Maximum number of applications, overriding the default in domain/basis/limits.ts. */
  maxApplications: number,
  /** Hours until a recovery takes effect, overriding the default in domain/basis/limits.ts. */
  recoveryDelayHours: number,
  /** True if users may delete their own account on the account page. */
  accountDeletion: flag,
  ...dates,
} as const satisfies Fields;
