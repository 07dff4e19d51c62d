// Believes access tokens of the service, and says so to the others as RFC 6750 has it.
import express from 'express';
import { createVerifier, VerificationError } from 'one-time-login-client';

const { PORT = '8080', BASE_URL: baseUrl = 'http://localhost:3000/cis' } = process.env;
const { TENANT_ID: tenantId = 'demo-tenant', APP_ID = 'demo-app' } = process.env;
// Keys are fetched once and kept. Give the API a resource, and name its URI as `audience`, once there is a second API.
const verify = createVerifier({ baseUrl, tenantId, appIds: [APP_ID] });

async function requireUser(request, response, next) {
  const [scheme, token = ''] = (request.get('authorization') ?? '').split(' ');
  const refuse = (status, error) =>
    response.status(status).set('www-authenticate', `Bearer error="${error}"`).json({ error });
  if (scheme.toLowerCase() !== 'bearer') return response.status(401).set('www-authenticate', 'Bearer').end();
  try {
    const claims = await verify(token);
    // A backend's own token has its client as `sub`.
    if (claims.sub === claims.client_id) return refuse(403, 'insufficient_scope');
    request.user = claims;
  } catch (error) {
    if (error instanceof VerificationError) return refuse(401, 'invalid_token');
    throw error;
  }
  next();
}

const app = express();
app.get('/orders', requireUser, ({ user }, response) => {
  response.json({ userId: user.sub, orders: [] });
});

const server = app.listen(Number(PORT), () => console.log(`http://localhost:${server.address().port}`));
