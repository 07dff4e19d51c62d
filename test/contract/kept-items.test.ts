import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { deleteExpired } from '../../lib/local/emulators/dynamodb/ttl-cleanup.ts';
import { listAccessByMethod, portAccess, type TablePort } from '../../lib/stacks/functions/port-access.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import { hostedLogin } from '../support/fixtures/hosted-login.ts';
import { createUser, newEmail } from '../support/fixtures/people.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import type { BrowserPage } from '../support/tools/browser-jar.ts';
import { type AnyAnswer, authorized, createCall, EXTENDED, rows, send } from '../support/tools/calls.ts';
import { successesAt } from './successes.ts';

// Items after their `purge_at` must not change any response. DynamoDB may delete expired items up to 48 hours late, and
// strongly consistent global tables do not support TTL. The test stores the same items twice. It compares the responses
// while the first set of items still exists with the responses after the second set was deleted.

const HOURS_48 = 48 * 3600;
const TABLES = ['flows', 'people'] as const;

const server = useTestServer({ ...EXTENDED, events: true });
const { successes, callFor } = successesAt(server);
const login = hostedLogin(server);

type Left = readonly (readonly [what: string, ask: () => Promise<unknown>])[];

const WORDS = new Set(['message', 'error', 'error_code', 'error_description']);

/** Returns the content of a response without the values that change with each response. */
function toShape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toShape);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, WORDS.has(name) ? each : toShape(each)]),
  );
}
const toAnswerShape = ({ status, body }: AnyAnswer) => ({ status, body: toShape(body) });
const toPageShape = ({ status, html, left }: BrowserPage) => ({
  status,
  heading: html.match(/<h1[^>]*>(.*?)<\/h1>/)?.[1],
  left: left && `${left.pathname}?${[...left.searchParams.keys()]}`,
});

/** Prepares two calls of each operation: a call that is made now and repeated later, and a call that is only made later. */
async function leaveCalls(): Promise<Left> {
  const left: [string, () => Promise<unknown>][] = [];
  for (const [name, row] of rows) {
    // A webhook with an unreachable URL would delay all events of this test.
    if (successes[name] === undefined || name.includes('Webhook')) continue;
    for (const made of [false, true]) {
      const input = await successes[name]();
      const call = await callFor(name, input);
      if (made) await send(server, call);
      // When the call is made later, the client token has expired, so the call gets a new token.
      const again = async () => (input.token ? call : authorized(server, row, createCall(row, input)));
      left.push([
        `${name}, ${made ? 'made' : 'never made'}`,
        async () => toAnswerShape(await send(server, await again())),
      ]);
    }
  }
  return left;
}

/** Prepares pages that users open later with links from their mailboxes and with cookies of their browsers. */
async function leavePages(): Promise<Left> {
  const [asked, linked, done, wrong] = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const email = newEmail();
      const { user_id: userId } = await createUser(server, { email });
      return { email, userId, jar: login.browser() };
    }),
  );
  if (!asked || !linked || !done || !wrong) throw new Error('four people are made');
  const first = await login.browser().open(login.address());
  const code = await login.toCode(asked.jar, asked.email);
  const passcode = await server.codeTo(asked.email);
  await login.toCode(linked.jar, linked.email, {}, 'link');
  const link = await server.linkTo(linked.email);
  const unspent = await login.logIn(done.jar, done.email);
  const spent = await login.logIn(login.browser(), done.email);
  await login.exchange(spent);
  const guessed = await login.toCode(wrong.jar, wrong.email);
  for (let tries = 0; tries < 2; tries += 1) await guessed.submit({ passcode: '000000' });
  const mailsTo = async (to: string) => (await server.messages({ to })).map(({ subject }) => subject);
  return [
    [
      'who are you',
      async () => toPageShape(await first.submit({ identifier: asked.email, method: 'email' })),
    ],
    ['a page for a code', async () => toPageShape(await code.submit({ passcode }))],
    ['a link', async () => toPageShape(await linked.jar.open(link))],
    ['a code of a login', async () => toAnswerShape(await login.exchange(unspent))],
    ['a spent code of a login', async () => toAnswerShape(await login.exchange(spent))],
    ['a session', async () => toPageShape(await done.jar.open(login.address({ prompt: 'none' })))],
    [
      'the timeline',
      async () => {
        const token = await server.clientToken();
        return toAnswerShape(await server.get(`/v1/users/${done.userId}/timeline`, { token }));
      },
    ],
    [
      'a device that was seen',
      async () => {
        await login.logIn(done.jar, done.email);
        await server.settleEvents();
        return mailsTo(done.email);
      },
    ],
    [
      'wrong codes',
      async () => {
        const page = await login.toCode(wrong.jar, wrong.email);
        const next = await page.submit({ passcode: '000000' });
        return [toPageShape(next), next.html.includes('name="passcode"')];
      },
    ],
  ];
}

async function leaveBehind(): Promise<Left> {
  const left = [...(await leaveCalls()), ...(await leavePages())];
  await server.settleEvents();
  return left;
}

async function ask(left: Left): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const [what, asked] of left) answers[what] = await asked();
  return answers;
}

/** Returns the latest `purge_at` (epoch seconds) of each item type, by key prefix. */
async function lastPurges(): Promise<ReadonlyMap<string, number>> {
  const client = new DynamoDBClient({});
  const last = new Map<string, number>();
  for (const TableName of TABLES)
    for await (const { Items = [] } of paginateScan({ client }, { TableName }))
      for (const { pk, purge_at } of Items) {
        const kind = `${pk?.S?.split('#')[0]}#`;
        if (purge_at?.N !== undefined) last.set(kind, Math.max(last.get(kind) ?? 0, Number(purge_at.N)));
      }
  client.destroy();
  return last;
}

/** Returns the key prefixes of all item types in the table `flows`, all of which expire. */
const listFlowTypes = (): readonly string[] => [
  ...new Set(
    (Object.keys(portAccess) as TablePort[])
      .flatMap((port) => Object.values(listAccessByMethod(port)).flat())
      .flatMap(({ table, prefix }) => (table === 'flows' ? [prefix] : [])),
  ),
];

/**
 * Key prefixes of expiring items that other tests cover: logins at identity providers, DPoP proofs, notice links, revoked
 * access tokens, webhook deliveries, client metadata documents and console sessions. Their stores check the expiry.
 */
const LEFT_ELSEWHERE = [
  ...['upstream#', 'jti#', 'notice-link#', 'revoked#', 'webhook-delivery#', 'document#'],
  'console-session#',
];

test('expired items that DynamoDB has not deleted yet do not change any response', async () => {
  const [kept, gone] = [await leaveBehind(), await leaveBehind()];
  const purges = await lastPurges();
  expect(listFlowTypes().filter((kind) => !purges.has(kind) && !LEFT_ELSEWHERE.includes(kind))).toEqual([]);
  expect([...purges.keys()]).toEqual(
    expect.arrayContaining(['timeline#', 'messages#', 'seen#', 'user#', 'credential#']),
  );
  await server.advanceClock(Math.max(...purges.values()) + HOURS_48 - nowSeconds());
  const answers = await ask(kept);
  const endpoint = `${server.url}/_local/aws/dynamodb`;
  for (const table of TABLES) await deleteExpired({ endpoint, table, attribute: 'purge_at' }, nowSeconds());
  expect(answers).toEqual(await ask(gone));
}, 300_000);
