import { demo } from '../../../lib/local/demo.ts';
import { createTables } from '../../../lib/local/emulators/dynamodb/tables.ts';
import { connectEmulators } from '../../../lib/local/emulators/start.ts';
import {
  computeAddresses,
  functionEnvironment,
  setEnvironment,
} from '../../../lib/local/function-environment.ts';
import { loadFunction } from '../../../lib/local/load-function.ts';
import { seed } from '../../../lib/local/seed.ts';
import * as adapters from '../../../shared/aws/adapters.ts';
import { createPorts } from '../../../shared/aws/create-ports.ts';
import { RATE_LIMIT_MAX } from '../../../shared/domain/basis/limits.ts';
import { tableLayouts } from '../../../shared/dynamo/keys.ts';
import { createUser, issueToken, newLogin, toEmail } from '../support/flows.ts';
import { type Functions, REDIRECT_URI, runStep } from './functions.ts';

/** Returns the functions as they are deployed. Their AWS clients call emulators in another process. */
export async function awsFunctions(people: number, emulatorsUrl: string): Promise<Functions> {
  const emulators = connectEmulators(emulatorsUrl);
  setEnvironment({
    ...functionEnvironment(computeAddresses(3000, 3001), { version: 'bench', rateLimits: 'on' }),
    ...emulators.environment,
  });
  await createTables(emulators.endpoint('dynamodb'), tableLayouts);
  await seed({
    kmsEndpoint: emulators.endpoint('kms'),
    demoUris: { redirectUris: [REDIRECT_URI], postLogoutRedirectUris: [], origins: [] },
  });
  await liftLimits();

  const first = newLogin('', REDIRECT_URI);
  await runStep(loadFunction, issueToken, [first]);
  const logins = Array.from({ length: people }, (_, index) =>
    newLogin(toEmail(index), REDIRECT_URI, first.token),
  );
  await runStep(loadFunction, createUser, logins);
  return { load: loadFunction, logins };
}

/** Raises the rate limits, so that requests are counted as in the cloud but no limit is ever reached. */
async function liftLimits(): Promise<void> {
  const { applicationRecords } = createPorts(['applicationRecords'], adapters, process.env);
  const application = await applicationRecords.find(demo.applicationId);
  const rateLimits = {
    sendsPerMinute: RATE_LIMIT_MAX,
    sendsPerDay: RATE_LIMIT_MAX,
    callsPerMinute: RATE_LIMIT_MAX,
  };
  if (!application || !(await applicationRecords.replace(application, { ...application, rateLimits })))
    throw new Error('the demo application cannot be changed');
}
