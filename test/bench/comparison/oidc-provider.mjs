import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

/** node-oidc-provider with its store in memory: tokens are JWTs, signed by RS256 as those of the service are. */
const [, , client_id, client_secret, redirect_uri] = process.argv;
const server = createServer();
server.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;
const API = 'https://api.example';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const provider = new Provider(issuer, {
  clients: [
    {
      client_id,
      client_secret,
      redirect_uris: [redirect_uri],
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_post',
    },
  ],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
  cookies: { keys: ['cookies of the bench'] },
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  rotateRefreshToken: true,
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => API,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({ scope: '', audience: API, accessTokenFormat: 'jwt' }),
    },
  },
});
server.on('request', provider.callback());

const grant = new provider.Grant({ accountId: 'someone', clientId: client_id });
grant.addOIDCScope('openid offline_access');
grant.addResourceScope(API, '');
const refresh_token = await new provider.RefreshToken({
  accountId: 'someone',
  client: await provider.Client.find(client_id),
  grantId: await grant.save(),
  gty: 'authorization_code',
  scope: 'openid offline_access',
  resource: API,
  claims: {},
  authTime: Math.floor(Date.now() / 1000),
}).save();

process.on('message', () => process.send(process.cpuUsage()));
process.once('disconnect', () => process.exit(0));
process.send({ url: issuer, refresh_token });
