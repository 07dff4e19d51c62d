import { dates, type Fields, flag, number } from './field.ts';

export const tenantFields = {
  tenantId: { kind: 'text', always: true, access: 'read' },
  name: { kind: 'text', always: true },
  /** 32 random bytes, base64url. Keys the hashes of identifiers: `flows` holds no address. */
  salt: { kind: 'text', always: true, access: 'none' },
  /** Overrides of its budget of SMS; see domain/basis/limits.ts. */
  smsPerDay: number,
  smsPer30Days: { kind: 'number', wire: 'sms_per_30_days', stored: 'sms_per_30_days' },
  /** See domain/basis/limits.ts. */
  maxApplications: number,
  /** When a recovery takes effect; see domain/basis/limits.ts. */
  recoveryDelayHours: number,
  /** People may delete their own account on the account page. */
  accountDeletion: flag,
  ...dates,
} as const satisfies Fields;
