import {
  type AttemptCount,
  countAttemptsLeft,
  hasNoAttemptsLeft,
  invalidatesCode,
  isLocked,
  newAttemptCount,
} from '../../domain/basis/code-lock.ts';
import { CONSUMED_KEPT_SECONDS, PASSCODE_FAILURES_KEPT_SECONDS } from '../../domain/basis/limits.ts';
import type {
  AttemptOutcome,
  CodeCaller,
  OneTimeCodeKey,
  OneTimeCodes,
  StoredCode,
} from '../../ports/flows.ts';
import { type Item, isPurgeable, readMap, readNumber, readText, readTexts } from '../attributes.ts';
import { oneTimeCodeKey, oneTimeCodePartition, splitKey } from '../keys.ts';
import { newWriteToken, removeAll, type Table, type WriteOutcome } from '../table.ts';
import { CODE_ATTRIBUTES, codeItem } from './one-time-code-item.ts';

// An item stores the latest code of an identifier for one hosted login, `request_id` or client. Its map `guessers` counts the
// attempts of each caller, so that one write can check and count an attempt.

const itemKey = (key: OneTimeCodeKey) => oneTimeCodeKey(key.applicationId, key.identifierHash, key.slot);

/** Condition that an item is not past its `purge_at`. DynamoDB's TTL deletes such items too late. */
const IS_KEPT = '(attribute_not_exists(#purge_at) OR #purge_at > :at)';

const ENTRIES = ['tries', 'most', 'until', 'code'] as const;

/**
 * Number of buckets in which attempts are counted by network. Networks share buckets, so that the item stays small. A
 * user's codes are locked after far fewer wrong codes than there are buckets.
 */
const BUCKETS = 1024;

/** Maximum number of earlier codes that stay valid. Each additional valid code increases the chance of a correct guess. */
const EARLIER_CODES_MAX = 2;

const BASE = 36;

function chooseBucket({ network }: CodeCaller): string {
  if (network === undefined) return 'all';
  return (Buffer.from(network, 'base64url').readUInt16BE() % BUCKETS).toString(BASE);
}

const listCounterNames = (caller: CodeCaller) => namesAt(chooseBucket(caller));

const namesAt = (place: string) => {
  const [tries, most, until, code] = ENTRIES.map((entry) => `${entry}:${place}`) as [
    string,
    string,
    string,
    string,
  ];
  return { tries, most, until, code };
};

function readTries(item: Item, caller: CodeCaller): AttemptCount | undefined {
  return readTriesAt(readMap(item, 'guessers'), chooseBucket(caller));
}

function readTriesAt(entries: Item, place: string): AttemptCount | undefined {
  const names = namesAt(place);
  if (entries[names.tries] === undefined) return undefined;
  return {
    tries: readNumber(entries, names.tries),
    maxTries: readNumber(entries, names.most),
    lockedUntil: readNumber(entries, names.until),
    code: readText(entries, names.code),
  };
}

function readEarlierCodes(item: Item): readonly StoredCode[] {
  return Array.isArray(item.earlier) ? item.earlier.map((each) => codeItem.read(each as Item)) : [];
}

const readCodes = (item: Item) => [codeItem.read(item), ...readEarlierCodes(item)];

/** Returns true if the item's newest passcode is valid and no caller has invalidated it with wrong attempts. */
function isValid(item: Item, at: number): boolean {
  const { mac } = item;
  if (typeof mac !== 'string' || item.consumed_at !== undefined || readNumber(item, 'expires_at') <= at)
    return false;
  return !listTries(item).some((tried) => invalidatesCode(tried, mac, at));
}

/** Returns the attempt counts of all callers who have tried a passcode of the item. */
function listTries(item: Item): readonly AttemptCount[] {
  const entries = readMap(item, 'guessers');
  return Object.keys(entries)
    .filter((name) => name.startsWith('tries:'))
    .flatMap((name) => readTriesAt(entries, name.slice('tries:'.length)) ?? []);
}

