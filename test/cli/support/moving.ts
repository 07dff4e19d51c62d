import { rowImporter } from '../../../bin/otl/user-transfer/import-row.ts';
import { createPace } from '../../../bin/otl/user-transfer/pace.ts';
import { createForeignPasskey, toOrigin } from '../../support/fixtures/passkeys.ts';
import { newEmail } from '../../support/fixtures/people.ts';
import { useSocialLogin } from '../../support/providers/social.ts';
import { credentialsFor, newTenant as newTenantAt, otlWith } from '../../support/server/otl.ts';

type Json = Readonly<Record<string, unknown>>;

/** Ports that a user import needs. */
export const PORTS = [
  ...(['userRecords', 'identifierReservations', 'holders', 'passkeys'] as const),
  ...(['passkeyRecords', 'rpIds'] as const),
] as const;

/** Returns functions that import users into an application of the test server. */
export function useMoving() {
  const logins = useSocialLogin();
  const { server } = logins;

  /** Runs `otl` with the server's public origin, because the host of this origin is the RP ID of imported passkeys. */
  const otl = (args: readonly string[], input?: string) =>
    otlWith({ OTL_ENDPOINT: toOrigin(server), ...credentialsFor(args) }, args, input);

  async function json<Result = Json>(args: readonly string[], input?: string): Promise<Result> {
    const { stdout, stderr, code } = await otl([...args, '--json'], input);
    if (code !== 0) throw new Error(`${code}: ${stderr}`);
    return JSON.parse(stdout) as Result;
  }

  const newTenant = () => newTenantAt(toOrigin(server));

  async function exportUsers(tenant: readonly string[]): Promise<Json[]> {
    const { stdout } = await otl(['user', 'export', ...tenant]);
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Json);
  }

  const inLines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
  const here = () => ['--application', server.environment.app_id];
  const importRows = (rows: readonly object[], ...options: string[]) =>
    otl(['user', 'import', '-', ...here(), ...options], inLines(rows));
  const trusting = (rows: readonly object[], ...options: string[]) =>
    importRows(rows, '--trust-verified', '--json', ...options);

  async function find(externalId: string): Promise<readonly Json[]> {
    const token = await server.adminToken();
    const path = `/v1/users?external_user_id=${externalId}`;
    return (await server.get<{ result: readonly Json[] }>(path, { token })).body.result;
  }

  const rpId = () => new URL(toOrigin(server)).hostname;

  const formerPasskey = (count = 0) => createForeignPasskey(toOrigin(server), count);

  /** Creates the row importer that `otl user import` uses, with ports that a test can replace. */
  async function importerOver(
    ports: Parameters<typeof rowImporter>[0],
    wait: (milliseconds: number) => Promise<unknown> = async () => undefined,
  ) {
    const { tenantRecords, applicationRecords } = await server.ports(['tenantRecords', 'applicationRecords']);
    const tenant = await tenantRecords.find(server.environment.tenant_id);
    const application = await applicationRecords.find(server.environment.app_id);
    if (!tenant || !application) throw new Error('no tenant');
    const named = [application.applicationId];
    const terms = { applications: [application], named, trusts: true, findRpId: rpId };
    return rowImporter(ports, tenant, {
      terms,
      dryRun: false,
      pace: createPace(10),
      wait,
    });
  }

  let people = 0;
  const createRow = (change: Json = {}) => {
    people += 1;
    return {
      user_id: `old-${people}`,
      email: newEmail('moved'),
      email_verified: true,
      created_at: '2020-02-03T04:05:06.000Z',
      ...change,
    };
  };

  return {
    ...logins,
    ...{ otl, json, newTenant, exportUsers, inLines, here, importRows, trusting },
    ...{ find, rpId, formerPasskey, importerOver, createRow },
  };
}
