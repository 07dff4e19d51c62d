import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { CustomResourceEvent } from '../../../functions/deployment/custom-resource.ts';
import { createTables } from '../../../lib/local/emulators/dynamodb/tables.ts';
import type { ServerOptions } from '../../../lib/local/emulators/server.ts';
import type { Emulators } from '../../../lib/local/emulators/start.ts';
import { setEnvironment, TABLE_VARIABLES } from '../../../lib/local/function-environment.ts';
import type { BackgroundHandler } from '../../../lib/local/load-function.ts';
import { signingKeyRecords } from '../../../shared/aws/adapters.ts';
import { tableLayouts } from '../../../shared/dynamo/keys.ts';
import { openEmulators } from '../../support/server/emulators.ts';

/** Response of a function to CloudFormation. */
export interface Answer {
  readonly Status: 'SUCCESS' | 'FAILED';
  readonly Reason: string;
  readonly PhysicalResourceId: string;
  readonly Data: Readonly<Record<string, string>>;
}

export interface CustomResources {
  emulators(): Emulators;
  /** Sends an event. Returns the response of the function. */
  send(handler: BackgroundHandler, event: Partial<CustomResourceEvent>): Promise<Answer>;
  /** Makes CloudFormation reject the next response. */
  refuseNextAnswer(): void;
}

/**
 * Starts an emulated CloudFormation and AWS emulators with tables. Signing keys and account settings are reset after each test.
 */
export function useCustomResources(options: () => Pick<ServerOptions, 'keys'> = () => ({})): CustomResources {
  let emulators: Emulators;
  let cloudFormation: Server;
  let answer: Answer | undefined;
  let status = 200;
  let restoreEnvironment = () => {};

  beforeAll(async () => {
    emulators = await openEmulators(options());
    await createTables(emulators.endpoint('dynamodb'), tableLayouts);
    restoreEnvironment = setEnvironment({ ...TABLE_VARIABLES, ...emulators.environment });
    cloudFormation = createServer(async (request, response) => {
      const told = (await json(request)) as Answer;
      // The response URL is signed for a PUT request with an empty content type, so any other request would be rejected.
      if (status === 200 && request.method === 'PUT' && request.headers['content-type'] === '') answer = told;
      response.writeHead(status).end();
      status = 200;
    }).listen(0, '127.0.0.1');
    await once(cloudFormation, 'listening');
  });
  afterAll(async () => {
    restoreEnvironment();
    cloudFormation.closeAllConnections();
    cloudFormation.close();
    await emulators.stop();
  });
  beforeEach(async () => {
    await emulators.reset();
    const records = signingKeyRecords({ env: process.env });
    for (const { kid, state } of await records.list()) await records.remove(kid, state);
  });

  return {
    emulators: () => emulators,
    async send(handler, event) {
      answer = undefined;
      await handler({
        RequestType: 'Create',
        ResponseURL: `http://127.0.0.1:${(cloudFormation.address() as AddressInfo).port}/signed?by=aws`,
        StackId: 'stack',
        RequestId: 'request',
        LogicalResourceId: 'Record',
        ResourceProperties: {},
        ...event,
      });
      if (!answer) throw new Error('CloudFormation got no answer');
      return answer;
    },
    refuseNextAnswer() {
      status = 503;
    },
  };
}
