import { applicationRecord } from '../../../shared/domain/management/application-record.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { leftOff } from '../../operator/applications/left-off.ts';
import {
  linesOf,
  makeOwnApplication,
  type OwnApplicationOptions,
} from '../../operator/applications/own-application.ts';
import { forgetFunctions } from '../load-function.ts';
import { directory, findDemoTenant } from '../seed.ts';

/** Makes an application of the demo tenant, as `otl application create --kind` does. Throws SyntaxError. */
export async function createOwn(baseUrl: string, options: OwnApplicationOptions): Promise<object> {
  try {
    const owner = { tenant: await findDemoTenant(), leave: { loopback: true } };
    const { application, client, secret, redirectUri } = await makeOwnApplication(
      directory(),
      owner,
      options,
    );
    forgetFunctions();
    const { clientId } = client;
    return {
      application: applicationRecord(application),
      client_id: clientId,
      ...(secret !== undefined && { client_secret: secret }),
      lines: linesOf(options.kind, { baseUrl, clientId, redirectUri }),
      left_off: leftOff(application),
    };
  } catch (error) {
    throw error instanceof ServiceError ? new SyntaxError(error.message) : error;
  }
}
