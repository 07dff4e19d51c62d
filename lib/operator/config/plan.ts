import { isDeepStrictEqual } from 'node:util';
import { inBatches } from '../../../shared/domain/basis/await-all.ts';
import { PARALLEL_WRITES } from '../../../shared/domain/basis/limits.ts';
import { preciseNow } from '../../../shared/domain/basis/time.ts';
import { listOpenIdProviders } from '../../../shared/domain/credentials/login-preferences.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { check } from '../../../shared/http/parse.ts';
import type { Application, Resource, Tenant } from '../../../shared/ports/directory.ts';
import type { ProviderName } from '../../../shared/ports/providers.ts';
import { type ChangedField, changedFields } from '../../../shared/records/changes.ts';
import {
  type Complain,
  exportedName,
  listExportedFields,
  toExported,
} from '../../../shared/records/exported.ts';
import { isSetBy } from '../../../shared/records/field.ts';
import { PROVIDERS, toPlainName } from '../../../shared/records/providers.ts';
import { maskAddress } from '../../../shared/templates/mask.ts';
import { listRecords, listSettingTenants } from './export-settings.ts';
import { type ConfigPorts, type Kind, kinds, type Terms, tenantKind, type Values } from './kinds.ts';
import { collectProblems, type Entry, type ReservedHost, readSettings, type Settings } from './read-file.ts';

/** Change that makes a record of the environment equal to the record in the file. */
export interface Change {
  readonly kind: Kind;
  readonly tenantId: string;
  readonly id: string;
  readonly current: Values | undefined;
  readonly next: Values;
  /** Changed fields, with the values that operators may see. The value of a hash is left out. */
  readonly fields: readonly ChangedField[];
  /** True if the change affects who can log in, what callers may do, or which data leaves the service. */
  readonly decides: boolean;
}

/** Record that exists in the environment but not in the file. Applying the file does not delete it. */
interface Kept {
  readonly kind: string;
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
}

export interface Plan {
  readonly changes: readonly Change[];
  readonly hosts: readonly ReservedHost[];
  readonly kept: readonly Kept[];
  readonly unchanged: number;
  /** Time at which planning began, before the first record was read, in epoch seconds with a fractional part. */
  readonly startedAt: number;
}

/** Fields that no API request can set, but that a file replaces in an existing record. */
const REPLACED = ['secrets', 'linkHosts'];

export const nameOf = ({ name, url }: Values): string => String(name ?? url ?? '');

/** Returns the fields of a record that updates cannot set. Reports a problem if the file changes one in an existing record. */
function listOwnFields(
  { kind, record, path }: Entry,
  current: Values | undefined,
  complain: Complain,
): Values {
  const own: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(kind.fields)) {
    if (field.access === 'answer' || isSetBy('update', field)) continue;
    const given = record[key];
    const existing = current?.[key];
    const isFixed = current !== undefined && !REPLACED.includes(key) && field.kind !== 'date';
    if (isFixed && given !== undefined && !isDeepStrictEqual(given, existing))
      complain(
        `${path}.${exportedName(key, field)}`,
        'differs from the existing record and cannot be changed',
      );
    const isKept = current !== undefined && !REPLACED.includes(key);
    const value = isKept ? existing : given;
    if (value !== undefined) own[key] = value;
  }
  return own;
}

/**
 * Calls `act`. If `act` rejects a value as invalid, reports the messages as problems of the record at `path` and returns
 * undefined.
 */
function noteInvalid<T>(path: string, complain: Complain, act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.key !== 'system_invalid_input') throw error;
    const { messages = [error.detail.message ?? ''] } = error.detail;
    for (const message of messages) {
      const [field = '', ...why] = message.split(': ');
      complain(why.length === 0 ? path : `${path}.${field}`, why.join(': ') || message);
    }
    return undefined;
  }
}

/** Returns a record in the format of a configuration file. */
const toFileContent = ({ fields }: Kind, record: Values): Values =>
  JSON.parse(JSON.stringify(toExported(fields, record))) as Values;

/**
 * Returns the change that makes the existing record equal to the record in the file. Returns undefined if the record in the
 * file is invalid or equals the existing record.
 */
function compareRecord(
  entry: Entry,
  current: Values | undefined,
  terms: Terms,
  complain: Complain,
): Change | undefined {
  const { kind, path, tenantId, id } = entry;
  const own = listOwnFields(entry, current, complain);
  const next = noteInvalid(path, complain, () => {
    const settings = check(kind.body, entry.settings) as Values;
    return kind.settle({ own, current }, settings, terms) as Values;
  });
  if (!next) return undefined;
  const [before, after] = [current ?? {}, next].map((record) => toFileContent(kind, record));
  const changed = listExportedFields(kind.fields).filter(([key, field]) => {
    const name = exportedName(key, field);
    return !isDeepStrictEqual(before?.[name], after?.[name]);
  });
  if (current && changed.length === 0) return undefined;
  const shown = changedFields(kind.fields, current, next, maskAddress);
  const isShown = (name: string) => shown.some(({ field }) => field === name || field.startsWith(`${name}.`));
  const hidden = changed
    .map(([key, field]) => exportedName(key, field))
    .filter((name) => current && !isShown(name))
    .map((field) => ({ field }));
  const decides = current ? changed.some(([, { unguarded }]) => !unguarded) : kind !== kinds.organizations;
  return { kind, tenantId, id, current, next, fields: [...shown, ...hidden], decides };
}

const belongsTo = (record: object | undefined, tenantId: string): boolean =>
  (record as Partial<Tenant> | undefined)?.tenantId === tenantId;

