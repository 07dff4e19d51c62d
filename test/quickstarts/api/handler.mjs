// The same API as a fetch handler, which Hono, Bun, Deno and Cloudflare Workers accept without changes.
import { serve } from '@hono/node-server';
import { protectResource } from 'one-time-login-client';

const { PORT = '8081', BASE_URL: baseUrl = 'http://localhost:3000/cis' } = process.env;
const { TENANT_ID: tenantId = 'demo-tenant', APP_ID = 'demo-app' } = process.env;
const { RESOURCE: resource = `http://localhost:${PORT}` } = process.env;
const api = protectResource({ baseUrl, tenantId, appIds: [APP_ID], resource, scopes: ['orders:read'] });

async function orders(request) {
  const { claims, refusal } = await api.check(request, { scopes: ['orders:read'] });
  if (refusal) return Response.json(refusal.body, { status: refusal.status, headers: refusal.headers });
  return Response.json({ userId: claims.sub, orders: [] });
}

const routes = new Map([
  [api.metadataPath, () => Response.json(api.metadata)],
  ['/orders', orders],
]);

async function fetch(request) {
  const route = routes.get(new URL(request.url).pathname);
  return route ? route(request) : new Response('Not found', { status: 404 });
}

serve({ fetch, port: Number(PORT) }, ({ port }) => console.log(`http://localhost:${port}`));
