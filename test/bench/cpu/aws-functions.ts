import { demo } from '../../../lib/local/demo.ts';
import { connectStandIns } from '../../../lib/local/emulators/start.ts';
import { createTables } from '../../../lib/local/emulators/tables.ts';
import { addressesOf, functionEnvironment, setEnvironment } from '../../../lib/local/function-environment.ts';
import { seed } from '../../../lib/local/seed.ts';
import { createPorts } from '../../../shared/aws/create-ports.ts';
import { RATE_LIMIT_MAX } from '../../../shared/domain/basis/limits.ts';
import { tableLayouts } from '../../../shared/dynamo/keys.ts';
import type { Handler } from '../../../shared/http/serve.ts';
import { createUser, emailOf, issueToken, newLogin } from '../flows.ts';
import { type Functions, REDIRECT_URI, runStep } from './functions.ts';

/** The functions as they are deployed, their AWS clients talking to stand-ins in another process. */
export async function awsFunctions(people: number, standInsUrl: string): Promise<Functions> {
  const standIns = connectStandIns(standInsUrl);
  setEnvironment({
    ...functionEnvironment(addressesOf(3000), { version: 'bench', rateLimits: 'on' }),
    ...standIns.environment,
  });
  await createTables(standIns.endpoint('dynamodb'), tableLayouts);
  await seed({ kmsEndpoint: standIns.endpoint('kms'), redirectUris: [REDIRECT_URI] });
  await liftLimits();

  const first = newLogin('', REDIRECT_URI);
  await runStep(load, issueToken, [first]);
  const logins = Array.from({ length: people }, (_, index) =>
    newLogin(emailOf(index), REDIRECT_URI, first.token),
  );
  await runStep(load, createUser, logins);
  return { load, logins };
}

async function load(entry: string): Promise<Handler> {
  const { handler } = (await import(`../../../functions/${entry}.ts`)) as { handler: Handler };
  return handler;
}

/** The windows are counted as in the cloud, and are never full. */
async function liftLimits(): Promise<void> {
  const { applicationRecords } = createPorts(['applicationRecords'], process.env);
  const application = await applicationRecords.find(demo.applicationId);
  const rateLimits = {
    sendsPerMinute: RATE_LIMIT_MAX,
    sendsPerDay: RATE_LIMIT_MAX,
    callsPerMinute: RATE_LIMIT_MAX,
  };
  if (!application || !(await applicationRecords.replace(application, { ...application, rateLimits })))
    throw new Error('the demo application cannot be changed');
}
