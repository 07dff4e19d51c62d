import { randomBytes } from 'node:crypto';
import * as adapters from '../../shared/aws/adapters.ts';
import { createPorts } from '../../shared/aws/create-ports.ts';
import { signingKeyRecord } from '../../shared/aws/signing-keys/record.ts';
import { OPERATORS_TENANT_ID } from '../../shared/domain/basis/operators.ts';
import { hashSecret, newId } from '../../shared/domain/basis/random.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import { requireTenant } from '../../shared/domain/management/tenants.ts';
import { ensureOperatorDirectory } from '../../shared/domain/operators/directory.ts';
import { CONSOLE_APPLICATION_ID } from '../../shared/domain/operators/operators.ts';
import { PROVEN_GENERATIONS, TENANT_WIDE } from '../../shared/domain/trust/generations.ts';
import { buildBlankUser, putUser } from '../../shared/domain/users/create-user.ts';
import { applyUserFields } from '../../shared/domain/users/user-record.ts';
import type { Application, Client, RecordStore } from '../../shared/ports/directory.ts';
import type { ProviderName } from '../../shared/ports/providers.ts';
import { demo, ES256_KEY_ID, SIGNING_KEY_ID } from './demo.ts';
import { callJson } from './emulators/basis/call-json.ts';
import { keyArn } from './emulators/basis/services.ts';
import type { DemoProviders } from './providers.ts';

/** URIs and origins that the demo application must allow. */
export type DemoUris = Required<Pick<Application, 'redirectUris' | 'postLogoutRedirectUris' | 'origins'>>;

export interface SeedOptions {
  readonly kmsEndpoint: string;
  readonly demoUris: DemoUris;
  readonly providers?: DemoProviders;
  /** Origin of the operator console. */
  readonly consoleOrigin?: string;
}

/** Creates the demo tenant with its application and clients, the demo operator and the signing keys, unless they exist. */
export async function seed({
  kmsEndpoint,
  demoUris,
  providers = {},
  consoleOrigin,
}: SeedOptions): Promise<void> {
  await Promise.all([
    seedTenant(),
    seedApplication(demoUris, providers),
    ...Object.entries(providers).map(([name, { preference, secret }]) => {
      const { issuer } = preference;
      const bound = issuer === undefined ? secret : { ...secret, issuer };
      return createDirectoryPorts().providerSecretRecords.put(
        demo.applicationId,
        name as ProviderName,
        bound,
      );
    }),
    seedClient({ ...demo.client, kind: 'application', name: 'Demo client' }),
    seedPublicClient(),
    seedClient({ ...demo.management, kind: 'management', name: 'Demo management client' }),
    seedSigningKeys(kmsEndpoint),
    seedOperators(consoleOrigin),
  ]);
}

/** Creates the ports that give the local server access to the records of tenants, applications, clients, users and keys. */
export function createDirectoryPorts() {
  return createPorts(
    [
      'tenantRecords',
      'applicationRecords',
      'clientRecords',
      'resourceRecords',
      'signingKeyRecords',
      'providerSecretRecords',
      'operatorRecords',
      'userRecords',
      'identifierReservations',
    ],
    adapters,
    process.env,
  );
}

export const findDemoTenant = () => requireTenant(createDirectoryPorts(), demo.tenantId);

/** Reads the current record of an application. */
export function findApplication(applicationId: string): Promise<Application | undefined> {
  return createDirectoryPorts().applicationRecords.find(applicationId);
}

/** Returns the first 100 applications of the demo tenant. */
export async function listDemoApplications(): Promise<readonly Application[]> {
  return (await createDirectoryPorts().applicationRecords.list(demo.tenantId, { limit: 100 })).items;
}

async function seedTenant(): Promise<void> {
  const salt = randomBytes(32).toString('base64url');
  const { tenantId } = demo;
  // If an earlier start has created the tenant, `put` does nothing. Its salt must not change, because all hashes depend on it.
  await createDirectoryPorts().tenantRecords.put({ tenantId, name: 'Demo', salt, ...currentDates() });
}