export const oneTimeCodes = (table: Table): OneTimeCodes => ({
  async put(key, code) {
    const putting = (condition: string, guessers: string) =>
      table.tryUpdate(itemKey(key), {
        condition,
        compute: [`#guessers = ${guessers}`],
        set: {
          ...codeItem.toAttributes(code),
          consumed_by: undefined,
          earlier: undefined,
          former_guessers: undefined,
          taken_back: undefined,
          tried: undefined,
          purge_at: code.expiresAt + PASSCODE_FAILURES_KEPT_SECONDS,
        },
        values: { none: {}, at: code.sentAt },
        tokenAttribute: 'put_by',
        // If the SDK repeats the write late, the repetition must neither make a used code valid nor replace a newer code.
        once: true,
        returnsOld: true,
      });
    const putOn = () => putting(IS_KEPT, 'if_not_exists(#guessers, :none)');
    let attempt = await putOn();
    // The stored attempts have expired, so their counts restart. A concurrent request may store its code first.
    if (attempt.existing && isPurgeable(attempt.existing, code.sentAt)) {
      attempt = await putting('#purge_at <= :at', ':none');
      if (!attempt.done) attempt = await putOn();
    }
    const before = attempt.done ? attempt.item : undefined;
    // If the SDK has repeated the write, the previous item already contains this code.
    const isBefore = before !== undefined && before.mac !== code.mac;
    return isBefore && isValid(before, code.sentAt) ? readCodes(before) : [];
  },

  countAttempt: (key, caller) => countAttempt(table, key, caller),

  async refundAttempt(key, mac, caller) {
    const refunding = (guessers: Counts) => {
      const { condition, values, ...change } = buildRefund(guessers, caller);
      const refund = { ...change, condition: `#mac = :mac AND ${condition}`, values: { ...values, mac } };
      return table.change(itemKey(key), { ...refund, tokenAttribute: 'counted_by', counts: true });
    };
    (await refunding('guessers')) || (await refunding('former_guessers'));
  },

  consume: (key, mac, { at, holder, ...caller }) =>
    table.change(itemKey(key), {
      condition: [
        '#mac = :mac AND attribute_not_exists(#consumed_at) AND #expires_at > :at',
        '#guessers.#tries >= :one AND #guessers.#code = :mac',
      ].join(' AND '),
      compute: holder === undefined ? [] : ['#former_guessers = #guessers'],
      set: {
        consumed_at: at,
        guessers: {},
        tried: undefined,
        purge_at: at + CONSUMED_KEPT_SECONDS,
      },
      names: listCounterNames(caller),
      values: { mac, at, one: 1 },
      tokenAttribute: 'consumed_by',
      token: holder,
    }),

  async undoConsume(key, mac, holder, at) {
    const change = {
      condition: '#mac = :mac',
      compute: ['#guessers = #former_guessers'],
      set: { purge_at: at + PASSCODE_FAILURES_KEPT_SECONDS },
      remove: ['#consumed_at', '#former_guessers'],
      values: { mac },
    };
    await table.undo(itemKey(key), holder, change);
  },

  async isUsable(key, mac, at) {
    const item = await table.get(itemKey(key));
    return item?.mac === mac && isValid(item, at);
  },

  async restore(key, mac, [newest, ...others]) {
    const earlier = others.slice(0, EARLIER_CODES_MAX).map(codeItem.toAttributes);
    await table.update(itemKey(key), {
      condition: newest ? '#mac = :mac AND attribute_not_exists(#consumed_at)' : '#mac = :mac',
      ...(newest
        ? { set: { ...codeItem.toAttributes(newest), earlier } }
        : { remove: CODE_ATTRIBUTES.map((name) => `#${name}`) }),
      values: { mac },
    });
  },

  async locksOf(identifierHash, at) {
    const items = await table.query(oneTimeCodePartition(identifierHash));
    return items.flatMap((item) => {
      const [, applicationId = ''] = splitKey(readText(item, 'sk'));
      return listTries(item)
        .filter((tried) => isLocked(tried, at))
        .map(({ lockedUntil, tries }) => ({ applicationId, until: lockedUntil, tries }));
    });
  },

  async removeAllOf(identifierHash) {
    const pk = oneTimeCodePartition(identifierHash);
    await removeAll(table, pk, await table.query(pk));
  },
});

/**
 * Name of the attribute with the attempt counts. While a code is consumed, `former_guessers` contains the earlier counts, which
 * `undoConsume` restores.
 */
type Counts = 'guessers' | 'former_guessers';

const buildRefund = (guessers: Counts, { tag, ...caller }: CodeCaller) => ({
  condition: `#${guessers}.#tries >= :one`,
  compute: [`#${guessers}.#tries = #${guessers}.#tries - :one`],
  removeMembers: tag === undefined ? {} : { tried: new Set([tag]) },
  names: listCounterNames(caller),
  values: { one: 1 },
});

type Guess = Parameters<OneTimeCodes['countAttempt']>[1];
type MarkedGuess = Guess & { readonly by: string };

const hasCode = (item: Item | undefined): item is Item => item?.mac !== undefined;
const isTagged = (item: Item, { tag }: Guess) => tag !== undefined && readTexts(item, 'tried').includes(tag);

