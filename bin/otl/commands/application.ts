import { open, rm } from 'node:fs/promises';
import { leftOff } from '../../../lib/operator/applications/left-off.ts';
import {
  APPLICATION_KINDS,
  environmentOf,
  linesOf,
  makeOwnApplication,
} from '../../../lib/operator/applications/own-application.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { toTheEnd } from '../../../shared/domain/jobs/job.ts';
import { applicationRecord } from '../../../shared/domain/management/application-record.ts';
import {
  createApplication,
  deleteApplication,
  listApplications,
  requireApplication,
  updateApplication,
} from '../../../shared/domain/management/applications.ts';
import { check } from '../../../shared/http/parse.ts';
import type { Application, ApplicationRecord } from '../../../shared/ports/directory.ts';
import { CreateApplicationBody, UpdateApplicationBody } from '../../../shared/schemas/applications.ts';
import { type Call, type CommandGroup, withBody } from '../engine/command.ts';
import { fieldsOfRecord } from '../engine/fields.ts';
import { UsageError } from '../terminal/failure.ts';
import { listOutcome, type Outcome } from '../terminal/outcome.ts';
import { columnsOf } from '../terminal/print.ts';
import { formerSessionCommands, noteOfFormerSessions } from '../user-transfer/former-sessions.ts';
import { linkHostCommands, preview } from './application-look.ts';
import { providerCommands } from './application-providers.ts';
import { unblockSms } from './application-sms.ts';

const fields = fieldsOfRecord(CreateApplicationBody);

const methodsOf = ({ login_preferences: preferences = {} }: ApplicationRecord) =>
  Object.keys(preferences).join(', ') || '-';

const columns = columnsOf<ApplicationRecord>(
  'app_id',
  'name',
  { heading: 'LOGIN BY', text: methodsOf, flexible: true },
  'created_at',
);

/** What the application leaves off, with the options that switch it on. */
function offNote(application: Application): string {
  const off = leftOff(application);
  if (off.length === 0) return 'It has all that the demo has.';
  return [
    `Off, until otl application update ${application.applicationId} says:`,
    ...off.map(({ effect, options }) => `  ${effect}: ${options}`),
  ].join('\n');
}

/** What a new application still lacks before it can log people in. */
const nextSteps = (application: Application): string =>
  [
    'Next, or with --kind and --address at once:',
    `  otl client create --app ${application.applicationId} --name <name>`,
    '',
    offNote(application),
  ].join('\n');

/** Writes what `make` answers to a file that only its owner reads. Opened before, and gone where it fails. */
async function intoNewFile<Made>(
  path: string,
  make: () => Promise<Made>,
  textOf: (made: Made) => string,
): Promise<Made> {
  const file = await open(path, 'wx', 0o600).catch(({ code }) => {
    throw new UsageError(`--dotenv ${path} ${code === 'EEXIST' ? 'exists' : 'cannot be written'}.`);
  });
  try {
    const made = await make();
    await file.writeFile(textOf(made));
    return made;
  } catch (error) {
    await rm(path);
    throw error;
  } finally {
    await file.close();
  }
}

/** The application of a kind with its client, and the lines that log a person in. */
async function makeOfKind(call: Call, kind: string): Promise<Outcome> {
  const { ports, tenant: tenantOf, leave, baseUrl, body, option } = call;
  const tenant = await tenantOf();
  const asked = { kind, address: option('address'), settings: body as object };
  const make = () => makeOwnApplication(ports, { tenant, leave }, asked);
  const path = option('dotenv');
  const made =
    path === undefined
      ? await make()
      : await intoNewFile(path, make, (own) => environmentOf(kind, baseUrl, own));
  const { application, client, secret, redirectUri } = made;
  const { applicationId } = application;
  call.audit({ recordId: applicationId });
  return {
    record: {
      ...applicationRecord(application),
      issuer: `${baseUrl}/oidc`,
      client_id: client.clientId,
      ...(secret !== undefined && { client_secret: secret }),
    },
    note: [
      ...(secret === undefined
        ? []
        : ['Keep client_secret now: it is stored as a hash and cannot be shown again.', '']),
      linesOf(kind, { baseUrl, clientId: client.clientId, redirectUri }),
      '',
      offNote(application),
      ...(kind === 'api'
        ? []
        : [`Another address: otl application add-redirect-uri ${applicationId} --uri <uri>`]),
    ].join('\n'),
  };
}

