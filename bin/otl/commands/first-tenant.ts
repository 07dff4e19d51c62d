import { OPERATORS_TENANT_ID } from '../../../shared/domain/basis/operators.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { readEmail, requireMailable } from '../../../shared/domain/identifiers/email-address.ts';
import { createApplication, listApplications } from '../../../shared/domain/management/applications.ts';
import { createClient, listClients } from '../../../shared/domain/management/clients.ts';
import { createTenant, listTenants } from '../../../shared/domain/management/tenants.ts';
import { check } from '../../../shared/http/parse.ts';
import type { Application, Tenant } from '../../../shared/ports/directory.ts';
import { CreateApplicationBody } from '../../../shared/schemas/applications.ts';
import { CreateClientBody } from '../../../shared/schemas/clients.ts';
import { CreateTenantBody } from '../../../shared/schemas/tenants.ts';
import type { Call, CommandGroup } from '../engine/command.ts';
import { RefusedError, UsageError } from '../terminal/failure.ts';
import { exportLines, firstManagementClient } from './management-client.ts';

interface Credentials {
  readonly base_url: string;
  readonly client_id: string;
  readonly client_secret: string;
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * Returns a shell script that creates a user and logs in with a mailed passcode. The braces make the shell read the whole
 * script first. Otherwise `read` would consume the next pasted line as the code.
 */
function loginScript({ base_url, client_id, client_secret }: Credentials, email: string): string {
  const who = { identifier_type: 'email', identifier: email };
  const body = (fields: object) => quoted(JSON.stringify(fields));
  return `{
  BASE=${base_url}
  TOKEN=$(curl -s "$BASE/oidc/token" -u ${quoted(`${client_id}:${client_secret}`)} -d grant_type=client_credentials |
    sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
  post() { curl -s "$BASE$1" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d "$2"; echo; }
  post /v1/users ${body({ email })}
  post /v1/auth/otp/send ${body({ channel: 'email', ...who })}
  printf 'The code in the mail: '; read -r CODE
  post /v1/auth/otp/authenticate ${body({ passcode: 'CODE', ...who }).replace('CODE', `'"$CODE"'`)}
}`;
}

const useSingly = 'Use otl tenant, otl application and otl client.';

/** Finds the tenant of an interrupted run or creates a new one. Throws `RefusedError` if another tenant exists. */
async function ensureTenant({ ports, page }: Call, name: string): Promise<Tenant> {
  const items = (await listTenants(ports, page)).items.filter(
    ({ tenantId }) => tenantId !== OPERATORS_TENANT_ID,
  );
  const [only] = items;
  if (only === undefined) return createTenant(ports, check(CreateTenantBody, { name }), nowSeconds());
  if (items.length === 1 && only.name === name) return only;
  throw new RefusedError(`A tenant already exists: ${only.tenantId} (${only.name}). ${useSingly}`);
}

async function ensureApplication(
  { ports, page, localExceptions }: Call,
  tenant: Tenant,
  name: string,
): Promise<Application> {
  const [only, ...others] = (await listApplications(ports, tenant, page)).items;
  if (only === undefined)
    return createApplication(
      ports,
      { tenant, localExceptions },
      check(CreateApplicationBody, { name }),
      nowSeconds(),
    );
  if (others.length === 0 && only.name === name) return only;
  throw new RefusedError(
    `The tenant ${tenant.tenantId} already has the application ${only.applicationId} (${only.name}). ${useSingly}`,
  );
}

async function makeFirst(call: Call) {
  const [name = '', email = ''] = ['name', 'email'].map(call.option);
  // Validate all input before anything is created.
  check(CreateTenantBody, { name });
  const address = readEmail(email);
  if (!address) throw new UsageError(`--email must be an email address, not "${email}".`);
  requireMailable('--email', address.display);
  const open = await call.unprotected();
  if (open.length > 0)
    throw new RefusedError(
      `Deletion protection is off: ${open.join(', ')}. Switch it on and deploy first, as in step 8 of the first deployment in lib/RUNBOOK.md.`,
    );

  const tenant = await ensureTenant(call, name);
  const made = await ensureApplication(call, tenant, name);
  const { items } = await listClients(call.ports, { tenant, application: made }, call.page);
  const [client] = items;
  if (client !== undefined)
    throw new RefusedError(
      `The first tenant already exists, and its secrets are shown only once. For new ones, run otl --tenant ${tenant.tenantId} client create --management --name otl, and as that client otl client rotate-secret ${client.clientId}`,
    );
  const management = await firstManagementClient(call, tenant);
  const body = check(CreateClientBody, { name });
  const { client: first, secret = '' } = await createClient(
    call.ports,
    { tenant, application: made },
    body,
    nowSeconds(),
  );
  call.audit({ recordId: first.clientId, tenantId: tenant.tenantId });
  const record = {
    base_url: call.baseUrl,
    tenant_id: tenant.tenantId,
    app_id: made.applicationId,
    client_id: first.clientId,
    client_secret: secret,
    management,
  };
  return {
    record,
    note: `Save both secrets now. They are stored as hashes and cannot be shown again.

${exportLines(management)}

To log in, paste this into a shell. New records are visible everywhere within a minute.

${loginScript(record, email)}

If no mail arrives, otl doctor says why. For logins in browsers, add a redirect URI:
  otl application add-redirect-uri ${made.applicationId} --uri <uri>`,
  };
}

export const firstTenant: CommandGroup = {
  name: 'first-tenant',
  summary: 'Creates the first tenant with its application and clients, and prints a script for a first login',
  ofNoTenant: true,
  commands: [
    {
      verb: 'first-tenant',
      summary:
        'Creates the first tenant with its application and clients, and prints a script for a first login',
      changes: 'management.changed',
      required: {
        'name <text>': 'name of the tenant, its application and client',
        'email <address>': 'your email address, for the first login',
      },
      examples: ['--name "Example Ltd" --email ann@example.com'],
      run: makeFirst,
    },
  ],
};
