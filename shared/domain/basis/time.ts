/** Now, in whole epoch seconds. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** RFC 3339 in UTC with milliseconds, like every date on the wire. */
export function wireDate(epochSeconds: number): string {
  return new Date(epochSeconds * 1000).toISOString();
}
