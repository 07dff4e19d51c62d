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
import type { Application } from '../../../shared/ports/directory.ts';
import type { ApplicationRecord } from '../../../shared/schemas/applications.ts';
import { CreateApplicationBody, UpdateApplicationBody } from '../../../shared/schemas/applications.ts';
import { type CommandGroup, withBody } from '../engine/command.ts';
import type { Field } from '../engine/fields.ts';
import { type Column, listOutcome } from '../terminal/outcome.ts';
import { shortDate } from '../terminal/print.ts';
import { providerCommands } from './application-providers.ts';
import { unblockSms } from './application-sms.ts';

const fields: readonly Field[] = [
  { flag: 'name', help: 'name, as users see it in messages', required: true },
  {
    flag: 'redirect-uri',
    field: 'redirect_uris',
    kind: 'list',
    value: 'uri',
    help: 'where logins may end, compared character by character',
  },
  {
    flag: 'post-logout-redirect-uri',
    field: 'post_logout_redirect_uris',
    kind: 'list',
    value: 'uri',
    help: 'where logouts may end, compared character by character',
  },
  { flag: 'public-signup', kind: 'flag', help: 'whether a login may make a user (default: no)' },
  {
    flag: 'login-preferences',
    kind: 'json',
    help: 'login methods link, email, sms, direct, passkey, google, apple, facebook, line with their settings; null switches one off (default: link, email and passkey)',
  },
  {
    flag: 'resource',
    field: 'resources',
    kind: 'list',
    value: 'id',
    help: "ID of a tenant's resource that it may ask tokens for",
  },
  {
    flag: 'roles',
    kind: 'json',
    help: 'what clients and users with a role may do, as [{"name":"support","permissions":["users:read"]}]',
  },
  {
    flag: 'rate-limits',
    kind: 'json',
    help: 'sends_per_minute, sends_per_day, calls_per_minute, anonymous_per_minute, anonymous_per_day, anonymous_sign_ups_per_minute, sms_per_prefix_per_hour, sms_per_prefix_per_day, sms_unverified_per_prefix, sms_dry_run',
  },
  { flag: 'language', value: 'code', help: 'language of messages: en, es, fr, de, ja (default: en)' },
  { flag: 'code-host', value: 'host', help: 'host of your pages where users type codes of text messages' },
  { flag: 'brand', kind: 'json', help: 'look of the login pages: primary_color, base64logo' },
  {
    flag: 'notices',
    kind: 'json',
    help: 'mails to users, each true or false: new_device, contact_changed, credentials_changed, locked (default: all true)',
  },
  {
    flag: 'passcodes-across-clients',
    kind: 'flag',
    help: 'whether one client may authenticate a code that another has sent (default: no)',
  },
  {
    flag: 'app-id-audience',
    kind: 'flag',
    help: 'whether tokens without a resource name its ID as audience too (default: no)',
  },
  {
    flag: 'session-preset',
    value: 'aal1|aal2',
    help: 'when people log in anew: aal1 after 30 days, aal2 after 24 hours, or an hour without use',
  },
  {
    flag: 'session-idle-seconds',
    kind: 'number',
    value: 'seconds',
    help: 'how long a session lives without use (default: 14 days)',
  },
  {
    flag: 'session-absolute-seconds',
    kind: 'number',
    value: 'seconds',
    help: 'how long a session lives in all (default: 90 days)',
  },
  {
    flag: 'binding-max-age-seconds',
    kind: 'number',
    value: 'seconds',
    help: 'how old a login may be that adds or removes a credential (default: 10 minutes)',
  },
  {
    flag: 'rp-id',
    value: 'host',
    help: 'RP ID of its passkeys, fixed by the first one (default: the host of the login pages)',
  },
  {
    flag: 'origin',
    field: 'origins',
    kind: 'list',
    value: 'origin',
    help: 'where its passkeys are used: https://… or android:apk-key-hash:…',
  },
];

const methodsOf = ({ login_preferences: preferences = {} }: ApplicationRecord) =>
  Object.keys(preferences).join(', ') || '-';

const columns: readonly Column<ApplicationRecord>[] = [
  { heading: 'APPLICATION', text: (application) => application.app_id },
  { heading: 'NAME', text: (application) => application.name, flexible: true },
  { heading: 'LOGIN BY', text: methodsOf, flexible: true },
  { heading: 'MADE', text: (application) => shortDate(application.created_at) },
];

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
    unblockSms,
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
