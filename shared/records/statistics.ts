/** Types of a tenant's events that are counted for statistics. */
export const COUNTED = ['logins', 'failures', 'sends', 'refusals', 'texts'] as const;
