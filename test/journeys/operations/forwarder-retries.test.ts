import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { background } from '../../../functions/background.ts';
import { create } from '../../../functions/events/event-forwarder.ts';
import { ENDED_SESSION_SECONDS, ENDED_SESSIONS_MAX } from '../../../shared/domain/basis/limits.ts';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { tokensDirect } from '../../support/fixtures/tokens.ts';
import { dumpTable } from '../../support/server/dump.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

const server = useTestServer({ events: true });

test('an event that the forwarder cannot process is retried without the other events of its batch', async () => {
  const real = await server.ports(background['event-forwarder'].uses);
  const { timeline: timelineStore } = await server.ports(['timeline.list']);
  const [failing, other] = await Promise.all(
    [1, 2].map(async () => (await createUser(server, { email: newEmail() })).user_id),
  );
  await server.settleEvents();
  const add: typeof real.timeline.add = async (event, purgeAt) => {
    if (event.userId === failing) throw new Error('this one fails');
    await real.timeline.add(event, purgeAt);
  };
  const variables = { EVENT_BUS: 'local', TIMELINE_DAYS: '1' };
  const handler = create({ ...real, timeline: { ...real.timeline, add } }, variables);
  const { tenant_id } = server.environment;
  const time = new Date().toISOString();
  const createBatch = (...users: readonly (string | undefined)[]) => {
    const logEvents = users.map((user_id) => {
      const line = {
        event: 'test',
        time,
        request_id: user_id,
        audit: ['login.failed'],
        tenant_id,
        user_id,
      };
      return { message: JSON.stringify(line), timestamp: 0 };
    });
    return { awslogs: { data: gzipSync(JSON.stringify({ logEvents })).toString('base64') } };
  };
  const failures = async (user = '') => {
    const { items } = await timelineStore.list(user, { limit: 9 });
    return items.filter(({ type }) => type === 'login.failed').length;
  };
  await handler(createBatch(other, failing, other));
  expect([await failures(failing), await failures(other)]).toEqual([0, 1]);
  // The event bus delivers the failed event again to a forwarder whose timeline works.
  await server.settleEvents();
  expect([await failures(failing), await failures(other)]).toEqual([1, 1]);
  // If every event of a batch fails, the handler throws, so that Lambda retries the whole batch.
  await expect(handler(createBatch(failing))).rejects.toThrow('this one fails');
});

test('a login of a user with too many records of ended sessions removes the oldest of these records', async () => {
  const { user_id } = await createUser(server, { email: newEmail() });
  const { sessions } = await server.ports(['sessions']);
  const at = Math.floor(Date.now() / 1000) - ENDED_SESSION_SECONDS - 1;
  for (let n = 0; n < ENDED_SESSIONS_MAX + 5; n += 1) await sessions.forbid(`${user_id}.${n}`, at);
  await tokensDirect(server, user_id);
  await server.settleEvents();
  const items = JSON.parse(await dumpTable('flows')) as {
    readonly sk: { readonly S: string };
    ended_at?: object;
  }[];
  const over = items.filter(({ sk, ended_at }) => ended_at && sk.S.startsWith(`${user_id}.`));
  expect(over).toHaveLength(ENDED_SESSIONS_MAX);
});
