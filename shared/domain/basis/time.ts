/**
 * Returns the current time in whole epoch seconds. Domain functions receive the time as an argument (`request.now`) and call
 * this function only after a slow operation.
 */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** Returns the current time in epoch seconds with a fractional part, to measure durations and to order two writes. */
export function preciseNow(): number {
  return Date.now() / 1000;
}

/** Formats a time as RFC 3339 in UTC with milliseconds, like every date in the API. */
export function toWireDate(epochSeconds: number): string {
  return new Date(epochSeconds * 1000).toISOString();
}
