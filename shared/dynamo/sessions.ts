import { CONSUMED_KEPT_SECONDS } from '../domain/limits.ts';
import type { Sessions } from '../ports/flows.ts';
import { number, optionalMap, text } from './attributes.ts';
import { sessionKey, sessionPartition } from './keys.ts';
import { familyAttributes, methodAttributes, toAttributes, toSession } from './session-item.ts';
import type { Item, Table } from './table.ts';

const ALIVE =
  'attribute_exists(#pk) AND attribute_not_exists(#ended_at) AND #expires_at > :at AND #ends_at > :at';

function isAlive(item: Item, at: number): boolean {
  return item.ended_at === undefined && number(item, 'expires_at') > at && number(item, 'ends_at') > at;
}

type Joining = Parameters<Sessions['join']>[1];

async function join(
  table: Table,
  sessionId: string,
  { at, expiresAt, methods, family, dropFamilies }: Joining,
): Promise<boolean> {
  const dropped = [...new Set(dropFamilies)];
  const item = await table.update(sessionKey(sessionId), {
    condition: family ? `${ALIVE} AND attribute_not_exists(#families.#family)` : ALIVE,
    compute: [
      '#methods = list_append(#methods, :methods)',
      ...(family ? ['#families.#family = :family'] : []),
    ],
    set: { expires_at: expiresAt },
    remove: dropped.map((_, i) => `#families.#dropped${i}`),
    names: {
      ...(family ? { family: family.familyId } : {}),
      ...Object.fromEntries(dropped.map((id, i) => [`dropped${i}`, id])),
    },
    values: {
      at,
      methods: methods.map(methodAttributes),
      ...(family ? { family: familyAttributes(family) } : {}),
    },
    ours: (found) => family === undefined || optionalMap(found, 'families')?.[family.familyId] !== undefined,
  });
  return item !== undefined;
}

/** One item a session, its refresh families inside: one write ends them all. */
export function sessions(table: Table): Sessions {
  async function end(sessionId: string, at: number): Promise<boolean> {
    const by = crypto.randomUUID();
    const item = await table.update(sessionKey(sessionId), {
      condition: ALIVE,
      set: { ended_at: at, ended_by: by, purge_at: at + CONSUMED_KEPT_SECONDS },
      // What is over needs no trace of the person's device.
      remove: ['#families', '#device_id', '#user_agent', '#ip_address'],
      values: { at },
      ours: (found) => found.ended_by === by,
    });
    return item !== undefined;
  }

  return {
    async start(session) {
      // Refused only for a repetition of this very write: a session that ended meanwhile must not come back.
      return table.put(
        { ...sessionKey(session.sessionId), ...toAttributes(session) },
        { condition: 'attribute_not_exists(#pk)' },
      );
    },

    async find(sessionId, at) {
      const item = await table.get(sessionKey(sessionId));
      return item !== undefined && isAlive(item, at) ? toSession(item) : undefined;
    },

    join: (sessionId, change) => join(table, sessionId, change),
    end,

    async listOf(userId, at) {
      const items = await table.query(sessionPartition(userId));
      return items.filter((item) => isAlive(item, at)).map(toSession);
    },

    async endAllOf(userId, at) {
      const items = await table.query(sessionPartition(userId));
      const alive = items.filter((item) => isAlive(item, at));
      const ended = await Promise.all(alive.map((item) => end(text(item, 'session_id'), at)));
      return ended.filter(Boolean).length;
    },
  };
}
