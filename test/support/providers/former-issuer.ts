import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from '@jest/globals';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { newId } from '../../../shared/domain/basis/random.ts';
import { newEmail } from '../fixtures/people.ts';
import type { TokenResponse } from '../fixtures/tokens.ts';
import { otlAt, otlWith } from '../server/otl.ts';
import type { TestAnswer, TestServer } from '../server/test-server.ts';
import { askToken, type ClientWithSecret } from '../tools/authorized.ts';

// Emulates the login system from which users migrate. The system publishes keys and signs ID tokens.

type Fields = Readonly<Record<string, string>>;

export const AUDIENCE = 'the shop there';

export interface FormerIssuer {
  readonly issuer: string;
  readonly jwksUri: string;
  /** Response of the previous system's JWKS endpoint, which tests can change, and the number of requests to this endpoint. */
  readonly answer: { status: number; keys: unknown; fetched: number };
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
  /** Signs an ID token. A claim that is undefined is omitted. */
  sign(claims?: JWTPayload, header?: object, key?: CryptoKey | Uint8Array): Promise<string>;
}

const now = () => Math.floor(Date.now() / 1000);

/** Runs the emulated previous login system during the tests of a file. */
export function useFormerIssuer(): FormerIssuer {
  const former = {} as FormerIssuer;
  const server = createServer((_request, response) => {
    former.answer.fetched += 1;
    response.writeHead(former.answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(former.answer.keys));
  });
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
    const publicJwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
    Object.assign(former, {
      ...{ issuer, jwksUri: `${issuer}/jwks`, privateKey, publicJwk },
      answer: { status: 200, keys: { keys: [publicJwk] }, fetched: 0 },
      sign: (claims: JWTPayload = {}, header: object = {}, key: CryptoKey | Uint8Array = privateKey) => {
        const good = { iss: issuer, aud: AUDIENCE, iat: now(), exp: now() + 300 };
        return new SignJWT({ ...good, ...claims })
          .setProtectedHeader({ alg: 'RS256', kid: 'one', typ: 'JWT', ...header })
          .sign(key);
      },
    });
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return former;
}

/** Returns functions that import users with `otl` and exchange ID tokens of the previous system for sessions. */
export function movingTo(server: TestServer, former: FormerIssuer) {
  const toApplicationId = (id?: string) => id ?? server.environment.app_id;
  const otl = (...args: string[]) => otlAt(server).otl(...args);
  return {
    takeSessions: (options: readonly string[] = [], applicationId?: string) =>
      otl(
        ...['application', 'take-sessions', toApplicationId(applicationId), '--issuer', former.issuer],
        ...['--audience', AUDIENCE, '--jwks-uri', former.jwksUri, '--days', '30', ...options],
      ),
    refuseSessions: () => otl('application', 'refuse-sessions', toApplicationId()),

    /** Imports a user of the previous system. Returns the user's ID in this service. */
    async importUser(row: Readonly<Record<string, unknown>> = {}, options: readonly string[] = []) {
      const user_id = `old-${newId()}`;
      const email = newEmail('moved');
      const line = JSON.stringify({ user_id, email, email_verified: true, ...row });
      const args = [
        'user',
        'import',
        '-',
        '--application',
        toApplicationId(),
        '--trust-verified',
        ...options,
      ];
      const { code, stderr } = await otlWith({ OTL_ENDPOINT: server.url }, args, line);
      if (code !== 0) throw new Error(stderr);
      const token = await server.adminToken();
      const { body } = await server.get<{ result: readonly { readonly user_id: string }[] }>(
        `/v1/users?external_user_id=${user_id}`,
        { token },
      );
      return { subject: user_id, email, userId: body.result[0]?.user_id ?? '' };
    },

    exchange: (
      subjectToken: string,
      fields: Fields = {},
      client?: ClientWithSecret,
    ): Promise<TestAnswer<TokenResponse & Fields>> =>
      askToken(
        server,
        {
          grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
          subject_token: subjectToken,
          subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
          ...fields,
        },
        client,
      ),
  };
}
