import { applicationFields } from './application.ts';
import { clientFields } from './client.ts';
import { dates, type Field, type Fields, toSnakeCase } from './field.ts';
import { operatorFields } from './operator.ts';
import { memberFields, organizationFields } from './organization.ts';
import { nameFields } from './profile.ts';
import { shownValue } from './record.ts';
import { resourceFields } from './resource.ts';
import { tenantFields } from './tenant.ts';
import { userFields } from './user.ts';
import { webhookFields } from './webhook.ts';

const address = { kind: 'record', of: { value: { kind: 'text', personal: true } } } as const;

/** Record types whose changes by administrative calls are listed, by the name of the port that writes them. */
export const managedRecords: Readonly<Record<string, { readonly kind: string; readonly fields: Fields }>> = {
  tenantRecords: { kind: 'tenant', fields: tenantFields },
  applicationRecords: { kind: 'application', fields: applicationFields },
  clientRecords: { kind: 'client', fields: clientFields },
  resourceRecords: { kind: 'resource', fields: resourceFields },
  organizationRecords: { kind: 'organization', fields: organizationFields },
  membershipRecords: { kind: 'member', fields: memberFields },
  webhookRecords: { kind: 'webhook', fields: webhookFields },
  operatorRecords: { kind: 'operator', fields: operatorFields },
  userRecords: {
    kind: 'user',
    fields: { ...userFields, ...nameFields, email: address, phoneNumber: address },
  },
};

/** Changed field. `before` is undefined if the field did not exist, `after` if it was removed. */
export interface ChangedField {
  readonly field: string;
  readonly before?: string;
  readonly after?: string;
}

type Values = Readonly<Record<string, unknown>>;
type Mask = (address: string) => string;

const HIDDEN = '•••';
const VALUE_MAX = 400;
/**
 * Maximum total length, in characters, of all fields of a change. Ten events of this length fit into one EventBridge call (256
 * KB).
 */
const CHANGE_MAX = 6000;

/** Pattern of URLs with a query or fragment, which may contain a secret of the URL's owner. */
const QUERY = /([a-z][a-z0-9+.-]*:\/\/[^\s"?#]*)[?#][^\s"]*/gi;

/**
 * Returns a value as text, to compare values. Masked texts are not compared, because two values can have the same masked text.
 */
const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Pattern of a URL up to and including its host and port. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/** Masks the path, query and fragment of a URL, because these parts may contain a secret of the receiver. */
export const maskUrlPath = (url: string): string => `${ORIGIN.exec(url)?.[0] ?? ''}/${HIDDEN}`;

function masked(text: string, { kind, personal, called }: Field, mask: Mask): string {
  if (called) return maskUrlPath(text);
  const seen = personal ? (kind === 'text' ? mask(text) : HIDDEN) : text.replace(QUERY, `$1?${HIDDEN}`);
  if (personal && seen === text) return HIDDEN;
  return seen.length > VALUE_MAX ? `${seen.slice(0, VALUE_MAX)}…` : seen;
}

type Seen = readonly (readonly [path: string, { readonly text: string; readonly field: Field }])[];

/** Returns the values of a record that operators may see, by the path of each field. */
function listSeenFields(fields: Fields, record: Values, path = ''): Seen {
  return Object.entries(fields).flatMap(([key, field]): Seen => {
    const value = record[key] ?? field.default;
    if (value === undefined || key in dates || field.access === 'none' || field.access === 'answer')
      return [];
    const name = `${path}${field.wire ?? toSnakeCase(key)}`;
    const inner = field.kind === 'record' ? listSeenFields(field.of, value as Values, `${name}.`) : [];
    return inner.length > 0 ? inner : [[name, { text: toText(shownValue(field, value)), field }]];
  });
}

/** Returns a record's changed fields, masked for viewers. A new record has no `before`, a removed record no `after`. */
export function changedFields(
  fields: Fields,
  before: object | undefined,
  after: object | undefined,
  mask: Mask,
): readonly ChangedField[] {
  const [former, next] = [before, after].map(
    (record) => new Map(listSeenFields(fields, (record ?? {}) as Values)),
  );
  const changes: ChangedField[] = [];
  let left = CHANGE_MAX;
  for (const name of new Set([...(former?.keys() ?? []), ...(next?.keys() ?? [])])) {
    const [was, is] = [former?.get(name), next?.get(name)];
    // The ID and other read-only fields of a new or removed record are not changes.
    if (was?.text === is?.text || !((before && after) || (was ?? is)?.field.access !== 'read')) continue;
    const change = {
      field: name,
      ...(before && was ? { before: masked(was.text, was.field, mask) } : {}),
      ...(after && is ? { after: masked(is.text, is.field, mask) } : {}),
    };
    left -= JSON.stringify(change).length;
    if (left < 0) break;
    changes.push(change);
  }
  return changes;
}
