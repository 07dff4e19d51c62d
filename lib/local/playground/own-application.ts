import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { toApplicationRecord } from '../../../shared/domain/management/application-record.ts';
import { createApplication } from '../../../shared/domain/management/applications.ts';
import { createClient } from '../../../shared/domain/management/clients.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { findMissingFeatures } from '../../operator/applications/left-off.ts';
import {
  buildLoginSnippet,
  type OwnApplicationOptions,
  ownApplication,
} from '../../operator/applications/own-application.ts';
import { clearFunctionCache } from '../load-function.ts';
import { createDirectoryPorts, findDemoTenant } from '../seed.ts';

/**
 * Creates an application of the demo tenant with its client, as `otl application create --kind` does.
 * @throws SyntaxError if the service rejects the input, so that the playground responds with 400.
 */
export async function createOwnApplication(baseUrl: string, options: OwnApplicationOptions): Promise<object> {
  try {
    const owner = { tenant: await findDemoTenant(), localExceptions: { loopback: true } };
    const { applicationBody, clientBody, redirectUri } = ownApplication(options);
    const [ports, now] = [createDirectoryPorts(), nowSeconds()];
    const application = await createApplication(ports, owner, applicationBody, now);
    const { client, secret } = await createClient(ports, { ...owner, application }, clientBody, now);
    clearFunctionCache();
    const { clientId } = client;
    const record = toApplicationRecord(application);
    return {
      application: record,
      client_id: clientId,
      ...(secret !== undefined && { client_secret: secret }),
      lines: buildLoginSnippet(options.kind, { baseUrl, clientId, redirectUri }),
      left_off: findMissingFeatures(record),
    };
  } catch (error) {
    throw error instanceof ServiceError ? new SyntaxError(error.message) : error;
  }
}
