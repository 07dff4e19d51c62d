/** What of a tenant is counted by the hour. */
export const COUNTED = ['logins', 'failures', 'sends', 'refusals', 'texts'] as const;
