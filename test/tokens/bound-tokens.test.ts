import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import * as v from 'valibot';
import { applicationRecords, applications } from '../../shared/dynamo/directory/applications.ts';
import { clientRecords, clients } from '../../shared/dynamo/directory/clients.ts';
import { tenantRecords, tenants } from '../../shared/dynamo/directory/tenants.ts';
import { replayGuard } from '../../shared/dynamo/flows/replay-guard.ts';
import { authenticate } from '../../shared/http/authenticate.ts';
import { serve } from '../../shared/http/serve.ts';
import type { Operation, Settings, UseCase } from '../../shared/operation.ts';
import type { Client } from '../../shared/ports/directory.ts';
import type { Ports } from '../../shared/ports/index.ts';
import { type CallerKey, dpopProof, newKey, signed } from '../support/fixtures/proofs.ts';
import { someApplication, someClient, someSigningKey, someTenant } from '../support/server/records.ts';
import { describeStore } from '../support/server/store.ts';

const ofUsers = {
  section: 'test',
  method: 'GET',
  path: '/v1/test/{name}',
  event: 'test/test',
  area: 'users',
  operationId: 'test',
  file: 'in-no-folder',
  reach: 'api',
  summary: 'Tells who calls',
  auth: 'user',
  cors: 'none',
  input: {},
  output: { status: 200, json: v.looseObject({}) },
  dialect: 'numeric',
  errors: [],
  uses: [],
} as const satisfies Operation;
const ofClients = { ...ofUsers, auth: 'client' } as const satisfies Operation;

const baseUrl = 'https://login.example.com/cis';
const settings: Settings = {
  baseUrl,
  issuer: `${baseUrl}/oidc`,
  browserOrigin: 'https://login.example.com',
  defaultAudience: `${baseUrl}/oidc`,
  vendor: 'cis',
  version: 'test',
  mailFrom: 'login@example.com',
  rateLimits: 'off',
  smsCountries: [],
  areas: 'all',
  consoleOrigin: '',
  edgeSecretHashes: 'off',
  deviceBinding: 'off',
  es256: false,
  loopback: false,
  jobCallSeconds: 3,
};

const service = newKey('RS256');
const signingKey = someSigningKey({ publicJwk: service.jwk, state: 'current' });
const key = newKey();
const jkt = (of: CallerKey) => {
  const { crv, kty, x, y } = of.jwk;
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
};
const now = () => Math.floor(Date.now() / 1000);

type Fields = Readonly<Record<string, unknown>>;

/** Signs an access token as the service does. */
function accessToken(claims: Fields): string {
  const at = now();
  const common = { iss: settings.issuer, aud: settings.defaultAudience, iat: at, exp: at + 600 };
  const header = { typ: 'at+jwt', kid: signingKey.kid };
  return signed(service, header, { ...common, jti: crypto.randomUUID(), scope: 'openid', ...claims });
}
const userToken = ({ clientId, tenantId, applicationId }: Client, claims: Fields = {}) =>
  accessToken({
    ...{ sub: 'user', sid: 'user.session', client_id: clientId, app_id: applicationId, tid: tenantId },
    ...{ auth_time: 1_700_000_000, amr: ['eotp', 'sms', 'mfa'], acr: 'mfa', fid: 'family' },
    roles: ['buyer'],
    userinfo_claims: ['name', 5],
    ...claims,
  });
const bound = { cnf: { jkt: jkt(key) } };

function proofFor(token: string, by: CallerKey = key, change: Fields = {}): string {
  const ath = createHash('sha256').update(token).digest('base64url');
  return dpopProof(by, { htm: 'GET', htu: `${baseUrl}/v1/test/a%20b`, iat: now(), ath, ...change });
}

function event(headers: Readonly<Record<string, string>>): APIGatewayProxyEventV2 {
  const rawPath = '/cis/v1/test/a b';
  const http = { method: 'GET', path: rawPath, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: '' };
  return {
    ...{ version: '2.0', routeKey: '$default', rawPath, rawQueryString: '', headers },
    isBase64Encoded: false,
    requestContext: {
      ...{ accountId: '0', apiId: 'test', domainName: 'api.internal', domainPrefix: 'api', http },
      ...{ requestId: crypto.randomUUID(), routeKey: '$default', stage: 'cis', time: '', timeEpoch: 0 },
    },
  };
}

