import { nowSeconds } from '../../../shared/domain/basis/time.ts';
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
import { type CommandGroup, withBody } from '../engine/command.ts';
import { fieldsOfRecord } from '../engine/fields.ts';
import { listOutcome } from '../terminal/outcome.ts';
import { columnsOf } from '../terminal/print.ts';
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

/** What a new application still lacks before it can log people in. */
function nextSteps({ applicationId, loginPreferences = {}, redirectUris }: Application): string {
  const update = `otl application update ${applicationId}`;
  return [
    'Next:',
    `  otl client create --app ${applicationId} --name <name>`,
    ...(redirectUris.length === 0
      ? [`  otl application add-redirect-uri ${applicationId} --uri <where logins end>`]
      : []),
    ...(Object.keys(loginPreferences).length === 0
      ? [`  ${update} --login-preferences '{"email": {}}'  (it has no way to log in)`]
      : []),
  ].join('\n');
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
      examples: [
        '--name Shop --redirect-uri https://shop.example.com/complete',
        `--name Shop --login-preferences '{"link":{},"email":{"digits":8}}'`,
      ],
      run: withBody(CreateApplicationBody, async ({ ports, tenant, leave, body, audit }) => {
        const made = await createApplication(ports, await tenant(), body, nowSeconds(), leave);
        audit({ recordId: made.applicationId });
        return { record: applicationRecord(made), note: nextSteps(made) };
      }),
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
      run: async ({ ports, tenant, id }) => ({
        record: applicationRecord(await requireApplication(ports, await tenant(), id)),
      }),
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
      run: withBody(UpdateApplicationBody, async ({ ports, tenant, leave, id, body }) => ({
        record: applicationRecord(
          await updateApplication(ports, await tenant(), id, body, nowSeconds(), leave),
        ),
      })),
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
        return {
          record: applicationRecord(await updateApplication(ports, await tenant(), id, body, nowSeconds())),
        };
      },
    },
    ...providerCommands,
    ...linkHostCommands,
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
        await deleteApplication(ports, await tenant(), id);
        return { done: `The application ${id} is deleted.` };
      },
    },
  ],
};
