/** Whether a browser only fetches what a person may want next (Fetch, `Sec-Purpose`): it gets nothing at all. */
export function isPrefetch(headers: Readonly<Record<string, string | undefined>>): boolean {
  return /\bprefetch\b/.test(headers['sec-purpose'] ?? '');
}
