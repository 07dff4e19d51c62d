import { createHash } from 'node:crypto';
import { validateHeaderValue } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { authorize } from '../../functions/oauth/rows.ts';
import { STATE_MAX_BYTES } from '../../shared/domain/basis/limits.ts';
import { OTL_CLIENT_ID } from '../../shared/domain/operators/operators.ts';
import { type Answer, respond } from '../../shared/http/respond.ts';
import { insufficientPermissionError } from '../../shared/tokens/challenges.ts';
import { createUser, newEmail } from '../support/fixtures/people.ts';
import { dpopProof, encode, newKey } from '../support/fixtures/proofs.ts';
import { nastyText } from '../support/fuzz/nasty.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { askToken, demoClient, exchange, storeCode } from '../support/tools/authorized.ts';
import {
  authorized,
  createCall,
  EXTENDED,
  rows,
  send,
  smallestInput,
  withHeaders,
} from '../support/tools/calls.ts';
import { type Field, listAlternatives, listFields } from '../support/tools/fields.ts';
import { runs, SEED } from '../support/tools/full-run.ts';

// Tests every operation that copies text of the caller into response headers or parses it as a URL.

const server = useTestServer(EXTENDED);
const LOOPBACK = 'http://127.0.0.1/callback';
let userId: string;
beforeAll(async () => {
  userId = (await createUser(server, { email: newEmail() })).user_id;
  const { app_id } = server.environment;
  const token = await server.adminToken();
  const json = { add_redirect_uris: [LOOPBACK, 'http://[::1]/callback'] };
  expect((await server.put(`/v1/applications/${app_id}`, json, { token })).status).toBe(200);
});

const texts = fc.oneof(nastyText, fc.string({ unit: 'binary', maxLength: 40 }));
const options = (full: number) => ({ seed: SEED, numRuns: runs(full) });

/** Pattern of a `WWW-Authenticate` header (RFC 6750 §3): quoted parameters of printable ASCII without quotes or backslashes. */
const CHALLENGE = /^(?:Bearer|DPoP)(?:,? \w+="[\x20\x21\x23-\x5b\x5d-\x7e]*")*$/;
/** Pattern of a URL (RFC 3986 §2): printable ASCII without spaces. */
const ADDRESS = /^[\x21-\x7e]+$/;

describe(`response headers with text from a caller (seed ${SEED})`, () => {
  test('special characters of a redirect URL are percent-encoded in the Location header', () => {
    const exchange = { request: { requestId: 'id', method: 'GET', headers: {} } } as never;
    const respondWithRedirect = (redirect: string) =>
      respond({ ...authorize, area: 'hosted-login', operationId: 'authorize' }, exchange, {
        redirect,
      } as Answer).headers?.location;
    fc.assert(
      fc.property(texts, (text) => {
        const location = String(respondWithRedirect(`https://shop.example/callback?state=${text}`));
        expect(location).toMatch(ADDRESS);
        expect(() => validateHeaderValue('location', location)).not.toThrow();
      }),
      options(2000),
    );
    const encoded = 'https://shop.example/callback?state=a%20b&c=%22';
    expect(respondWithRedirect(encoded)).toBe(encoded);
  });

  test('the WWW-Authenticate header contains no text from a client that is not allowed in a quoted string', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(insufficientPermissionError(text).detail.headers?.['www-authenticate']).toMatch(CHALLENGE);
      }),
      options(2000),
    );
  });

  test('the redirect after a login contains the state of the authorization request unchanged', async () => {
    const [redirectUri = ''] = server.environment.redirect_uris;
    const states = texts.filter(
      (text) => encodeURIComponent(text.toWellFormed()).length <= STATE_MAX_BYTES / 2,
    );
    await fc.assert(
      fc.asyncProperty(states, async (state) => {
        const query = new URLSearchParams({
          ...{ client_id: server.environment.client_id, redirect_uri: redirectUri, state },
          // No user is logged in, so the service redirects to the redirect URI with an error.
          ...{ response_type: 'code', scope: 'openid', prompt: 'none' },
        });
        const answer = await server.get(`/oidc/auth?${query}`, { headers: { accept: 'application/json' } });
        expect(answer.status).toBe(303);
        const location = answer.headers.get('location') ?? '';
        expect(location).toMatch(ADDRESS);
        expect(new URL(location).searchParams.get('state') ?? '').toBe(state.toWellFormed());
      }),
      {
        ...options(200),
        examples: [['x'.repeat(STATE_MAX_BYTES)], ['\u{1f600}'.repeat(STATE_MAX_BYTES / 12)]],
      },
    );
  });

  test('no text in a token or DPoP proof can break the syntax of WWW-Authenticate', async () => {
    const key = newKey();
    const now = () => Math.floor(Date.now() / 1000);
    const proofFor = (method: string, path: string, more: object = {}, header: object = {}) =>
      dpopProof(
        key,
        { htm: method, htu: `${server.environment.base_url}${path}`, iat: now(), ...more },
        header as never,
      );
    const code = await storeCode(server, userId);
    const headers = { dpop: proofFor('POST', '/oidc/token') };
    const { body } = await exchange(server, code, {}, undefined, headers);
    const token = body.access_token;
    const ath = createHash('sha256').update(token).digest('base64url');
    const values = fc.oneof(
      texts,
      texts.map((text) => [text]),
      fc.constant({ toString: 1 }),
    );
    const arbitraryMembers = (...names: readonly string[]) =>
      fc.record(Object.fromEntries(names.map((name) => [name, values])), { requiredKeys: [] });

    const expectChallenge = async (sent: Readonly<Record<string, string>>) => {
      const answer = await server.get('/oidc/me', { headers: sent });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(CHALLENGE);
    };
    const [head, claims] = [
      arbitraryMembers('typ', 'crit', 'jwk', 'kid', 'alg'),
      arbitraryMembers('htm', 'htu', 'jti', 'nonce', 'iat', 'iss', 'aud', 'exp'),
    ];
    await fc.assert(
      fc.asyncProperty(head, claims, async (header, payload) => {
        const forged = `${encode({ alg: 'RS256', ...header })}.${encode(payload)}.AAAA`;
        await expectChallenge({ authorization: `Bearer ${forged}` });
        const { alg: _, ...others } = header as { alg?: unknown };
        const proof = proofFor('GET', '/oidc/me', { ath: `${ath}x`, ...payload }, others);
        await expectChallenge({ authorization: `DPoP ${token}`, dpop: proof });
        // The token endpoint names the invalid field only in its body.
        const fields = { grant_type: 'client_credentials' };
        const asked = await askToken(server, fields, demoClient(server), { dpop: proof });
        expect(asked.status).toBe(400);
      }),
      options(100),
    );
  });
});

