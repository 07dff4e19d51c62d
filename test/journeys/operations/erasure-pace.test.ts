import { expect, test } from '@jest/globals';
import { JOBS_AT_ONCE, JOBS_MINUTES, JOBS_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { timelineKey } from '../../../shared/dynamo/keys.ts';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { copyItem } from '../../support/tools/copies.ts';

const server = useTestServer();

/** As SIZING assumes for a call of DynamoDB. */
const STEP_MILLISECONDS = 5;
const WANTED_A_DAY = 100_000;
const MINUTES_PER_DAY = 24 * 60;
const LATENCY_MS = 25;
const EVENT = 'an-event';

/** The longest chain of calls that an erasure makes, of a user with so many events. */
async function stepsOf(events: number): Promise<number> {
  const token = await server.clientToken();
  const { timeline } = await server.ports(['timeline.add']);
  const chains = [];
  for (let round = 0; round < 3; round += 1) {
    const { user_id } = await createUser(server, { email: newEmail() });
    const [time, end] = [new Date().toISOString(), nowSeconds() + 1000];
    const event = { eventId: EVENT, type: 'login.failed', userId: user_id, time, detail: {} };
    if (events > 0) await timeline.add(event, end);
    if (events > 1) await copyItem('people', timelineKey(user_id, time, EVENT), EVENT, events - 1);
    await server.faults.inject({ service: 'dynamodb', effect: 'latency', latency_ms: LATENCY_MS });
    server.resetMetrics();
    expect((await server.delete(`/v1/users/${user_id}`, { token })).status).toBeLessThan(300);
    await server.faults.clear();
    chains.push(...Object.values(server.metrics()).map(({ last }) => last.sequential_depth));
  }
  return Math.min(...chains);
}

test('erasures keep up with 100,000 due a day, of users with 200 events each', async () => {
  const [none, some, many] = [await stepsOf(0), await stepsOf(200), await stepsOf(2000)];
  const rounds = (MINUTES_PER_DAY / JOBS_MINUTES) * JOBS_SECONDS * 1000;
  const perDay = (steps: number) => (JOBS_AT_ONCE * rounds) / (steps * STEP_MILLISECONDS);
  // One by one they were 31, 229 and 2,029.
  for (const [steps, most] of [
    [none, 20],
    [some, 30],
    [many, 125],
  ] as const)
    expect(steps).toBeLessThanOrEqual(most);
  expect(perDay(some)).toBeGreaterThan(WANTED_A_DAY);
}, 60_000);