process.env.LOG_LEVEL = 'silent';

/** Operation handler that returns the authenticated caller in its response. */
const tellCaller: UseCase<typeof ofUsers> = async ({ caller }) => ({ json: { caller } });

async function call(
  row: typeof ofUsers | typeof ofClients,
  ports: Partial<Ports>,
  headers: Readonly<Record<string, string>>,
) {
  const handler = serve(row as typeof ofUsers, tellCaller, { ports, settings }, { authenticate });
  const answer = await handler(event(headers), {} as Context);
  const { 'www-authenticate': challenge, 'dpop-nonce': nonce } = answer.headers ?? {};
  return { status: answer.statusCode, challenge, nonce: String(nonce), body: JSON.parse(answer.body ?? '') };
}

const untouched = (name: string) => () => {
  throw new Error(`${name} was asked`);
};
const keys = { list: async () => [signingKey] };
const REFUSED = /^DPoP error="invalid_token", error_description="[^"]+", algs="[\w ]*ES256[\w ]*"$/;
const BAD_PROOF = /^DPoP error="invalid_dpop_proof", algs="/;

describe('requests with bearer tokens', () => {
  const ports = {
    signingKeys: keys,
    clients: { find: untouched('clients') },
    replays: { spend: untouched('replays') },
    nonceMac: { mac: untouched('nonceMac') },
  };
  const client = someClient();
  const authorization = `Bearer ${userToken(client)}`;

  test('a bearer token is accepted without a DPoP proof', async () => {
    expect(await call(ofUsers, ports, { authorization })).toMatchObject({ status: 200 });
    expect(await call(ofUsers, ports, { authorization, dpop: 'x' })).toMatchObject({ status: 200 });
  });

  test('the service reads the user, client and session from a bearer token', async () => {
    const { body } = await call(ofUsers, ports, { authorization });
    expect(body.caller).toEqual({
      ...{ kind: 'user', userId: 'user', sessionId: 'user.session', clientId: client.clientId },
      ...{ tenantId: client.tenantId, applicationId: client.applicationId, scope: 'openid' },
      audience: [settings.defaultAudience],
      ...{ jti: expect.any(String), issuedAt: expect.any(Number), expiresAt: expect.any(Number) },
      ...{ authTime: 1_700_000_000, amr: ['eotp', 'sms', 'mfa'], acr: 'mfa', familyClaim: 'family' },
      ...{ roles: ['buyer'], userInfoClaims: ['name'] },
    });
  });

  test('N056 a DPoP-bound access token is rejected as a bearer token', async () => {
    const token = userToken(client, bound);
    for (const headers of [{}, { dpop: proofFor(token) }] as const)
      expect(await call(ofUsers, ports, { ...headers, authorization: `Bearer ${token}` })).toMatchObject({
        status: 401,
        challenge: expect.stringMatching(REFUSED),
        body: { message: 'Invalid token', error_code: 401 },
      });
  });

  test('N056 an unbound access token is rejected if it is sent with the DPoP scheme', async () => {
    const token = userToken(client);
    const headers = { authorization: `DPoP ${token}`, dpop: proofFor(token) };
    expect(await call(ofUsers, ports, headers)).toMatchObject({
      status: 401,
      challenge: expect.stringMatching(REFUSED),
    });
  });

  test.each([null, 'key', {}, { jkt: 7 }, { 'x5t#S256': 'certificate' }])(
    'N054 an access token is rejected if its cnf claim is not a key thumbprint: %j',
    async (cnf) => {
      const headers = { authorization: `Bearer ${userToken(client, { cnf })}` };
      expect(await call(ofUsers, ports, headers)).toMatchObject({ status: 401 });
    },
  );
});

