import type { GenericSchema } from 'valibot';
import { newSecret } from '../../../shared/domain/basis/random.ts';
import { applyApplicationFields } from '../../../shared/domain/management/application-record.ts';
import { removeFormerSecrets } from '../../../shared/domain/management/applications.ts';
import {
  applyClientFields,
  type ClientEnvironment,
} from '../../../shared/domain/management/client-record.ts';
import { reserveUri } from '../../../shared/domain/management/resource-uris.ts';
import { applyResourceFields, replaceResource } from '../../../shared/domain/management/resources.ts';
import { applyWebhookFields } from '../../../shared/domain/management/webhooks.ts';
import { announceChange } from '../../../shared/domain/rate-limits/call-window.ts';
import type { Application, Client, Organization, Resource, Tenant } from '../../../shared/ports/directory.ts';
import type { Webhook } from '../../../shared/ports/events.ts';
import type { PortsWith } from '../../../shared/ports/uses.ts';
import { applicationFields } from '../../../shared/records/application.ts';
import { clientFields } from '../../../shared/records/client.ts';
import type { Fields } from '../../../shared/records/field.ts';
import { organizationFields } from '../../../shared/records/organization.ts';
import { applyChanges } from '../../../shared/records/record.ts';
import { resourceFields } from '../../../shared/records/resource.ts';
import { tenantFields } from '../../../shared/records/tenant.ts';
import { webhookFields } from '../../../shared/records/webhook.ts';
import { UpdateApplicationBody } from '../../../shared/schemas/applications.ts';
import { UpdateClientBody } from '../../../shared/schemas/clients.ts';
import { UpdateOrganizationBody } from '../../../shared/schemas/organizations.ts';
import { UpdateResourceBody } from '../../../shared/schemas/resources.ts';
import { UpdateTenantBody } from '../../../shared/schemas/tenants.ts';
import { UpdateWebhookBody } from '../../../shared/schemas/webhooks.ts';

export type Values = Readonly<Record<string, unknown>>;

type RecordPort =
  | 'tenantRecords'
  | 'applicationRecords'
  | 'clientRecords'
  | 'resourceRecords'
  | 'organizationRecords'
  | 'webhookRecords';

export type ConfigPorts = PortsWith<
  | RecordPort
  | 'uriOwners'
  | 'uriOwnerRecords.find'
  | 'uriOwnerRecords.listHosts'
  | 'uriOwnerRecords.reserveHost'
  | 'windowRecords.announce'
  | 'providerSecretRecords.remove'
>;

interface Base {
  /** Fields of the new record that no update can set, such as its ID. */
  readonly own: Values;
  /** Existing record with the same ID. */
  readonly current: Values | undefined;
}

export interface Terms {
  /** Time of the change in epoch seconds. */
  readonly at: number;
  readonly environment: ClientEnvironment;
}

interface Replacement {
  readonly current: Values;
  readonly next: Values;
  /** Time at which planning began, before the existing record was read, in epoch seconds with a fractional part. */
  readonly startedAt: number;
}

/** Type of record in a configuration file. */
export interface Kind {
  readonly name: string;
  readonly port: RecordPort;
  readonly idKey: string;
  readonly fields: Fields;
  /** Schema of the API request that changes the record. The same limits apply to the values in a file. */
  readonly body: GenericSchema;
  /**
   * Builds the record from its own fields and the settings in a file. A setting that the file omits gets its default. Throws
   * `system_invalid_input`.
   */
  readonly settle: (base: Base, settings: Values, terms: Terms) => object;
  /** Stores a new record. Returns false if a record with its ID exists. Default: `put` of the port. */
  readonly create?: (ports: ConfigPorts, record: Values) => Promise<boolean>;
  /** Replaces a record. Returns false if the stored record has changed since the read. Default: `replace` of the port. */
  readonly replace?: (ports: ConfigPorts, replacement: Replacement) => Promise<boolean>;
}

const as = <T>(values: Values): T => values as T;

const tenants: Kind = {
  name: 'tenant',
  port: 'tenantRecords',
  idKey: 'tenantId',
  fields: tenantFields,
  body: UpdateTenantBody,
  settle: ({ own }, settings, { at }) => ({
    ...applyChanges(tenantFields, as<Tenant>({ salt: newSecret(), ...own }), settings),
    updatedAt: at,
  }),
};

