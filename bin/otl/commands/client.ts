import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { requireApplication } from '../../../shared/domain/management/applications.ts';
import { clientRecord } from '../../../shared/domain/management/client-record.ts';
import {
  type ClientWithSecret,
  createClient,
  deleteClient,
  listClients,
  requireClient,
  revokeSecret,
  rotateSecret,
  updateClient,
} from '../../../shared/domain/management/clients.ts';
import type { ClientRecord } from '../../../shared/ports/directory.ts';
import { CreateClientBody, UpdateClientBody } from '../../../shared/schemas/clients.ts';
import { type Call, type CommandGroup, withBody } from '../engine/command.ts';
import { fieldsOfRecord } from '../engine/fields.ts';
import { UsageError } from '../terminal/failure.ts';
import { listOutcome, type Outcome } from '../terminal/outcome.ts';
import { columnsOf } from '../terminal/print.ts';

const fields = fieldsOfRecord(CreateClientBody);

const app = (help: string) => ({ 'app <id>': help });

const columns = columnsOf<ClientRecord>(
  'client_id',
  'name',
  'kind',
  { heading: 'PKCE', text: ({ require_pkce }) => (require_pkce ? 'demanded' : '-') },
  {
    heading: 'SECRETS LAST USED',
    text: ({ secrets }) => secrets.map(({ last_used_on }) => last_used_on ?? 'unused').join(', ') || '-',
  },
  'created_at',
);

/** Without an application a client is one of the whole tenant: never by a forgotten option. */
function requireKind({ option }: Pick<Call, 'option'>): void {
  const [app, management] = [option('app'), option('management')];
  if (app === undefined && management === undefined)
    throw new UsageError(
      'Say whose client: --app <id>, or --management for one that may do everything in the tenant.',
    );
  if (app !== undefined && management !== undefined)
    throw new UsageError('A client is of an application (--app) or of the tenant (--management).');
}

async function ownerOf({ ports, tenant: tenantOf, option }: Pick<Call, 'ports' | 'tenant' | 'option'>) {
  const tenant = await tenantOf();
  const applicationId = option('app');
  const application =
    applicationId === undefined ? undefined : await requireApplication(ports, tenant, applicationId);
  return { tenant, application };
}

const choiceOf = ({ es256, leave }: Pick<Call, 'es256' | 'leave'>) => ({ es256, ...leave });

function withSecret({ client, secret }: ClientWithSecret): Outcome {
  if (secret === undefined) return { record: clientRecord(client) };
  return {
    record: clientRecord(client, secret),
    note: 'Keep client_secret now: it is stored as a hash and cannot be shown again.',
  };
}

export const client: CommandGroup = {
  name: 'client',
  summary: 'credentials that act for an application, or for the whole tenant',
  commands: [
    {
      verb: 'create',
      summary: 'Makes a client and shows its secret, this once',
      changes: 'management.changed',
      fields,
      options: {
        ...app('ID of its application'),
        management: 'a management client, which may do everything in the tenant',
      },
      examples: [
        '--app 0a1b2c --name "Shop backend"',
        '--app 0a1b2c --name "Shop app" --auth-method none',
        '--management --name "Provisioning"',
      ],
      run: withBody(CreateClientBody, async (call) => {
        requireKind(call);
        const owner = { ...(await ownerOf(call)), choice: choiceOf(call) };
        const made = await createClient(call.ports, owner, call.body, nowSeconds());
        call.audit({ recordId: made.client.clientId });
        return withSecret(made);
      }),
    },
    {
      verb: 'list',
      summary: 'Lists the clients of an application, or the management clients',
      options: app('ID of the application; without it, the management clients of the tenant'),
      paged: true,
      examples: ['--app 0a1b2c', ''],
      run: async (call) =>
        listOutcome(
          await listClients(call.ports, await ownerOf(call), call.page),
          (stored) => clientRecord(stored),
          columns,
        ),
    },
    {
      verb: 'show',
      summary: 'Shows a client without its secrets',
      id: 'required',
      examples: ['0a1b2c'],
      run: async ({ ports, tenant, id }) => ({
        record: clientRecord(await requireClient(ports, await tenant(), id)),
      }),
    },
    {
      verb: 'update',
      summary: 'Changes a client: the given fields, lists as a whole',
      changes: 'management.changed',
      id: 'required',
      fields,
      examples: ['0a1b2c --permission users:read --permission auth:execute', "0a1b2c --permission ''"],
      run: withBody(UpdateClientBody, async (call) => {
        const own = { tenant: await call.tenant(), clientId: call.id, choice: choiceOf(call) };
        return { record: clientRecord(await updateClient(call.ports, own, call.body, nowSeconds())) };
      }),
    },
    {
      verb: 'rotate-secret',
      summary: 'Adds a new secret and shows it, this once; the one before works on',
      changes: 'management.changed',
      id: 'required',
      examples: ['0a1b2c'],
      run: async ({ ports, tenant, id }) =>
        withSecret(await rotateSecret(ports, { tenant: await tenant(), clientId: id }, nowSeconds())),
    },
    {
      verb: 'revoke-secret',
      summary: 'Takes a secret of a client back',
      changes: 'management.changed',
      id: 'required',
      required: { 'secret <id>': 'secret_id, as show lists it' },
      confirm: (id) => `Take a secret of the client ${id} back`,
      examples: ['0a1b2c --secret 3d4e5f'],
      run: async ({ ports, tenant, id, option }) => {
        const own = { tenant: await tenant(), clientId: id };
        return { record: clientRecord(await revokeSecret(ports, own, option('secret') ?? '', nowSeconds())) };
      },
    },
    {
      verb: 'delete',
      summary: 'Deletes a client',
      changes: 'management.changed',
      id: 'required',
      confirm: (id) => `Delete the client ${id}`,
      examples: ['0a1b2c', '0a1b2c --yes'],
      run: async ({ ports, tenant, id }) => {
        await deleteClient(ports, await tenant(), id);
        return { done: `The client ${id} is deleted.` };
      },
    },
  ],
};
