import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Client credentials, keyed by security scheme. The page requests a token for each of them. */
export type ReferenceClients = Readonly<
  Record<string, { readonly client_id: string; readonly client_secret: string }>
>;

const swaggerUiFile = (file: string) => createRequire(import.meta.url).resolve(`swagger-ui-dist/${file}`);
const ownFile = (file: string) => fileURLToPath(new URL(`./${file}`, import.meta.url));

/** Escapes `</script>` in JavaScript code, because this end tag would end the script even inside a string. */
const inScript = (code: string) => code.replaceAll('</script', '<\\/script');

/**
 * Renders the API reference as a single HTML page that loads no other resources. The page shows the API document with Swagger
 * UI.
 * @param nonce Nonce in the Content-Security-Policy of the response.
 * @param playground URL of the playground, to which the page links.
 */
export async function apiReference(
  document: object,
  {
    clients = {},
    nonce = '',
    playground,
  }: { readonly clients?: ReferenceClients; readonly nonce?: string; readonly playground?: string } = {},
): Promise<string> {
  const [renderer = '', style = '', script = '', ownStyle = ''] = await Promise.all(
    [
      swaggerUiFile('swagger-ui-bundle.js'),
      swaggerUiFile('swagger-ui.css'),
      ownFile('page.mjs'),
      ownFile('page.css'),
    ].map((path) => readFile(path, 'utf8')),
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
${playground === undefined ? '' : `<nav><a href="${playground}">← Playground</a></nav>`}
<div id="reference"></div>
<noscript>This page needs JavaScript. The same as an OpenAPI document: /openapi.json</noscript>
<script id="data" type="application/json">${data}</script>
<script nonce="${nonce}">${inScript(renderer)}</script>
<script type="module" nonce="${nonce}">${inScript(script)}</script>
</body>
</html>
`;
}
