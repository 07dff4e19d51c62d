import { HOST_NAME } from '../../../shared/domain/basis/host-name.ts';
import { CLIENT_SECRETS_MAX } from '../../../shared/domain/basis/limits.ts';
import { OPERATORS_TENANT_ID } from '../../../shared/domain/basis/operators.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { ClientSecret } from '../../../shared/ports/directory.ts';
import {
  type Complain,
  exportedName,
  readExported,
  refuseUnknown,
} from '../../../shared/records/exported.ts';
import { type Field, type Fields, isSetBy } from '../../../shared/records/field.ts';
import { type Kind, kinds, tenantKind, type Values } from './kinds.ts';

/** Value of the field `format` in a configuration file. A later incompatible format will have another number. */
export const FORMAT = 'one-time-login-config/1';
/** Name of a tenant's list of reserved hosts in a file. */
export const HOSTS = 'reserved_hosts';

const PROBLEMS_MAX = 20;
const ID = /^[\w-]{1,64}$/;
/** Pattern of a SHA-256 hash in base64url. */
const HASH = /^[\w-]{43}$/;

/** Record in a configuration file, with its place in the file and its tenant. */
export interface Entry {
  readonly kind: Kind;
  readonly path: string;
  readonly tenantId: string;
  readonly id: string;
  /** All fields of the record, by their keys. */
  readonly record: Values;
  /** Fields that the API request for this type of record can set, by their names in the API. */
  readonly settings: Values;
}

export interface ReservedHost {
  readonly tenantId: string;
  readonly host: string;
}

export interface Settings {
  readonly entries: readonly Entry[];
  readonly hosts: readonly ReservedHost[];
}

/** Collects the problems of a file. `end` throws `system_invalid_input` if there are any. */
export function collectProblems() {
  const problems: string[] = [];
  return {
    complain: (path: string, problem: string) => void problems.push(`${path}: ${problem}`),
    end() {
      const [message] = problems;
      if (message === undefined) return;
      const more = problems.length - PROBLEMS_MAX;
      const messages = [
        ...problems.slice(0, PROBLEMS_MAX),
        ...(more > 0 ? [`The file has ${more} more problems.`] : []),
      ];
      throw new ServiceError('system_invalid_input', { message, messages });
    },
  };
}

/**
 * Returns the fields that a record has in a file. The tenant ID is left out, because the file lists each record within its
 * tenant.
 */
export function listFields({ fields }: Kind): Fields {
  if (fields === tenantKind.fields) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== 'tenantId'));
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readList(value: unknown, path: string, complain: Complain): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (value !== undefined) complain(path, 'must be a list');
  return [];
}

const isSettable = (field: Field) => isSetBy('update', field);

function pickSettings({ fields }: Kind, given: Values): Values {
  const names = Object.entries(fields)
    .filter(([, field]) => isSettable(field))
    .map(([key, field]) => exportedName(key, field));
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]]),
  );
}

/** Checks the fields of a record that no API request can set. The schemas of requests do not cover these fields. */
function checkOwnFields({ kind, record, path, id }: Entry, complain: Complain): void {
  if (!ID.test(id)) complain(path, 'must have an ID of at most 64 letters, digits, hyphens and underscores');
  const { applicationId, linkHosts = [], fixedRpId, secrets = [] } = record;
  if (kind === kinds.clients && (record.kind === 'management') !== (applicationId === undefined))
    complain(`${path}.app_id`, 'is required for a client of an application, and no other client has one');
  for (const [name, host] of [
    ...(linkHosts as readonly unknown[]).map((each) => ['link_hosts', each] as const),
    ['fixed_rp_id', fixedRpId] as const,
  ])
    if (typeof host === 'string' && !HOST_NAME.test(host)) complain(`${path}.${name}`, 'must be a host name');
  const known = secrets as readonly Partial<ClientSecret>[];
  if (known.length > CLIENT_SECRETS_MAX)
    complain(`${path}.secrets`, `must have at most ${CLIENT_SECRETS_MAX} entries`);
  known.forEach(({ secretId = '', hash = '' }, index) => {
    if (!HASH.test(hash)) complain(`${path}.secrets.${index}.hash`, 'must be a SHA-256 hash in base64url');
    if (!ID.test(secretId)) complain(`${path}.secrets.${index}.secret_id`, 'must be an ID');
  });
}

function readEntry(
  kind: Kind,
  given: unknown,
  { path, tenantId }: Pick<Entry, 'path' | 'tenantId'>,
  complain: Complain,
) {
  const record = readExported(listFields(kind), given, path, complain);
  const id = String(record[kind.idKey] ?? '');
  const own = kind === tenantKind ? id : tenantId;
  const settings = pickSettings(kind, isObject(given) ? given : {});
  return { kind, path, id, tenantId: own, record: { ...record, tenantId: own }, settings };
}

/** Reports a problem for each record whose ID or URI another record in the file also has. */
function checkUnique({ entries, hosts }: Settings, complain: Complain): void {
  const seen = new Map<string, string>();
  const once = (text: string, path: string, name: string) => {
    const other = seen.get(text);
    if (other === undefined) seen.set(text, path);
    else complain(path, `has the same ${name} as ${other}`);
  };
  for (const { kind, id, path, record } of entries) {
    once(JSON.stringify([kind.name, id]), path, 'ID');
    if (kind === kinds.resources) once(JSON.stringify(['uri', record.uri]), path, 'URI');
  }
  for (const { host, tenantId } of hosts)
    once(JSON.stringify(['host', host]), `${HOSTS} of the tenant ${tenantId}`, 'host');
}

/**
 * Reads a configuration file.
 * @throws `system_invalid_input` with a message for each value that has the wrong type, is missing or is unknown
 */
export function readSettings(text: string): Settings {
  const { complain, end } = collectProblems();
  const entries: Entry[] = [];
  const hosts: ReservedHost[] = [];
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    complain('file', 'must be JSON');
    end();
  }
  if (!isObject(file) || file.format !== FORMAT) {
    complain('format', `must be "${FORMAT}", as otl config export writes it`);
    end();
    return { entries, hosts };
  }
  refuseUnknown(file, ['format', 'tenants'], 'file', complain);
  readList(file.tenants, 'tenants', complain).forEach((given, index) => {
    const path = `tenants.${index}`;
    const { [HOSTS]: given_hosts, ...rest } = isObject(given) ? given : {};
    const names = Object.keys(kinds) as (keyof typeof kinds)[];
    const alone = Object.fromEntries(Object.entries(rest).filter(([name]) => !Object.hasOwn(kinds, name)));
    const tenant = readEntry(tenantKind, isObject(given) ? alone : given, { path, tenantId: '' }, complain);
    const { tenantId } = tenant;
    if (tenantId === OPERATORS_TENANT_ID)
      complain(path, 'is the tenant of operators, which only a deployment and otl operator change');
    entries.push(tenant);
    for (const name of names)
      readList(rest[name], `${path}.${name}`, complain).forEach((each, position) => {
        entries.push(
          readEntry(kinds[name], each, { path: `${path}.${name}.${position}`, tenantId }, complain),
        );
      });
    readList(given_hosts, `${path}.${HOSTS}`, complain).forEach((host, position) => {
      if (typeof host === 'string' && HOST_NAME.test(host)) hosts.push({ tenantId, host });
      else complain(`${path}.${HOSTS}.${position}`, 'must be a host name in lower case');
    });
  });
  for (const entry of entries) checkOwnFields(entry, complain);
  checkUnique({ entries, hosts }, complain);
  end();
  return { entries, hosts };
}
