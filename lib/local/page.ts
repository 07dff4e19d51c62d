import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { DESIGN } from '../../shared/templates/parts/style.ts';
import { apiReference, type ReferenceClients } from '../build/reference/api-reference.ts';
import { generateServiceDocument } from '../build/service-document.ts';

type Page = 'playground' | 'callback';

interface Source {
  readonly html: string;
  readonly style: string;
  readonly script: string;
}

const pagePath = (file: string) => fileURLToPath(new URL(`./pages/${file}`, import.meta.url));
const sources = new Map<Page, Promise<Source>>();

/** Sends a page of the local server as one HTML document with its styles and scripts inlined. */
export async function sendPage(response: ServerResponse, page: Page): Promise<void> {
  const reading = sources.get(page) ?? readSource(page);
  sources.set(page, reading);
  // A failed build is not cached, so that the next request tries again.
  reading.catch(() => sources.delete(page));
  const { html, style, script } = await reading;
  const nonce = newNonce();
  const parts: Readonly<Record<string, string>> = {
    '{{style}}': `<style>${DESIGN}${style}</style>`,
    '{{script}}': `<script type="module" nonce="${nonce}">${script}</script>`,
  };
  send(
    response,
    nonce,
    html.replace(/\{\{\w+\}\}/g, (place) => parts[place] ?? place),
  );
}

/** Sends the API reference. Readers can try every operation with the credentials of the given clients. */
export async function sendApiReference(response: ServerResponse, clients: ReferenceClients): Promise<void> {
  const nonce = newNonce();
  send(
    response,
    nonce,
    await apiReference(await generateServiceDocument(), { clients, nonce, playground: './' }),
  );
}

const newNonce = () => randomBytes(16).toString('base64');

function send(response: ServerResponse, nonce: string, html: string): void {
  response
    .writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    .end(html);
}

async function readSource(page: Page): Promise<Source> {
  const { outputFiles } = buildSync({
    entryPoints: [`${page}.css`, `${page}.mjs`].map(pagePath),
    bundle: true,
    outdir: 'unused',
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  const findText = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return {
    html: await readFile(pagePath(`${page}.html`), 'utf8'),
    style: findText('.css'),
    script: findText('.js'),
  };
}
