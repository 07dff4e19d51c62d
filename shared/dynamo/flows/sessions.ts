import { inBatches } from '../../domain/basis/await-all.ts';
import {
  CONSUMED_KEPT_SECONDS,
  ENDED_SESSION_SECONDS,
  ENDED_SESSIONS_MAX,
  PARALLEL_WRITES,
} from '../../domain/basis/limits.ts';
import type { RefreshFamily, Sessions } from '../../ports/flows.ts';
import { type Item, readNumber, readText, readTexts } from '../attributes.ts';
import { deviceBindings } from '../device-bindings.ts';
import { sessionKey, sessionPartition } from '../keys.ts';
import type { Table } from '../table.ts';
import { endFamily, renewToken, rotateToken } from './session-families.ts';
import {
  familyItem,
  familyItems,
  isSessionActive,
  lastUseByMethod,
  SESSION_IS_ACTIVE,
  sessionItem,
} from './session-item.ts';

interface WriteSignature {
  /**
   * Token that identifies this write, stored as `written_by`. If the SDK repeats the write, the token shows that the first
   * attempt succeeded.
   */
  readonly mark: string | undefined;
  readonly isIn: (item: Item) => boolean;
}

/**
 * Returns the data by which a repeated write recognises its first attempt: the hash of the secret of a new refresh family or
 * browser or, without such a secret, a write token. Not every write stores a token, because a larger item makes each token
 * refresh more expensive.
 */
function createSignature(family: RefreshFamily | undefined, browserHash: string | undefined): WriteSignature {
  if (family) {
    const { familyId, currentHash } = family;
    return { mark: undefined, isIn: (item) => familyItems(item)[familyId]?.current_hash === currentHash };
  }
  if (browserHash !== undefined)
    return { mark: undefined, isIn: (item) => item.browser_hash === browserHash };
  const mark = crypto.randomUUID();
  return { mark, isIn: (item) => item.written_by === mark };
}

type Joining = Parameters<Sessions['join']>[1];

function join(
  table: Table,
  sessionId: string,
  {
    at,
    expiresAt,
    methods,
    browser,
    generation,
    initialBrowserMethods,
    family,
    clientId,
    dropFamilies,
  }: Joining,
): Promise<boolean> {
  const { mark, isIn } = createSignature(family, browser?.nextHash);
  const dropped = [...new Set(dropFamilies)];
  const uses = Object.entries(lastUseByMethod(methods));
  return table.change(sessionKey(sessionId), {
    condition: [
      SESSION_IS_ACTIVE,
      ...(mark ? ['(attribute_not_exists(#written_by) OR #written_by <> :mark)'] : []),
      ...(family ? ['attribute_not_exists(#families.#family)'] : []),
      ...(browser ? ['#browser_hash = :former_hash'] : []),
    ].join(' AND '),
    compute: [
      ...uses.map((_, i) => `#methods.#method${i} = :used${i}`),
      ...(family ? ['#families.#family = :family'] : []),
      ...(initialBrowserMethods ? ['#browser_methods = if_not_exists(#browser_methods, :left)'] : []),
    ],
    set: {
      expires_at: expiresAt,
      written_by: mark,
      ...(generation === undefined ? {} : { generation }),
      ...(browser && {
        browser_hash: browser.nextHash,
        browser_methods: lastUseByMethod(browser.methods),
      }),
    },
    remove: dropped.map((_, i) => `#families.#dropped${i}`),
    ...(clientId === undefined ? {} : { add: { clients: new Set([clientId]) } }),
    names: {
      ...(family && { family: family.familyId }),
      ...Object.fromEntries(dropped.map((id, i) => [`dropped${i}`, id])),
      ...Object.fromEntries(uses.map(([method], i) => [`method${i}`, method])),
    },
    values: {
      at,
      mark,
      ...Object.fromEntries(uses.map(([, used], i) => [`used${i}`, used])),
      family: family && familyItem.toAttributes(family),
      former_hash: browser?.formerHash,
      left: initialBrowserMethods && lastUseByMethod(initialBrowserMethods),
    },
    isOurs: isIn,
  });
}

function end(table: Table, sessionId: string, at: number): Promise<boolean> {
  return table.change(sessionKey(sessionId), {
    condition: SESSION_IS_ACTIVE,
    set: { ended_at: at, purge_at: at + CONSUMED_KEPT_SECONDS },
    // Remove data about the user's device. The IAM policy of the public functions that end sessions does not let them write the
    // attributes of tokens and cookies, so these attributes stay.
    remove: ['#device_id', '#user_agent', '#ip_address'],
    values: { at },
    tokenAttribute: 'ended_by',
    returnsNothing: true,
  });
}

/**
 * Ends a session. If the session does not exist yet, stores it as ended, so that it cannot start later. Also ends a session
 * that starts during this call.
 */
async function forbid(table: Table, sessionId: string, at: number): Promise<void> {
  if (await end(table, sessionId, at)) return;
  const marked = await table.put(
    { ...sessionKey(sessionId), ended_at: at, purge_at: at + CONSUMED_KEPT_SECONDS },
    { condition: 'attribute_not_exists(#pk)' },
  );
  if (!marked) await end(table, sessionId, at);
}

