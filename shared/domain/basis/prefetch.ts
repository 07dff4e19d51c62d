/** Whether a browser prefetches a page (Fetch, `Sec-Purpose`): answer with nothing. */
export function isPrefetch(headers: Readonly<Record<string, string | undefined>>): boolean {
  return /\bprefetch\b/.test(headers['sec-purpose'] ?? '');
}
