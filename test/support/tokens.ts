import { createPublicKey, type JsonWebKey } from 'node:crypto';
import jwt, { type JwtPayload } from 'jsonwebtoken';
import type { World } from './world.ts';

export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly session_id: string;
  readonly id_token: string;
  readonly refresh_token: string;
}

/**
 * Verifies a token as a customer's backend would: with a library that the service does not use, and the published keys
 * alone. Throws when anything is wrong with it.
 */
export async function verifyToken(
  world: World,
  token: string,
  audience: string,
): Promise<{ readonly header: jwt.JwtHeader; readonly payload: JwtPayload }> {
  const { body } = await world.get<{ keys: (JsonWebKey & { kid: string })[] }>('/oidc/jwks');
  const kid = jwt.decode(token, { complete: true })?.header.kid;
  const jwk = body.keys.find((key) => key.kid === kid);
  if (!jwk) throw new Error(`no key ${kid} is published`);
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const verified = jwt.verify(token, key, {
    algorithms: ['RS256'],
    issuer: world.environment.issuer,
    audience,
    complete: true,
    clockTimestamp: Math.floor(Date.now() / 1000),
  });
  return { header: verified.header, payload: verified.payload as JwtPayload };
}
