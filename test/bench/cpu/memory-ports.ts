import { createHmac } from 'node:crypto';
import { demo } from '../../../lib/local/demo.ts';
import { hashSecret } from '../../../shared/domain/basis/random.ts';
import type { Application, Client, Tenant } from '../../../shared/ports/directory.ts';
import type { MagicLink, OneTimeCodeKey, OneTimeCodes, StoredCode } from '../../../shared/ports/flows.ts';
import type { Ports } from '../../../shared/ports/index.ts';
import type { SigningKey } from '../../../shared/ports/keys.ts';
import type { User } from '../../../shared/ports/people.ts';

type MemoryPorts = Pick<
  Ports,
  | 'tenants'
  | 'applications'
  | 'clients'
  | 'resources'
  | 'signingKeys'
  | 'identifiers'
  | 'users'
  | 'memberships'
  | 'organizations'
  | 'otps'
  | 'guesses'
  | 'links'
  | 'sessions'
  | 'windows'
  | 'codeMac'
  | 'nonceMac'
  | 'signer'
  | 'mailer'
  | 'smsSender'
>;

const times = { createdAt: 0, updatedAt: 0 };
const { tenantId, applicationId } = demo;

const tenant: Tenant = { tenantId, name: 'Demo', salt: 'c2FsdA', ...times };
const client: Client = {
  clientId: demo.client.clientId,
  tenantId,
  applicationId,
  kind: 'application',
  name: 'Demo client',
  secrets: [{ secretId: 'secret', hash: hashSecret(demo.client.clientSecret), createdAt: 0 }],
  boundCodes: true,
  ...times,
};

/** The verbs that a login which goes well calls; any other would end the bench. */
function only<Port>(verbs: Partial<Port>): Port {
  return verbs as Port;
}

/** As long as an RSA_2048 signature. Making a real one is the work of KMS. */
const SIGNATURE = Buffer.alloc(256);

/**
 * Ports that keep the promises of a login that goes well, and answer from memory. They guard nothing: they are here to
 * cost as little as they can.
 */
export function memoryPorts(
  redirectUri: string,
  signingKey: SigningKey,
  users: readonly User[],
): MemoryPorts {
  const application: Application = {
    applicationId,
    tenantId,
    name: 'Demo',
    redirectUris: [redirectUri],
    publicSignup: true,
    hostedSignUp: true,
    offerPasskeys: true,
    idTokenClaims: 'requested',
    loginPreferences: { link: {}, direct: {} },
    resourceIds: [],
    ...times,
  };
  const signingKeys = [signingKey];
  const byId = new Map(users.map((user) => [user.userId, user]));
  const byEmail = new Map(users.map((user) => [user.email?.value, user.userId]));
  const links = new Map<string, MagicLink>();

  return {
    tenants: { find: async () => tenant },
    applications: { find: async () => application },
    clients: { find: async () => client },
    resources: { findByUri: async () => undefined },
    signingKeys: { list: async () => signingKeys },
    identifiers: { find: async (_, { value }) => byEmail.get(value) },
    users: only<Ports['users']>({
      find: async (userId) => byId.get(userId),
      recordLogin: async () => true,
    }),
    memberships: { find: async () => undefined },
    organizations: { find: async () => undefined },
    otps: codesInMemory(),
    guesses: only<Ports['guesses']>({ count: async () => 1, clear: async () => {} }),
    links: only<Ports['links']>({
      put: async (link) => void links.set(link.hash, link),
      find: async (hash) => links.get(hash),
      consume: async (hash) => links.delete(hash),
    }),
    sessions: only<Ports['sessions']>({ start: async () => true }),
    windows: {
      count: async () => ({ admitted: true, exhausted: false, fill: 0.5 }),
      pay: async () => {},
      takeBack: async () => {},
    },
    nonceMac: { mac: async () => 'nonce' },
    codeMac: { mac: async (key, message) => createHmac('sha256', key).update(message).digest('base64url') },
    signer: { sign: async () => SIGNATURE },
    mailer: { send: async () => ({}) },
    smsSender: { send: async () => ({}) },
  };
}

function codesInMemory(): OneTimeCodes {
  const codes = new Map<string, StoredCode>();
  const nameOf = (key: OneTimeCodeKey) => `${key.applicationId}#${key.identifierHash}`;
  return only<OneTimeCodes>({
    async put(key, code) {
      codes.set(nameOf(key), code);
      return [];
    },
    countTry: async (key) => {
      const code = codes.get(nameOf(key));
      const earlier = [] as const;
      return code
        ? { counted: true, triesLeft: code.maxTries - 1, code, earlier }
        : { counted: false, why: 'absent', earlier };
    },
    consume: async (key) => codes.delete(nameOf(key)),
  });
}
