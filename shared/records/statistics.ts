/** Types of a tenant's events that are counted for statistics. */
export const COUNTED = ['logins', 'failures', 'sends', 'refusals', 'texts'] as const;

/** Counts by application: sent codes and links, logins that used one, and parts of text messages. */
export const COUNTED_BY_APPLICATION = ['sends', 'logins', 'texts'] as const;

/**
 * Number of applications after which an item of the statistics takes no further ones. A larger item would cost more write
 * units, and DynamoDB limits an item to 400 KB and an expression to 4 KB.
 */
export const STATISTICS_ITEM_APPLICATIONS = 30;

/** Maximum number of applications in a response with statistics. Each needs a read of its name. */
export const STATISTICS_APPLICATIONS_MAX = 50;
