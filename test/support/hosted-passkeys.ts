import type { BrowserJar, BrowserPage } from './browser-jar.ts';

const hidden = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';

/** What the script of a page asks for. */
export async function askForOptions<Answer>(
  jar: BrowserJar,
  { html }: BrowserPage,
  identifier?: string,
): Promise<{ readonly status: number; readonly body: Answer }> {
  const path = /data-options="([^"]*)"/.exec(html)?.[1] ?? '/nothing';
  const body = new URLSearchParams({ csrf: hidden(html, 'csrf'), ...(identifier ? { identifier } : {}) });
  const response = await jar.request(path, { method: 'POST', body });
  return { status: response.status, body: (await response.json()) as Answer };
}
