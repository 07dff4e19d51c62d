/**
 * Now, in whole epoch seconds. Rules take the time as an argument (`request.now`); read the clock only where a slow call came
 * between.
 */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** Now, in epoch seconds with milliseconds: for durations, and to tell two writes apart. */
export function preciseNow(): number {
  return Date.now() / 1000;
}

/** RFC 3339 in UTC with milliseconds, like every date on the wire. */
export function wireDate(epochSeconds: number): string {
  return new Date(epochSeconds * 1000).toISOString();
}