/** Reports a problem for each application or resource that a record in the file names but that its tenant does not have. */
async function checkReferences(ports: ConfigPorts, { entries }: Settings, complain: Complain): Promise<void> {
  const inFile = (kind: Kind) =>
    new Map(entries.filter((entry) => entry.kind === kind).map((entry) => [entry.id, entry]));
  const [applications, resources] = [inFile(kinds.applications), inFile(kinds.resources)];
  await inBatches(entries, PARALLEL_WRITES, async ({ record, path, tenantId }) => {
    const { applicationId: id } = record;
    if (typeof id === 'string') {
      const known = applications.get(id) ?? (await ports.applicationRecords.find(id));
      if (!belongsTo(known, tenantId)) complain(`${path}.app_id`, 'is not an application of the tenant');
    }
    for (const [index, resourceId] of ((record.resourceIds ?? []) as readonly string[]).entries()) {
      const found = resources.get(resourceId)?.record ?? (await ports.resourceRecords.find(resourceId));
      if (!belongsTo(found, tenantId) || (found as Resource).applicationId !== undefined)
        complain(`${path}.resources.${index}`, 'is not a resource of the tenant itself');
    }
  });
}

/**
 * Reports a problem for each new resource URI or reserved host that already belongs to another tenant of the environment.
 * @returns hosts in the file that are not reserved yet
 */
async function checkOwners(
  ports: ConfigPorts,
  { entries, hosts }: Settings,
  found: ReadonlyMap<Entry, Change | undefined>,
  complain: Complain,
): Promise<readonly ReservedHost[]> {
  const reserved = await ports.uriOwnerRecords.listHosts();
  const added = hosts.filter(({ host, tenantId }) => {
    const owner = reserved.find((each) => each.host === host);
    if (owner && owner.tenantId !== tenantId)
      complain(
        `reserved_hosts of the tenant ${tenantId}`,
        `${host} is reserved for the tenant ${owner.tenantId}`,
      );
    return owner === undefined;
  });
  const isNew = (entry: Entry) => {
    const change = found.get(entry);
    return entry.kind === kinds.resources && change !== undefined && change.current?.uri !== change.next.uri;
  };
  await inBatches(entries.filter(isNew), PARALLEL_WRITES, async ({ record, path, tenantId }) => {
    const owner = await ports.uriOwnerRecords.find(String(record.uri));
    if (owner !== undefined && owner !== tenantId)
      complain(`${path}.uri`, `belongs to the tenant ${owner} of this environment`);
  });
  return added;
}

/** Lists what exists in the environment but not in the file: tenants, and the records of the file's tenants. */
async function listKept(ports: ConfigPorts, { entries }: Settings): Promise<readonly Kept[]> {
  const inFile = new Set(entries.map(({ kind, id }) => `${kind.name} ${id}`));
  const kept: Kept[] = [];
  const keep = (kind: Kind, record: Values) => {
    const id = String(record[kind.idKey]);
    if (!inFile.has(`${kind.name} ${id}`))
      kept.push({ kind: kind.name, id, tenantId: String(record.tenantId), name: nameOf(record) });
  };
  for (const tenant of await listSettingTenants(ports)) {
    keep(tenantKind, tenant as object as Values);
    if (!inFile.has(`${tenantKind.name} ${tenant.tenantId}`)) continue;
    const records = await listRecords(ports, tenant);
    for (const [name, kind] of Object.entries(kinds))
      for (const record of records[name as keyof typeof kinds]) keep(kind, record as Values);
  }
  return kept;
}

/**
 * Compares a configuration file with an environment, without changing anything.
 * @throws `system_invalid_input` with a message for each value that the file or this environment does not allow
 */
export async function planChanges(ports: ConfigPorts, text: string, terms: Terms): Promise<Plan> {
  const startedAt = preciseNow();
  const settings = readSettings(text);
  const { entries } = settings;
  const { complain, end } = collectProblems();
  const found = new Map<Entry, Change | undefined>();
  await inBatches(entries, PARALLEL_WRITES, async (entry) => {
    const { kind, id, tenantId, path } = entry;
    const current = (await ports[kind.port].find(id)) as Values | undefined;
    if (current && !belongsTo(current, tenantId)) complain(path, 'has the ID of a record of another tenant');
    else found.set(entry, compareRecord(entry, current, terms, complain));
  });
  await checkReferences(ports, settings, complain);
  const hosts = await checkOwners(ports, settings, found, complain);
  end();
  const order = [tenantKind, ...Object.values(kinds)];
  const changes = entries
    .flatMap((entry) => found.get(entry) ?? [])
    .toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
  const unchanged = entries.length - changes.length;
  return { changes, hosts, kept: await listKept(ports, settings), unchanged, startedAt };
}

function listProviders(application: Partial<Application>): readonly ProviderName[] {
  const builtIn = PROVIDERS.filter((name) => application.loginPreferences?.[name]);
  return [...builtIn, ...listOpenIdProviders(application)];
}

/**
 * Lists the commands that operators must run after applying a plan. The commands set secrets and personal data, which a
 * configuration file never contains.
 */
export function listRemainingSteps({ changes }: Plan): readonly string[] {
  return changes.flatMap(({ kind, tenantId, id, current, next }) => {
    const otl = `otl --tenant ${tenantId}`;
    if (kind === kinds.webhooks && !current) return [`${otl} webhook rotate-secret ${id}`];
    if (kind === tenantKind && !current)
      return [`${otl} user import <file>`, `${otl} operator invite <email> --role admin`];
    if (kind !== kinds.applications) return [];
    const former = listProviders((current ?? {}) as Partial<Application>);
    return listProviders(next as Partial<Application>)
      .filter((provider) => !former.includes(provider))
      .map((provider) => `${otl} application set-provider ${id} --provider ${toPlainName(provider)} …`);
  });
}
