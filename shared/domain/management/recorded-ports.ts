import type { AuditFacts } from '../../ports/audit.ts';
import { changedFields, managedRecords, maskUrlPath } from '../../records/changes.ts';

type PortMethod = (...given: readonly unknown[]) => Promise<unknown>;
type Port = Readonly<Record<string, PortMethod | undefined>>;
type Audit = (facts: AuditFacts) => void;

/** Masks a URL after its origin for readers without the role admin, because the path may contain a secret. */
export const maskUrl = maskUrlPath;

/**
 * Returns true if the change log records a write. The change log does not record that a user is created or erased: both have
 * separate events, and no values of an erased user may remain.
 */
const isRecorded = (name: string, before: unknown, after: unknown) =>
  name !== 'userRecords' || (before !== undefined && after !== undefined);

const readUserId = (record: { readonly userId?: string } | undefined) => record?.userId;

/**
 * Wraps the ports of a call, so that `audit` receives the changes to the first record that the call writes: the record's type,
 * and the old and new values of its fields as viewers may see them. If the call writes a record of the same type again, the new
 * values are those of the last write. `mask` masks addresses (see shared/templates).
 */
export function recordChanges<Ports extends object>(
  ports: Ports,
  audit: Audit,
  mask: (address: string) => string,
): Ports {
  let first: { readonly name: string; readonly before: object | undefined } | undefined;
  const record = (name: string, before: object | undefined, after: object | undefined) => {
    const managed = managedRecords[name];
    if (!managed || !isRecorded(name, before, after)) return;
    first ??= { name, before };
    if (first.name !== name) return;
    const changes = changedFields(managed.fields, first.before, after, mask);
    audit({
      recordKind: managed.kind,
      ...(name === 'membershipRecords' ? { personId: readUserId(after ?? before) } : {}),
      ...(changes.length > 0 ? { changes: JSON.stringify(changes) } : {}),
    });
  };

  const recorded = (name: string, port: Port): Port => {
    let found: object | undefined;
    const verbs: Readonly<Record<string, (call: PortMethod) => PortMethod>> = {
      find:
        (call) =>
        async (...given) => {
          found = (await call(...given)) as object | undefined;
          return found;
        },
      put: (call) => async (next) => {
        const done = await call(next);
        if (done) record(name, undefined, next as object);
        return done;
      },
      // The methods of the ports are wrapped: `replace` receives only the new record, so `find` remembers the previous record.
      replace:
        (call) =>
        async (...given) => {
          const done = await call(...given);
          if (done) record(name, (given.length > 1 ? given[0] : found) as object, given.at(-1) as object);
          return done;
        },
      // Records that are removed together with the changed record were listed but not read with `find`, so they are not
      // recorded.
      remove:
        (call) =>
        async (...given) => {
          const done = await call(...given);
          if (done && found) record(name, found, undefined);
          return done;
        },
    };
    return Object.fromEntries(
      Object.entries(port).map(([verb, call]) => [verb, (call && verbs[verb]?.(call)) ?? call]),
    );
  };

  return Object.fromEntries(
    Object.entries(ports).map(([name, port]) => [
      name,
      name in managedRecords ? recorded(name, port as Port) : port,
    ]),
  ) as Ports;
}
