import { compactVerify, decodeJwt, decodeProtectedHeader, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { toDurationText } from '../../operator/words/durations.ts';
import { demo } from '../demo.ts';
import { describeClaim } from './claims.ts';

interface Check {
  readonly name: string;
  readonly passed: boolean;
  readonly says: string;
}

/** Explanation of a token: its header, the checks that a client or an API must do, and its claims. */
export interface ExplainedToken {
  readonly header: object;
  readonly checks: readonly Check[];
  readonly claims: readonly { readonly name: string; readonly value: unknown; readonly says?: string }[];
}

interface Expected {
  readonly issuer: string;
  readonly keys: JWTVerifyGetKey;
  /** `nonce` of the login that the page started. */
  readonly nonce?: string | undefined;
}

type TokenKind = 'id_token' | 'access_token';

/**
 * Verifies a token against the published keys by the local clock, and reports the result of each check and the meaning of each
 * claim.
 */
export async function explainToken(
  kind: TokenKind,
  token: string,
  expected: Expected,
): Promise<ExplainedToken> {
  const [header, claims] = [decodeProtectedHeader(token), decodeJwt(token)];
  const isSigned = await compactVerify(token, expected.keys, {
    algorithms: ['RS256', 'PS256', 'ES256'],
  }).then(
    () => true,
    () => false,
  );
  const typ = kind === 'id_token' ? 'JWT' : 'at+jwt';
  return {
    header,
    checks: [
      {
        name: 'signature',
        passed: isSigned,
        says: isSigned
          ? `${header.alg}, verified by the published key ${header.kid}.`
          : 'No published key verifies it.',
      },
      {
        name: 'typ',
        passed: header.typ === typ,
        says: `${header.typ}: ${kind === 'id_token' ? 'an ID token, which no API accepts.' : 'an access token, and no ID token.'}`,
      },
      {
        name: 'iss',
        passed: claims.iss === expected.issuer,
        says: `The issuer is ${expected.issuer}.`,
      },
      audienceCheck(kind, claims, expected),
      expiryCheck(claims),
      ...(kind === 'id_token' && expected.nonce !== undefined ? [nonceCheck(claims, expected.nonce)] : []),
      ...(kind === 'access_token' ? ownCheck(claims) : []),
    ],
    claims: Object.entries(claims).map(([name, value]) => {
      const says = describeClaim(name, claims);
      return { name, value, ...(says !== undefined && { says }) };
    }),
  };
}

function audienceCheck(kind: TokenKind, { aud }: JWTPayload, { issuer }: Expected): Check {
  const audience = [aud].flat();
  if (kind === 'id_token')
    return {
      name: 'aud',
      passed: audience.includes(demo.client.clientId),
      says: `It is for the client ${demo.client.clientId}.`,
    };
  const isDefault = audience.includes(issuer);
  return {
    name: 'aud',
    passed: aud !== undefined,
    says: isDefault ? 'No resource was requested, so it is the issuer.' : `It is for ${audience.join(', ')}.`,
  };
}

function expiryCheck({ exp = 0 }: JWTPayload): Check {
  const left = Math.floor(exp - Date.now() / 1000);
  return {
    name: 'exp',
    passed: left > 0,
    says: left > 0 ? `It has ${formatDuration(left)} left.` : `It expired ${formatDuration(-left)} ago.`,
  };
}

/** Formats a duration. Durations of two minutes or more have no seconds. */
const formatDuration = (seconds: number) =>
  toDurationText(seconds < 120 ? seconds : seconds - (seconds % 60));

function nonceCheck({ nonce }: JWTPayload, expected: string): Check {
  const passed = nonce === expected;
  return {
    name: 'nonce',
    passed,
    says: passed ? 'It answers the login that this page began.' : 'It belongs to another login.',
  };
}

function ownCheck({ tid, app_id: applicationId }: JWTPayload): readonly Check[] {
  return [
    { name: 'tid', passed: tid === demo.tenantId, says: `The tenant is ${demo.tenantId}.` },
    {
      name: 'app_id',
      passed: applicationId === demo.applicationId,
      says: `The application is ${demo.applicationId}.`,
    },
  ];
}
