import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { TestServer } from '../../support/server/test-server.ts';
import { byLinks, type ClientApp, homePage, registerApp, serveApp } from './client-app.ts';

// Runs oidc-client-ts in a page without a backend, as a public client with the basic settings of the library's documentation.

const library = () => {
  const entry = createRequire(import.meta.url).resolve('oidc-client-ts');
  return readFileSync(join(dirname(entry), '../browser/oidc-client-ts.min.js'));
};

const renderPage = (settings: object) =>
  homePage(
    null,
    `<script src="/oidc-client-ts.js"></script><script>
const { origin, pathname } = location;
const manager = new oidc.UserManager({
  ...${JSON.stringify(settings)},
  redirect_uri: origin + '/callback',
  post_logout_redirect_uri: origin + '/',
});
const output = document.querySelector('output');
const show = (user) => {
  output.textContent = JSON.stringify(user && { ...user.profile, accessToken: user.access_token });
};
const fail = (error) => { output.textContent = String(error); };
const acts = {
  '/in': () => manager.signinRedirect(),
  '/refresh': () => manager.signinSilent().then(show),
  '/out': () => manager.signoutRedirect(),
};
document.addEventListener('click', (event) => {
  const act = acts[event.target.getAttribute('href')];
  if (!act) return;
  event.preventDefault();
  act().catch(fail);
});
if (pathname === '/callback')
  manager.signinCallback().then((user) => user && location.replace('/')).catch(fail);
else manager.getUser().then(show);
</script>`,
  );

/**
 * Starts an application with oidc-client-ts. Without a scope, the library requests `openid` and renews tokens in a hidden
 * frame.
 */
export async function startOidcClientTs(server: TestServer, scope?: string): Promise<ClientApp> {
  let page = '';
  const { origin, close } = await serveApp((request, response) => {
    const isScript = request.url === '/oidc-client-ts.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(isScript ? library() : page);
  });
  const client = await registerApp(server, origin, { callback: '/callback' }, { auth_method: 'none' });
  page = renderPage({ authority: server.environment.issuer, client_id: client.client_id, scope });
  return { origin, close, ...byLinks };
}