/** Generates URLs that a WHATWG URL parser rejects, and unusual URLs that it accepts. */
const brokenUrls = fc.oneof(
  fc.constantFrom(
    ...['http://127.0.0.1:99999/callback', 'http://127.0.0.1:65536/callback', 'http://[::1]:99999/callback'],
    ...[
      'http://[::1',
      'http://[::1]x/callback',
      'https://',
      'https:///',
      'https://:443/',
      'https://a.example:0x50/',
    ],
    ...['https://a.example:99999/', 'https://a b.example/', 'https://%00.example/', 'https://1.2.3.256/'],
    ...[
      'https://xn--a.example/',
      'https://a.example:-1/',
      'https://%zz/',
      'https://a.ex%41mple:8a/',
      '//',
      '///a',
    ],
    ...[
      'https://[fe80::1%25en0]/',
      'https://\u{1f600}.example:99999/',
      'https://a.example\u0000/',
      'a',
      ':',
      '?',
      '#',
    ],
  ),
  fc
    .tuple(fc.constantFrom('http://127.0.0.1', 'http://[::1]', 'https://a.example'), fc.nat({ max: 99_999 }))
    .map(([host, port]) => `${host}:${port}/callback`),
  nastyText.map((text) => `https://a.example/${text}`),
  nastyText.map((text) => `https://${text}/`),
  nastyText,
);

/** Pattern of the names of input fields for URLs. `client_id` is included because it may be the URL of a client document. */
const URL_FIELD = /(?:^|[._])(?:uris?|urls?|origins?|issuer|client_id|resource)$/;
/** Pattern of fields that the operation stores or returns, so that an invalid URL must be rejected. */
const DECISIVE =
  /(?:^|[._])(?:redirect_uris?|help_uri|terms_uri|privacy_uri|home_uri|origins|logout_uri|url|issuer)$/;

const PLACES = ['query', 'json', 'form'] as const;
const urlInputs = rows.flatMap(([name, row]) =>
  PLACES.flatMap((place) => {
    const schema = row.input[place];
    const fields = schema ? listAlternatives(schema).flatMap(listFields) : [];
    const found = new Map(
      fields.filter((field) => URL_FIELD.test(field.name)).map((each) => [each.name, each]),
    );
    return [...found.values()].map((field) => [name, place, field.name, row, field] as const);
  }),
);

const isList = ({ node }: Field) => JSON.stringify(node).includes('"array"');

test('the tests cover more than 60 input fields for URLs', () => {
  expect(urlInputs.length).toBeGreaterThan(60);
});

describe(`arbitrary text in URL fields of requests (seed ${SEED})`, () => {
  test.each(urlInputs)(
    'the operation %s handles any text in its %s field %s without an internal error',
    async (_name, place, name, row, field) => {
      // Valid values of the other parameters, so that the operation gets as far as reading the URL.
      const { client_id, app_id } = server.environment;
      const known: Readonly<Record<string, unknown>> = {
        ...{ client_id, response_type: 'code', scope: 'openid', redirect_uri: LOOPBACK, ui_locales: 'en' },
        ...{
          code_challenge: 'x'.repeat(43),
          code_challenge_method: 'S256',
          user_id: userId,
          hint: 'centralized',
        },
      };
      const schema = row.input[place];
      const names = schema ? Object.keys(listAlternatives(schema)[0]?.properties ?? {}) : [];
      const others = Object.fromEntries(
        Object.entries(known).filter(([each]) => names.includes(each) && each !== name),
      );
      const path = {
        ...smallestInput(row).path,
        appId: app_id,
        userId,
        tenantId: server.environment.tenant_id,
      };
      const good = await authorized(server, row);
      const clients = 'client_id' in others ? [client_id, OTL_CLIENT_ID] : [undefined];

      await fc.assert(
        fc.asyncProperty(brokenUrls, fc.constantFrom(...clients), async (text, client) => {
          const given = client === undefined ? others : { ...others, client_id: client };
          const input = { ...field.with(isList(field) ? [text] : text), ...given };
          const call = createCall(row, { ...smallestInput(row, place), path, [place]: input });
          const answer = await send(server, withHeaders(call, good.headers));
          expect(answer.status).toBeLessThan(500);
          // A logout by POST only stores the parameters and redirects to a GET request, which checks the URL later.
          const isKept = answer.headers.get('location')?.includes('logout_request=');
          if (!isKept && DECISIVE.test(name) && text !== '' && !URL.canParse(text))
            expect(answer.status).toBeGreaterThanOrEqual(400);
        }),
        { ...options(12), examples: clients.map((client) => ['http://127.0.0.1:99999/callback', client]) },
      );
    },
  );
});