/** Returns a new attempt count if the caller's existing count cannot be continued, for example because a lock has ended. */
function nextCount(item: Item | undefined, guess: Guess): ReturnType<typeof newAttemptCount> {
  const seen = item && readTries(item, guess);
  if (!hasCode(item) || !seen) return undefined;
  const code = { mac: readText(item, 'mac'), maxTries: readNumber(item, 'max_tries') };
  return newAttemptCount(seen, code, guess.at);
}

function count(
  table: Table,
  key: OneTimeCodeKey,
  { by, ...guess }: MarkedGuess,
  beginning?: ReturnType<typeof newAttemptCount>,
): Promise<WriteOutcome> {
  const { at, expired, tag } = guess;
  return table.tryUpdate(itemKey(key), {
    condition: [
      `attribute_exists(#mac) AND attribute_not_exists(#consumed_at) AND ${IS_KEPT}`,
      expired ? '#expires_at <= :at' : '#expires_at > :at',
      beginning
        ? '#guessers.#code = :code'
        : '(attribute_not_exists(#guessers.#tries) OR (#guessers.#tries < #guessers.#most AND #guessers.#tries < #max_tries))',
      ...(tag === undefined ? [] : ['NOT contains(#tried, :tag)']),
    ].join(' AND '),
    compute: [
      beginning
        ? '#guessers.#tries = :next'
        : '#guessers.#tries = if_not_exists(#guessers.#tries, :zero) + :one',
      '#guessers.#most = #max_tries',
      '#guessers.#until = :at + #lock_seconds',
      '#guessers.#code = #mac',
    ],
    set: { purge_at: at + PASSCODE_FAILURES_KEPT_SECONDS },
    add: tag === undefined ? {} : { tried: new Set([tag]) },
    names: listCounterNames(guess),
    values: { at, tag, zero: 0, one: 1, ...beginning },
    tokenAttribute: 'counted_by',
    token: by,
    counts: true,
  });
}

function toRefusal(item: Item | undefined, guess: Guess): AttemptOutcome & { readonly counted: false } {
  const code = hasCode(item)
    ? { code: codeItem.read(item), earlier: readEarlierCodes(item) }
    : { earlier: [] };
  const refused = (why: (AttemptOutcome & { readonly counted: false })['why']) =>
    ({ counted: false, why, ...code }) as const;
  if (hasCode(item) && isTagged(item, guess)) return refused('repeated');
  const tried = item && readTries(item, guess);
  if (tried && isLocked(tried, guess.at)) return { ...refused('locked'), lockedUntil: tried.lockedUntil };
  if (!hasCode(item)) return refused('absent');
  if (item.consumed_at !== undefined || (tried && hasNoAttemptsLeft(tried))) return refused('spent');
  return refused('expired');
}

async function attemptTry(table: Table, key: OneTimeCodeKey, guess: MarkedGuess): Promise<WriteOutcome> {
  const attempt = await count(table, key, guess);
  const beginning = attempt.done ? undefined : nextCount(attempt.existing, guess);
  if (!beginning) return attempt;
  const begun = await count(table, key, guess, beginning);
  // If this write fails, a concurrent attempt has started the count, so this attempt is added to it.
  return begun.done ? begun : count(table, key, guess);
}

/** Reverts an attempt that may have been counted. If the write that counts the attempt arrives afterwards, it fails. */
async function forgetAttempt(
  table: Table,
  key: OneTimeCodeKey,
  { by, ...guess }: MarkedGuess,
): Promise<void> {
  const forgetting = (guessers: Counts) =>
    table.undo(itemKey(key), by, { ...buildRefund(guessers, guess), once: true }, 'counted_by');
  (await forgetting('guessers')) || (await forgetting('former_guessers'));
}

async function countAttempt(table: Table, key: OneTimeCodeKey, guess: Guess): Promise<AttemptOutcome> {
  const marked = { ...guess, by: newWriteToken() };
  const attempt = await attemptTry(table, key, marked).catch(async (error: unknown) => {
    // The code will not be compared, so the attempt is reverted. If this write fails as well, the attempt stays counted.
    await forgetAttempt(table, key, marked).catch(() => {});
    throw error;
  });
  if (!attempt.done)
    return toRefusal(
      attempt.existing && isPurgeable(attempt.existing, guess.at) ? undefined : attempt.existing,
      guess,
    );
  const attemptsLeft = countAttemptsLeft(readTries(attempt.item, guess));
  const { item } = attempt;
  return { counted: true, attemptsLeft, code: codeItem.read(item), earlier: readEarlierCodes(item) };
}
