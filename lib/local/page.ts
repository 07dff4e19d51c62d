import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';

const read = (file: string) => readFile(new URL(`./pages/${file}`, import.meta.url), 'utf8');

/** Sends a page as one document that loads nothing from anywhere else. */
export async function sendPage(response: ServerResponse, page: 'inbox' | 'callback'): Promise<void> {
  const [html, common, style, script] = await Promise.all(
    [`${page}.html`, 'style.css', `${page}.css`, `${page}.mjs`].map(read),
  );
  const nonce = randomBytes(16).toString('base64');
  const parts: Readonly<Record<string, string>> = {
    '{{style}}': `<style>${common}${style}</style>`,
    '{{script}}': `<script type="module" nonce="${nonce}">${script}</script>`,
  };
  response
    .writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    .end(html?.replace(/\{\{\w+\}\}/g, (place) => parts[place] ?? place));
}
