import { expect, test } from '@jest/globals';
import {
  JOB_CALL_SECONDS,
  JOBS_AT_ONCE,
  JOBS_INTERVAL_MINUTES,
  JOBS_RUN_SECONDS,
} from '../../../shared/domain/basis/limits.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { timelineKey } from '../../../shared/dynamo/keys.ts';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { copyItem } from '../../support/tools/copies.ts';
import { isFull } from '../../support/tools/full-run.ts';

// Uses the time limit of a deployment, because the test delays AWS calls.
const server = useTestServer({ environment: { JOB_CALL_SECONDS: String(JOB_CALL_SECONDS) } });

/** Duration of a DynamoDB call in milliseconds, as assumed in `SIZING.md`. */
const STEP_MILLISECONDS = 5;
const WANTED_A_DAY = 100_000;
const MINUTES_PER_DAY = 24 * 60;
const LATENCY_MS = 25;
const EVENT = 'an-event';

/** Maximum number of measurements. A pause of the machine can only make a measured chain of calls longer. */
const ATTEMPTS = 3;

/**
 * Erases a user with this number of events. Returns the number of sequential AWS calls, and measures again if it exceeds
 * `most`.
 */
async function countSteps(events: number, most: number): Promise<number> {
  const token = await server.clientToken();
  const { timeline } = await server.ports(['timeline.add']);
  let steps = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && steps > most; attempt += 1) {
    const { user_id } = await createUser(server, { email: newEmail() });
    const [time, end] = [new Date().toISOString(), nowSeconds() + 1000];
    const event = { eventId: EVENT, type: 'login.failed', userId: user_id, time, detail: {} };
    if (events > 0) await timeline.add(event, end);
    if (events > 1) await copyItem('people', timelineKey(user_id, time, EVENT), EVENT, events - 1);
    await server.faults.inject({ service: 'dynamodb', effect: 'latency', latency_ms: LATENCY_MS });
    server.resetMetrics();
    const { status } = await server.delete(`/v1/users/${user_id}`, { token });
    await server.faults.clear();
    // Measures again, because a pause of the machine can make the request exceed its time limit.
    if (status === 503) continue;
    expect(status).toBeLessThan(300);
    steps = Math.min(steps, ...Object.values(server.metrics()).map(({ last }) => last.sequential_depth));
  }
  return steps;
}

test('erasure jobs can erase 100,000 users with 200 events each in one day', async () => {
  const rounds = (MINUTES_PER_DAY / JOBS_INTERVAL_MINUTES) * JOBS_RUN_SECONDS * 1000;
  const perDay = (steps: number) => (JOBS_AT_ONCE * rounds) / (steps * STEP_MILLISECONDS);
  // Without concurrent calls, there would be 31, 229 and 2,029 sequential calls for 0, 200 and 2,000 events.
  const steps = await countSteps(200, 30);
  expect(steps).toBeLessThanOrEqual(30);
  expect(perDay(steps)).toBeGreaterThan(WANTED_A_DAY);
  expect(await countSteps(0, 20)).toBeLessThanOrEqual(20);
  if (isFull) expect(await countSteps(2000, 125)).toBeLessThanOrEqual(125);
});