async function seedApplication(demoUris: DemoUris, providers: DemoProviders): Promise<void> {
  const preferences = Object.fromEntries(
    Object.entries(providers).map(([name, { preference }]) => [name, preference]),
  );
  const { applicationId, tenantId } = demo;
  await putOrChange(
    createDirectoryPorts().applicationRecords,
    applicationId,
    {
      applicationId,
      tenantId,
      name: 'Demo',
      ...demoUris,
      publicSignup: true,
      hostedSignUp: true,
      offerPasskeys: true,
      idTokenClaims: 'all',
      loginPreferences: { link: {}, email: {}, sms: {}, direct: {}, passkey: {}, ...preferences },
      resourceIds: [],
      ...currentDates(),
    },
    (stored) => {
      const joined = (name: keyof DemoUris) => [...new Set([...(stored[name] ?? []), ...demoUris[name]])];
      return {
        ...stored,
        redirectUris: joined('redirectUris'),
        postLogoutRedirectUris: joined('postLogoutRedirectUris'),
        origins: joined('origins'),
        loginPreferences: { ...stored.loginPreferences, ...preferences },
      };
    },
  );
}

async function seedClient(client: {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly kind: Client['kind'];
  readonly name: string;
}): Promise<void> {
  const { clientId, kind, name } = client;
  const { tenantId, applicationId } = demo;
  const secret = { secretId: newId(), hash: hashSecret(client.clientSecret), createdAt: nowSeconds() };
  const owner = kind === 'application' ? { tenantId, applicationId } : { tenantId };
  await putOrChange(
    createDirectoryPorts().clientRecords,
    clientId,
    { clientId, ...owner, kind, name, secrets: [secret], ...currentDates() },
    // If the secret was rotated, the documented secret is added again.
    (stored) =>
      !stored.secrets.some((each) => each.hash === secret.hash) && {
        ...stored,
        secrets: [...stored.secrets, secret],
      },
  );
}

async function seedPublicClient(): Promise<void> {
  const { tenantId, applicationId, publicClient } = demo;
  await createDirectoryPorts().clientRecords.put({
    ...publicClient,
    tenantId,
    applicationId,
    kind: 'application',
    name: 'Demo client without a secret',
    authMethod: 'none',
    secrets: [],
    requirePkce: true,
    ...currentDates(),
  });
}

/** Creates the tenant of the operators, and an operator who administers the demo tenant. */
async function seedOperators(consoleOrigin: string | undefined): Promise<void> {
  const { operatorRecords, userRecords } = createDirectoryPorts();
  const { createdAt: at, ...dates } = currentDates();
  await ensureOperatorDirectory(createDirectoryPorts(), at, consoleOrigin);
  const tenant = await requireTenant(createDirectoryPorts(), OPERATORS_TENANT_ID);
  const { userId, email } = demo.operator;
  if (await userRecords.find(userId)) return;
  const made = { applications: [CONSOLE_APPLICATION_ID], generations: PROVEN_GENERATIONS };
  const blank = buildBlankUser(tenant, userId, at, made);
  const fields = { email, email_verified: true, status: 'Active' } as const;
  await putUser(
    createDirectoryPorts(),
    applyUserFields(blank, fields, at, { how: 'made', scope: TENANT_WIDE }),
  );
  await operatorRecords.put({
    userId,
    tenantId: demo.tenantId,
    role: 'admin',
    state: 'active',
    invitedBy: 'local',
    createdAt: at,
    ...dates,
  });
}

async function putOrChange<Kind>(
  store: RecordStore<Kind>,
  id: string,
  record: Kind,
  change: (stored: Kind) => Kind | false,
): Promise<void> {
  if (await store.put(record)) return;
  const stored = await store.find(id);
  const changed = stored !== undefined && change(stored);
  if (stored !== undefined && changed) await store.replace(stored, changed);
}

async function seedSigningKeys(kmsEndpoint: string): Promise<void> {
  const { signingKeyRecords } = createDirectoryPorts();
  const kept = new Set((await signingKeyRecords.list()).map(({ alg }) => alg));
  for (const [alg, KeyId] of [
    ['RS256', SIGNING_KEY_ID],
    ['ES256', ES256_KEY_ID],
  ] as const) {
    if (kept.has(alg)) continue;
    const action = 'TrentService.GetPublicKey';
    const { PublicKey } = await callJson<{ PublicKey: string }>(kmsEndpoint, action, { KeyId });
    const key = { spki: Buffer.from(PublicKey, 'base64'), keyArn: keyArn(KeyId) };
    await signingKeyRecords.put(await signingKeyRecord(key, 'current', nowSeconds()));
  }
}

function currentDates(): { createdAt: number; updatedAt: number } {
  const now = nowSeconds();
  return { createdAt: now, updatedAt: now };
}