export const application: CommandGroup = {
  name: 'application',
  summary: 'what end users log in to: redirect URIs, login methods, resources',
  commands: [
    {
      verb: 'create',
      summary: 'Makes an application',
      changes: 'management.changed',
      fields,
      options: {
        'kind <kind>': `with its client and all it needs: ${Object.entries(APPLICATION_KINDS)
          .map(([kind, words]) => `${kind} (${words})`)
          .join('; ')}`,
        'address <uri>': 'where it runs, such as http://localhost:8080, or its redirect URI',
        'dotenv <path>': 'writes what its program reads, such as CLIENT_ID, to a new file',
      },
      examples: [
        '--name Shop --kind web --address http://localhost:8080',
        '--name Shop --redirect-uri https://shop.example.com/complete',
        `--name Shop --login-preferences '{"link":{},"email":{"digits":8}}'`,
      ],
      run: async (call) => {
        const kind = call.option('kind');
        if (kind !== undefined) return makeOfKind(call, kind);
        for (const other of ['address', 'dotenv'])
          if (call.option(other) !== undefined) throw new UsageError(`--${other} goes with --kind.`);
        const body = check(CreateApplicationBody, call.body);
        const owner = { tenant: await call.tenant(), leave: call.leave };
        const made = await createApplication(call.ports, owner, body, nowSeconds());
        call.audit({ recordId: made.applicationId });
        return { record: applicationRecord(made), note: nextSteps(made) };
      },
    },
    {
      verb: 'list',
      summary: 'Lists the applications of the tenant',
      paged: true,
      examples: ['', '--json'],
      run: async ({ ports, tenant, page }) =>
        listOutcome(await listApplications(ports, await tenant(), page), applicationRecord, columns),
    },
    {
      verb: 'show',
      summary: 'Shows an application',
      id: 'required',
      examples: ['0a1b2c'],
      run: async ({ ports, tenant, id }) => {
        const found = await requireApplication(ports, await tenant(), id);
        const notes = [offNote(found), await noteOfFormerSessions({ ports }, found.applicationId)];
        return { record: applicationRecord(found), note: notes.filter(Boolean).join('\n') };
      },
    },
    {
      verb: 'update',
      summary: 'Changes an application: the given fields, lists as a whole',
      changes: 'management.changed',
      id: 'required',
      fields,
      examples: [
        '0a1b2c --public-signup yes --language fr',
        `0a1b2c --login-preferences '{"sms":{"digits":6},"direct":null}'`,
      ],
      run: withBody(UpdateApplicationBody, async ({ ports, tenant, leave, id, body }) => {
        const own = { tenant: await tenant(), applicationId: id, leave };
        return { record: applicationRecord(await updateApplication(ports, own, body, nowSeconds())) };
      }),
    },
    {
      verb: 'add-redirect-uri',
      summary: 'Adds an address where logins may end; the others stay',
      changes: 'management.changed',
      id: 'required',
      required: { 'uri <uri>': 'the address, compared character by character' },
      examples: ['0a1b2c --uri https://shop.example.com/complete'],
      run: async ({ ports, tenant, id, option }) => {
        const body = check(UpdateApplicationBody, { add_redirect_uris: [option('uri')] });
        const own = { tenant: await tenant(), applicationId: id };
        return { record: applicationRecord(await updateApplication(ports, own, body, nowSeconds())) };
      },
    },
    ...providerCommands,
    ...linkHostCommands,
    ...formerSessionCommands,
    unblockSms,
    preview,
    {
      verb: 'delete',
      summary: "Deletes an application; the tenant's users stay",
      changes: 'management.changed',
      id: 'required',
      confirm: (id) => `Delete the application ${id} with its clients, resources and webhooks`,
      examples: ['0a1b2c', '0a1b2c --yes'],
      run: async ({ ports, tenant, id }) => {
        await deleteApplication(ports, await tenant(), id, toTheEnd(nowSeconds()));
        return { done: `The application ${id} is deleted.` };
      },
    },
  ],
};
