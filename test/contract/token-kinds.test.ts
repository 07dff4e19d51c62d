import { expect, test } from '@jest/globals';
import { operations } from '../../functions/operations.ts';
import { acceptsToken, listAuth } from '../../shared/http/effective-ports.ts';
import type { Auth, Operation } from '../../shared/operation.ts';
import { decodeClaims } from '../support/fixtures/hosted-login.ts';
import { made, madeClient, resourceFields, toCredentials } from '../support/fixtures/managed.ts';
import { storeMember } from '../support/fixtures/tenants.ts';
import type { TokenResponse } from '../support/fixtures/tokens.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { askToken } from '../support/tools/authorized.ts';
import {
  createCall,
  EXTENDED,
  expectError,
  GIVEN_APART,
  isGivenApart,
  logIn,
  rows,
  send,
  withHeaders,
} from '../support/tools/calls.ts';
import { inTurn, isFull, sample } from '../support/tools/full-run.ts';

// Calls every operation with every type of token. The expected result comes only from the operation table. A permitted call
// may still get an error because the record does not exist.

const server = useTestServer(EXTENDED);

type Verdict = 'allowed' | 'invalid_token' | 'insufficient_permission';

interface Kind {
  readonly token: () => Promise<string>;
  readonly verdict: (row: Operation) => Verdict;
  /** True if each call needs a new token, because the call may end the token's session. */
  readonly fresh?: boolean;
}

/** Builds the function that predicts whether an operation accepts a token of these types. */
const takenBy =
  (...kinds: readonly Auth[]) =>
  (row: Operation): Verdict =>
    listAuth(row).some((kind) => kinds.includes(kind)) && row !== operations.ownOperator
      ? 'allowed'
      : 'insufficient_permission';
const refused = (): Verdict => 'invalid_token';

const takenByClient = (row: Operation): Verdict =>
  isGivenApart(row) ? 'insufficient_permission' : takenBy('client')(row);
const takenByGiven = (row: Operation): Verdict =>
  isGivenApart(row) || (listAuth(row).includes('client') && row.permissions === undefined)
    ? 'allowed'
    : 'insufficient_permission';

async function clientTokenWithGiven(): Promise<string> {
  return server.clientToken(toCredentials(await madeClient(server, { permissions: GIVEN_APART })));
}

/** Logs in a user who has the given role in an organization. Returns the tokens for this organization. */
async function memberLogin(role: string): Promise<TokenResponse> {
  const { session_id, access_token } = await logIn(server);
  const userId = String(decodeClaims(access_token).sub);
  const { organizationId: org_id } = await storeMember(server, { userId, roles: [role] });
  const token = await server.clientToken();
  const answer = await server.post<TokenResponse>(
    '/v1/auth/session/authenticate',
    { session_id, org_id },
    { token },
  );
  return answer.body;
}

/** Creates a client token for a resource other than this service. */
async function clientTokenForResource(): Promise<string> {
  const { uri } = await made<{ uri: string }>(
    server,
    '/v1/resources',
    resourceFields(),
    await server.clientToken(),
  );
  return (await askToken(server, { grant_type: 'client_credentials', resource: uri })).body.access_token;
}

const kinds: Readonly<Record<string, Kind>> = {
  client: { token: () => server.clientToken(), verdict: takenByClient },
  [`client with ${GIVEN_APART.join(' and ')}`]: { token: clientTokenWithGiven, verdict: takenByGiven },
  'client, for a resource': { token: clientTokenForResource, verdict: refused },
  admin: { token: () => server.adminToken(), verdict: takenBy('admin') },
  user: { token: async () => (await logIn(server)).access_token, verdict: takenBy('user'), fresh: true },
  'organization admin': {
    token: async () => (await memberLogin('organizationAdmin')).access_token,
    verdict: takenBy('user', 'org-admin'),
    fresh: true,
  },
  'member without such a role': {
    token: async () => (await memberLogin('buyer')).access_token,
    verdict: takenBy('user'),
    fresh: true,
  },
  'refresh token': { token: async () => (await logIn(server)).refresh_token, verdict: refused },
  'ID token of an organization admin': {
    token: async () => (await memberLogin('organizationAdmin')).id_token,
    verdict: refused,
  },
};

const guarded = rows.filter(([, row]) => acceptsToken(row));

async function expectVerdict(row: Operation, token: string, verdict: Verdict): Promise<void> {
  const answer = await send(server, withHeaders(createCall(row), { authorization: `Bearer ${token}` }));
  if (verdict === 'allowed') return expect([401, 403]).not.toContain(answer.status);
  expectError(answer, row.dialect, verdict);
  const challenge = verdict === 'invalid_token' ? verdict : 'insufficient_scope';
  expect(answer.headers.get('www-authenticate')).toContain(`Bearer error="${challenge}"`);
}

const kept = new Map<string, Promise<string>>();

function tokenFor(name: string, { token, fresh }: Kind, verdict: Verdict): Promise<string> {
  if (fresh && verdict === 'allowed') return token();
  const known = kept.get(name) ?? token();
  kept.set(name, known);
  return known;
}

test.each(guarded)(
  'the operation %s accepts only the token types that the operation table lists',
  async (rowName, row) => {
    const all = Object.entries(kinds);
    const verdicts = (isFull ? all : inTurn(rowName, all)).map(async ([name, kind]) => {
      const verdict = kind.verdict(row);
      await expectVerdict(row, await tokenFor(name, kind, verdict), verdict);
    });
    await Promise.all(verdicts);
  },
);

test('each token type is accepted by some operations and rejected by others', () => {
  for (const [name, { verdict }] of Object.entries(kinds)) {
    const verdicts = new Set(guarded.map(([, row]) => verdict(row)));
    expect([name, [...verdicts].sort()]).toEqual([
      name,
      verdict === refused ? ['invalid_token'] : ['allowed', 'insufficient_permission'],
    ]);
  }
});

test('a token of any type is rejected once it has expired', async () => {
  const jwts = Object.values(kinds).filter((kind) => kind !== kinds['refresh token']);
  const tokens = await Promise.all(jwts.map(({ token }) => token()));
  const end = Math.max(...tokens.map((token) => Number(decodeClaims(token).exp)));
  await server.advanceClock(end - Math.floor(Date.now() / 1000));
  for (const [name, row] of sample(guarded)) {
    expectError(await send(server, createCall(row)), row.dialect, 'invalid_token');
    await Promise.all(inTurn(name, tokens).map((token) => expectVerdict(row, token, 'invalid_token')));
  }
});
