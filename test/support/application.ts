import type { Application } from '../../shared/ports/directory.ts';
import type { World } from './world.ts';

/** Configuration records are cached this long. */
const CACHED_SECONDS = 61;

/** Returns the application as it was. */
async function change(world: World, next: (application: Application) => Application): Promise<Application> {
  const { applicationRecords } = await world.ports(['applicationRecords']);
  const application = await applicationRecords.find(world.environment.app_id);
  if (!application) throw new Error('the demo application is missing');
  if (!(await applicationRecords.replace(application, next(application))))
    throw new Error('somebody else changed the demo application');
  await world.advanceClock(CACHED_SECONDS);
  return application;
}

/** Runs with the demo application changed, and puts it back. The clock moves past the directory cache each time. */
export async function withApplication(
  world: World,
  fields: Partial<Application>,
  run: () => Promise<void>,
): Promise<void> {
  const before = await change(world, (application) => ({ ...application, ...fields }));
  try {
    await run();
  } finally {
    await change(world, () => before);
  }
}
