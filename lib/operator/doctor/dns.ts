export const DNS_SETTINGS = { timeout: 2000, tries: 2 } as const;

const isMissing = (error: unknown) =>
  ['ENOTFOUND', 'ENODATA'].includes(String((error as Partial<NodeJS.ErrnoException>).code));

/**
 * Returns the result of a DNS lookup, or an empty list if the name does not exist. Throws any other DNS error, because such an
 * error does not show whether there are records.
 */
export async function emptyIfMissing<T>(lookup: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await lookup;
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
