import type { AuditFacts } from '../../ports/audit.ts';
import { changedFields, managedRecords, maskCalled } from '../../records/changes.ts';

type Verb = (...given: readonly unknown[]) => Promise<unknown>;
type Port = Readonly<Record<string, Verb | undefined>>;
type Audit = (facts: AuditFacts) => void;

/** Masks a URL that is called, as changes and answers show it below admin: what follows the origin may be a secret. */
export const maskUrl = maskCalled;

/** A user that is made or erased is an event of its own, and the erasure leaves no values behind. */
const isNoted = (name: string, before: unknown, after: unknown) =>
  name !== 'userRecords' || (before !== undefined && after !== undefined);

const personOf = (record: { readonly userId?: string } | undefined) => record?.userId;

/**
 * The ports of a call, which tell `audit` what the call changes in the first record that it writes: the kind of the record,
 * and the former and the new values of its fields as viewers may see them. A second write of a record that kind continues the first.
 * `mask`: shared/templates has it.
 */
export function recordedPorts<Ports extends object>(
  ports: Ports,
  audit: Audit,
  mask: (address: string) => string,
): Ports {
  let first: { readonly name: string; readonly before: object | undefined } | undefined;
  const note = (name: string, before: object | undefined, after: object | undefined) => {
    const managed = managedRecords[name];
    if (!managed || !isNoted(name, before, after)) return;
    first ??= { name, before };
    if (first.name !== name) return;
    const changes = changedFields(managed.fields, first.before, after, mask);
    audit({
      recordKind: managed.kind,
      ...(name === 'membershipRecords' ? { personId: personOf(after ?? before) } : {}),
      ...(changes.length > 0 ? { changes: JSON.stringify(changes) } : {}),
    });
  };

  const recorded = (name: string, port: Port): Port => {
    let found: object | undefined;
    const verbs: Readonly<Record<string, (call: Verb) => Verb>> = {
      find:
        (call) =>
        async (...given) => {
          found = (await call(...given)) as object | undefined;
          return found;
        },
      put: (call) => async (next) => {
        const done = await call(next);
        if (done) note(name, undefined, next as object);
        return done;
      },
      // Members are replaced whatever was read.
      replace:
        (call) =>
        async (...given) => {
          const done = await call(...given);
          if (done) note(name, (given.length > 1 ? given[0] : found) as object, given.at(-1) as object);
          return done;
        },
      // What else goes with a record was listed, and not read.
      remove:
        (call) =>
        async (...given) => {
          const done = await call(...given);
          if (done && found) note(name, found, undefined);
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