/**
 * Returns the settings that count as already accepted when an application in a file is validated. An issuer that the
 * environment already has stays valid. Links may point to the hosts of the file's redirect URIs, because the operator confirms
 * these by applying the file.
 */
function knownSettings(current: Partial<Application>, settings: Values): Partial<Application> {
  const { login_preferences: methods = {}, openid_providers: providers, redirect_uris: uris } = settings;
  const known = Object.entries(current.loginPreferences ?? {}).filter(([name]) =>
    Object.hasOwn(methods as object, name),
  );
  return {
    redirectUris: (uris ?? []) as readonly string[],
    ...(known.length === 0 ? {} : { loginPreferences: Object.fromEntries(known) }),
    ...(providers === undefined || !current.openidProviders
      ? {}
      : { openidProviders: current.openidProviders }),
  };
}

const applications: Kind = {
  name: 'application',
  port: 'applicationRecords',
  idKey: 'applicationId',
  fields: applicationFields,
  body: UpdateApplicationBody,
  settle({ own, current = {} }, settings, { at, environment }) {
    const base = { resourceIds: [], ...own, ...knownSettings(current, settings) };
    return applyApplicationFields(as<Application>(base), settings, at, environment);
  },
  async replace(ports, { current, next }) {
    const [former, changed] = [as<Application>(current), as<Application>(next)];
    if (!(await ports.applicationRecords.replace(former, changed))) return false;
    await removeFormerSecrets(ports, former, changed);
    return true;
  },
};

const clients: Kind = {
  name: 'client',
  port: 'clientRecords',
  idKey: 'clientId',
  fields: clientFields,
  body: UpdateClientBody,
  settle({ own, current }, settings, { at, environment }) {
    const known = (current as Client | undefined)?.secrets ?? [];
    const secrets = (own.secrets as Client['secrets']).map((secret) => {
      const { lastUsedOn } = known.find(({ secretId }) => secretId === secret.secretId) ?? {};
      return lastUsedOn === undefined ? secret : { ...secret, lastUsedOn };
    });
    // An algorithm that the client already uses stays permitted.
    const { idTokenSignedResponseAlg } = current ?? {};
    const base = settings.id_token_signed_response_alg === undefined ? {} : { idTokenSignedResponseAlg };
    return applyClientFields(as<Client>({ ...own, ...base, secrets }), settings, at, environment);
  },
  async replace(ports, { current, next }) {
    await announceChange(ports, String(next.clientId));
    return ports.clientRecords.replace(as<Client>(current), as<Client>(next));
  },
};

const resources: Kind = {
  name: 'resource',
  port: 'resourceRecords',
  idKey: 'resourceId',
  fields: resourceFields,
  body: UpdateResourceBody,
  settle: ({ own }, settings, { at }) => applyResourceFields(as<Resource>(own), settings, at),
  async create(ports, record) {
    await reserveUri(ports, as<Resource>(record));
    return ports.resourceRecords.put(as<Resource>(record));
  },
  async replace(ports, { current, next, startedAt }) {
    const [former, changed] = [as<Resource>(current), as<Resource>(next)];
    await replaceResource(ports, { current: former, next: changed, startedAt });
    return true;
  },
};

const organizations: Kind = {
  name: 'organization',
  port: 'organizationRecords',
  idKey: 'organizationId',
  fields: organizationFields,
  body: UpdateOrganizationBody,
  settle: ({ own }, settings, { at }) => ({
    ...applyChanges(organizationFields, as<Organization>(own), settings),
    updatedAt: at,
  }),
};

const webhooks: Kind = {
  name: 'webhook',
  port: 'webhookRecords',
  idKey: 'webhookId',
  fields: webhookFields,
  body: UpdateWebhookBody,
  settle: ({ own }, settings, { at, environment }) =>
    applyWebhookFields(as<Webhook>(own), settings, at, environment),
};

export const tenantKind = tenants;
/** Types of the records of a tenant, by the name of their list in a file, in the order in which they are applied. */
export const kinds = { resources, applications, organizations, webhooks, clients } as const;
