/** Returns true if the browser only prefetches the page (Fetch, `Sec-Purpose`). The response must then be empty. */
export function isPrefetch(headers: Readonly<Record<string, string | undefined>>): boolean {
  return /\bprefetch\b/.test(headers['sec-purpose'] ?? '');
}