const awaitsNotification = ({ ended_at, told_at, client_id }: Item) =>
  ended_at !== undefined && told_at === undefined && client_id !== undefined;

/** Returns the time at which a session was ended or expired, in epoch seconds. */
const endTime = (item: Item): number =>
  item.ended_at === undefined
    ? Math.min(readNumber(item, 'expires_at'), readNumber(item, 'ends_at'))
    : readNumber(item, 'ended_at');

/**
 * Deletes the oldest ended sessions beyond a limit. Recently ended sessions are kept, because a code or a repeated write may
 * still try to start them.
 */
async function deleteEnded(table: Table, items: readonly Item[], at: number): Promise<void> {
  const over = items
    .filter((item) => !isSessionActive(item, at) && !awaitsNotification(item))
    .toSorted((one, other) => endTime(other) - endTime(one))
    .slice(ENDED_SESSIONS_MAX)
    .filter((item) => endTime(item) + ENDED_SESSION_SECONDS <= at);
  await inBatches(over, PARALLEL_WRITES, (item) =>
    table.remove(sessionKey(readText(item, 'sk')), {
      condition: 'attribute_exists(#ended_at) OR #expires_at <= :at OR #ends_at <= :at',
      values: { at },
    }),
  );
}

/** Returns the attributes that an erased session keeps until its clients have been notified. */
function keptForNotification(item: Item, at: number): Item {
  const { client_id, clients } = item;
  if (!awaitsNotification(item) && !isSessionActive(item, at)) return {};
  return { client_id, ...(clients === undefined ? {} : { clients }) };
}

/** Creates the store of sessions. A session and its refresh families are one item, so that one write ends them all. */
export function sessions(table: Table): Sessions {
  return {
    start(session) {
      const { mark, isIn } = createSignature(session.families[0], session.browserHash);
      // The condition rejects a session that was marked as ended before its start.
      return table.put(
        {
          ...sessionKey(session.sessionId),
          ...sessionItem.toAttributes(session),
          purge_at: session.endsAt + CONSUMED_KEPT_SECONDS,
          written_by: mark,
        },
        { condition: 'attribute_not_exists(#pk)', isOurs: isIn },
      );
    },

    async find(sessionId, at) {
      const item = await table.get(sessionKey(sessionId));
      return item !== undefined && isSessionActive(item, at) ? sessionItem.read(item) : undefined;
    },

    join: (sessionId, change) => join(table, sessionId, change),

    async releaseBrowser(sessionId, browserHash) {
      await table.update(sessionKey(sessionId), {
        condition: '#browser_hash = :browser_hash',
        remove: ['#browser_hash', '#browser_methods'],
        values: { browser_hash: browserHash },
      });
    },

    ...deviceBindings(table, sessionKey, SESSION_IS_ACTIVE),
    rotate: (sessionId, familyId, change) => rotateToken(table, sessionId, familyId, change),
    renew: (sessionId, familyId, change) => renewToken(table, sessionId, familyId, change),
    endFamily: (sessionId, familyId, at) => endFamily(table, sessionId, familyId, at),
    end: (sessionId, at) => end(table, sessionId, at),
    forbid: (sessionId, at) => forbid(table, sessionId, at),

    async listOf(userId, at) {
      const items = await table.query(sessionPartition(userId));
      return items.filter((item) => isSessionActive(item, at)).map(sessionItem.read);
    },

    async review(userId, at) {
      const items = await table.query(sessionPartition(userId));
      await deleteEnded(table, items, at);
      return {
        active: items.filter((item) => isSessionActive(item, at)).map(sessionItem.read),
        unnotified: items.filter(awaitsNotification).map((item) => ({
          sessionId: readText(item, 'sk'),
          clientIds: [...new Set([readText(item, 'client_id'), ...readTexts(item, 'clients')])],
        })),
      };
    },

    async markClientsNotified(sessionId, at) {
      await table.update(sessionKey(sessionId), {
        condition: 'attribute_exists(#ended_at)',
        set: { told_at: at },
        remove: ['#families', '#browser_hash', '#browser_methods', '#binding'],
      });
    },

    async endAllOf(userId, at, exceptSessionId) {
      const items = await table.query(sessionPartition(userId));
      const alive = items.filter((item) => isSessionActive(item, at) && item.sk !== exceptSessionId);
      const ended = await Promise.all(alive.map((item) => end(table, readText(item, 'sk'), at)));
      return ended.filter(Boolean).length;
    },

    async eraseAllOf(userId, at) {
      const items = await table.query(sessionPartition(userId));
      const mark = { ended_at: at, purge_at: at + CONSUMED_KEPT_SECONDS };
      await Promise.all(
        items.map((item) =>
          table.put({
            pk: readText(item, 'pk'),
            sk: readText(item, 'sk'),
            ...mark,
            ...keptForNotification(item, at),
          }),
        ),
      );
    },
  };
}
