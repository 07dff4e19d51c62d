import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Client credentials by security scheme: the page gets a token of each. */
export type ReferenceClients = Readonly<
  Record<string, { readonly client_id: string; readonly client_secret: string }>
>;

const packaged = (file: string) => createRequire(import.meta.url).resolve(`swagger-ui-dist/${file}`);
const own = (file: string) => fileURLToPath(new URL(`./${file}`, import.meta.url));

/** The end tag of a script ends it also within a text of its code. */
const inScript = (code: string) => code.replaceAll('</script', '<\\/script');

/**
 * The API reference as one page that loads nothing else: a renderer over the API document.
 *
 * @param nonce of the Content-Security-Policy that the page is sent with
 */
export async function apiReference(
  document: object,
  { clients = {}, nonce = '' }: { readonly clients?: ReferenceClients; readonly nonce?: string } = {},
): Promise<string> {
  const [renderer = '', style = '', script = '', ownStyle = ''] = await Promise.all(
    [packaged('swagger-ui-bundle.js'), packaged('swagger-ui.css'), own('page.mjs'), own('page.css')].map(
      (path) => readFile(path, 'utf8'),
    ),
  );
  const data = JSON.stringify({ document, clients }).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · One-Time Login</title>
<link rel="icon" href="data:,">
<style>${style}${ownStyle}</style>
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. The same as an OpenAPI document: /openapi.json</noscript>
<script id="data" type="application/json">${data}</script>
<script nonce="${nonce}">${inScript(renderer)}</script>
<script type="module" nonce="${nonce}">${inScript(script)}</script>
</body>
</html>
`;
}
