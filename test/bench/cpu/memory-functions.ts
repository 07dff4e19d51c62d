import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, SignJWT } from 'jose';
import { operations } from '../../../functions/operations.ts';
import { demo } from '../../../lib/local/demo.ts';
import { addressesOf, functionEnvironment, setEnvironment } from '../../../lib/local/function-environment.ts';
import { useCaseOf } from '../../../lib/local/load-function.ts';
import { readSettings } from '../../../shared/aws/settings.ts';
import { begun, FIRST, TENANT } from '../../../shared/domain/trust/generations.ts';
import { authenticate } from '../../../shared/http/authenticate.ts';
import { type Handler, serve } from '../../../shared/http/serve.ts';
import type { Operation, PortsOf, Settings } from '../../../shared/operation.ts';
import type { PublicJwk } from '../../../shared/ports/directory.ts';
import type { SigningKey } from '../../../shared/ports/keys.ts';
import type { User } from '../../../shared/ports/people.ts';
import { emailOf, newLogin } from '../support/flows.ts';
import { type Functions, REDIRECT_URI } from './functions.ts';
import { memoryPorts } from './memory-ports.ts';

/** The functions over ports that answer from memory at once: the CPU time that is left is our own. */
export async function memoryFunctions(people: number): Promise<Functions> {
  setEnvironment({
    ...functionEnvironment(addressesOf(3000, 3001), { version: 'bench', rateLimits: 'on' }),
    // AWS clients exist but are never called here.
    AWS_REGION: 'none',
  });
  const settings = readSettings(process.env);
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = await recordOf(publicKey);
  const token = await clientToken(settings, key, privateKey);
  const users = Array.from({ length: people }, (_, index) => userOf(emailOf(index)));
  const ports = memoryPorts(REDIRECT_URI, key, users);
  const handlers = new Map<string, Handler>();

  return {
    async load(entry) {
      const known = handlers.get(entry);
      if (known) return known;
      const [name, row] =
        Object.entries<Operation>(operations).find(([, { event }]) => event === entry) ?? [];
      if (!name || !row) throw new Error(`no operation is called ${entry}`);
      const useCase = await useCaseOf(name, row);
      const handler = serve(
        row,
        useCase,
        { ports: ports as unknown as PortsOf<Operation>, settings },
        { authenticate },
      );
      handlers.set(entry, handler);
      return handler;
    },
    logins: users.map(({ email }) => newLogin(email?.value ?? '', REDIRECT_URI, token)),
  };
}

async function recordOf(publicKey: KeyObject): Promise<SigningKey> {
  const publicJwk = publicKey.export({ format: 'jwk' }) as PublicJwk;
  const kid = await calculateJwkThumbprint(publicJwk);
  return { kid, alg: 'RS256', publicJwk, keyArn: 'none', state: 'current', stateSince: 0 };
}

function clientToken(settings: Settings, { kid, alg }: SigningKey, key: KeyObject): Promise<string> {
  const { clientId } = demo.client;
  const scope = 'auth:execute';
  const claims = { client_id: clientId, app_id: demo.applicationId, tid: demo.tenantId, scope };
  return new SignJWT({ ...claims, permissions: [scope] })
    .setProtectedHeader({ alg, kid, typ: 'at+jwt' })
    .setIssuer(settings.issuer)
    .setSubject(clientId)
    .setAudience(settings.defaultAudience)
    .setIssuedAt()
    .setExpirationTime('1h')
    .setJti('bench')
    .sign(key);
}

function userOf(email: string): User {
  return {
    userId: `user-of-${email}`,
    tenantId: demo.tenantId,
    status: 'Active',
    email: { value: email, standing: 'proven', scope: TENANT, generation: FIRST, since: 0 },
    externalIds: [],
    changes: [],
    formerEmails: [],
    generations: begun,
    applications: [demo.applicationId],
    customIdentifiers: [],
    groups: [],
    roles: [],
    identities: [],
    createdAt: 0,
    updatedAt: 0,
  };
}
