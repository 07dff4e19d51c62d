/** Events of a tenant that are counted for statistics. */
export const COUNTED = ['logins', 'failures', 'sends', 'refusals', 'texts'] as const;
