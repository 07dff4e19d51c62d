// Commands that let imported users keep their sessions of the previous system. The API has no such operations.

import { FORMER_SESSIONS_SECONDS_MAX } from '../../../shared/domain/basis/limits.ts';
import { readCalledUri } from '../../../shared/domain/basis/redirect-uri.ts';
import { nowSeconds, toWireDate } from '../../../shared/domain/basis/time.ts';
import { requireApplication } from '../../../shared/domain/management/applications.ts';
import type { FormerIssuer } from '../../../shared/ports/directory.ts';
import { servesKeys } from '../../../shared/providers/former-keys.ts';
import type { Command } from '../engine/command.ts';
import { readCount } from '../engine/fields.ts';
import { RefusedError, UsageError } from '../terminal/failure.ts';

const SECONDS_PER_DAY = 86_400;
const DAYS_MAX = FORMER_SESSIONS_SECONDS_MAX / SECONDS_PER_DAY;

const toRecord = ({ applicationId, jwksUri, until, ...former }: FormerIssuer) => ({
  app_id: applicationId,
  ...former,
  jwks_uri: jwksUri,
  until: toWireDate(until),
});

const takeSessions: Command = {
  verb: 'take-sessions',
  summary: 'Lets imported users keep their session of the previous system by one token exchange',
  changes: 'management.changed',
  id: 'required',
  required: {
    'issuer <address>': 'previous issuer: `iss` of its ID tokens',
    'audience <audience>': '`aud` of its ID tokens: client ID of the application at the previous issuer',
    'jwks-uri <address>': 'URL of its public keys: `jwks_uri` of its metadata',
    'days <number>': `number of days to accept its sessions, 1 to ${DAYS_MAX}`,
  },
  examples: [
    '0a1b2c --issuer https://old.example.com --audience shop --jwks-uri https://old.example.com/jwks --days 30',
  ],
  run: async ({ ports, tenant, localExceptions, id, option, audit, baseUrl }) => {
    const { applicationId } = await requireApplication(ports, await tenant(), id);
    audit({ applicationId });
    const issuer = readCalledUri(option('issuer') ?? '', 'issuer', localExceptions);
    if (issuer === `${baseUrl}/oidc`) throw new UsageError('--issuer must not be our own issuer.');
    const jwksUri = readCalledUri(option('jwks-uri') ?? '', 'jwks-uri', localExceptions);
    const until = nowSeconds() + readCount('days', option('days'), DAYS_MAX) * SECONDS_PER_DAY;
    // Check the key set now. With a wrong URL every exchange would fail, and the operator would learn of it from users.
    if (!(await servesKeys(jwksUri, localExceptions))) throw new RefusedError(`${jwksUri} returns no keys.`);
    const former = { applicationId, issuer, audience: option('audience') ?? '', jwksUri, until };
    await ports.formerIssuers.put(former);
    return { record: toRecord(former) };
  },
};

const refuseSessions: Command = {
  verb: 'refuse-sessions',
  summary: 'Stops accepting sessions of the previous issuer at once; exchanged sessions continue',
  changes: 'management.changed',
  id: 'required',
  examples: ['0a1b2c'],
  run: async ({ ports, tenant, id, audit }) => {
    const { applicationId, name } = await requireApplication(ports, await tenant(), id);
    audit({ applicationId });
    await ports.formerIssuers.remove(applicationId);
    return { done: `${name} no longer accepts sessions of another issuer.` };
  },
};

export const formerSessionCommands: readonly Command[] = [takeSessions, refuseSessions];
