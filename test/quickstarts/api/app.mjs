// An API that accepts access tokens for its resource. Other callers learn what is missing and where to get a token.
import express from 'express';
import { protectResource } from 'one-time-login-client';

const { PORT = '8081', BASE_URL: baseUrl = 'http://localhost:3000/cis' } = process.env;
const { TENANT_ID: tenantId = 'demo-tenant', APP_ID = 'demo-app' } = process.env;
// The public URL of the API, which is also the audience of its access tokens.
const { RESOURCE: resource = `http://localhost:${PORT}` } = process.env;
const api = protectResource({ baseUrl, tenantId, appIds: [APP_ID], resource, scopes: ['orders:read'] });

const needs =
  (...scopes) =>
  async (request, response, next) => {
    const { claims, refusal } = await api.check(request, { scopes });
    if (refusal) return response.status(refusal.status).set(refusal.headers).json(refusal.body);
    request.user = claims;
    next();
  };

const app = express();
app.get(api.metadataPath, (_request, response) => response.json(api.metadata));
app.get('/orders', needs('orders:read'), ({ user }, response) => {
  response.json({ userId: user.sub, orders: [] });
});

const server = app.listen(Number(PORT), () => console.log(`http://localhost:${server.address().port}`));
