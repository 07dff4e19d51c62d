import { afterAll, beforeAll } from '@jest/globals';
import { startWorld, type World, type WorldOptions } from './test-server.ts';

/**
 * A world for the tests of the file or block that calls it: there from its `beforeAll` on, and stopped behind the last of
 * them, which then fails where an answer was not as its row promises.
 */
export function useWorld(options?: WorldOptions): World {
  const world = {} as World;
  beforeAll(async () => {
    Object.assign(world, await startWorld(options));
  });
  afterAll(async () => {
    await world.stop();
    world.expectNoViolations();
  });
  return world;
}
