// Quotas that a new AWS account reaches first. The quota codes are the same in every account.

export interface Quota {
  readonly service: string;
  readonly code: string;
  /** Quota to request from AWS. AWS accounts that have been in use for a while usually have this quota already. */
  readonly wanted: number;
}

export const QUOTAS = {
  'functions at once': { service: 'lambda', code: 'L-B99A9384', wanted: 1000 },
  'RSA operations a second': { service: 'kms', code: 'L-2AC98190', wanted: 500 },
  'mails a second': { service: 'ses', code: 'L-CDEF9B6B', wanted: 14 },
  'mails a day': { service: 'ses', code: 'L-804C8AE8', wanted: 50_000 },
} as const satisfies Readonly<Record<string, Quota>>;

export type QuotaName = keyof typeof QUOTAS;

/** Returns the command that requests the wanted quota from AWS. */
export function buildQuotaRequest(name: QuotaName, region: string): string {
  const { service, code, wanted } = QUOTAS[name];
  return `aws service-quotas request-service-quota-increase --region ${region} --service-code ${service} --quota-code ${code} --desired-value ${wanted}`;
}