describeStore('N056 DPoP-bound access tokens', (store) => {
  async function setUp(change: Partial<Client> = {}) {
    const [directory, flows] = [store().table('directory'), store().table('flows')];
    const tenant = someTenant();
    const application = someApplication({ tenantId: tenant.tenantId });
    const { tenantId } = tenant;
    const client = someClient({ tenantId, applicationId: application.applicationId, ...change });
    await tenantRecords(directory).put(tenant);
    await applicationRecords(directory).put(application);
    await clientRecords(directory).put(client);
    const ports = {
      signingKeys: keys,
      clients: clients(directory),
      tenants: tenants(directory),
      applications: applications(directory, { areas: 'all', testIdentities: false }),
      replays: replayGuard(flows),
    };
    const mac = async (message: string) => createHmac('sha256', 'key').update(message).digest('base64url');
    return { client, ports: { ...ports, nonceMac: { mac } }, withoutMac: ports };
  }

  test('the DPoP scheme in the Authorization header is case-insensitive', async () => {
    const { client, ports } = await setUp();
    const token = userToken(client, bound);
    for (const scheme of ['DPoP', 'dpop', 'DPOP']) {
      const headers = { authorization: `${scheme} ${token}`, dpop: proofFor(token) };
      const answer = await call(ofUsers, ports, headers);
      expect(answer).toMatchObject({ status: 200, body: { caller: { dpopJkt: jkt(key) } } });
    }
  });

  test.each<[string, (token: string) => Record<string, string>, RegExp]>([
    ['no proof', () => ({}), BAD_PROOF],
    ['N053 two proofs', (token) => ({ dpop: `${proofFor(token)},${proofFor(token)}` }), BAD_PROOF],
    ['a proof for another access token', () => ({ dpop: proofFor('other') }), BAD_PROOF],
    ['a proof without ath', (token) => ({ dpop: proofFor(token, key, { ath: undefined }) }), BAD_PROOF],
    ['a proof for another method', (token) => ({ dpop: proofFor(token, key, { htm: 'POST' }) }), BAD_PROOF],
    ['an old proof', (token) => ({ dpop: proofFor(token, key, { iat: now() - 120 }) }), BAD_PROOF],
    ['a proof signed by another key', (token) => ({ dpop: proofFor(token, newKey()) }), REFUSED],
  ])('a DPoP-bound access token is rejected with %s', async (_title, headersFor, challenge) => {
    const { client, ports } = await setUp();
    const token = userToken(client, bound);
    const headers = { authorization: `DPoP ${token}`, ...headersFor(token) };
    expect(await call(ofUsers, ports, headers)).toMatchObject({
      status: 401,
      challenge: expect.stringMatching(challenge),
      body: { error_code: 401 },
    });
  });

  test('N057 a client that must use a DPoP nonce gets the nonce in a 401 response', async () => {
    const { client, ports } = await setUp({ dpopNonce: true });
    const token = userToken(client, bound);
    const authorization = `DPoP ${token}`;
    const first = await call(ofUsers, ports, { authorization, dpop: proofFor(token) });
    expect(first).toMatchObject({
      status: 401,
      challenge: expect.stringMatching(/^DPoP error="use_dpop_nonce", algs="/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const dpop = proofFor(token, key, { nonce: first.nonce });
    expect((await call(ofUsers, ports, { authorization, dpop })).status).toBe(200);
  });

  test('a DPoP-bound client token is accepted with a DPoP proof', async () => {
    const { client, withoutMac } = await setUp({ dpopNonce: true });
    const { clientId, tenantId, applicationId } = client;
    const claims = { sub: clientId, client_id: clientId, tid: tenantId, app_id: applicationId };
    const token = accessToken({ ...claims, ...bound });
    const authorization = `DPoP ${token}`;
    const good = await call(ofClients, withoutMac, { authorization, dpop: proofFor(token) });
    expect(good).toMatchObject({ status: 200, body: { caller: { kind: 'client' } } });
    for (const headers of [{ authorization }, { authorization: `Bearer ${token}`, dpop: proofFor(token) }])
      expect(await call(ofClients, withoutMac, headers)).toMatchObject({ status: 401 });
  });

  test('a DPoP-bound access token is rejected by operations that cannot detect replayed DPoP proofs', async () => {
    const { client, ports } = await setUp();
    const { replays: _, ...rest } = ports;
    const token = userToken(client, bound);
    const headers = { authorization: `DPoP ${token}`, dpop: proofFor(token) };
    expect(await call(ofUsers, rest, headers)).toMatchObject({ status: 401 });
  });
});
