import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { setEnvironment } from '../../../lib/local/function-environment.ts';

interface ServiceAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

export interface CustomResourceCloud<Answer> {
  /** Where CloudFormation takes the answer of the function. */
  readonly responseUrl: () => string;
  /** What the function told CloudFormation last, in this test. */
  readonly lastAnswer: () => Answer | undefined;
}

/** CloudFormation, and the one service of AWS that the function of a custom resource calls. */
export function useCustomResourceCloud<Answer>(
  endpointVariable: string,
  serve: (body: string, headers: IncomingHttpHeaders) => ServiceAnswer,
): CustomResourceCloud<Answer> {
  let server: Server;
  let answers: Answer[];
  let restoreEnvironment = () => {};
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const body = await text(request);
      if (request.method === 'PUT') {
        answers.push(JSON.parse(body) as Answer);
        response.end();
        return;
      }
      const answer = serve(body, request.headers);
      response.writeHead(answer.status, { 'content-type': answer.type });
      response.end(answer.body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    restoreEnvironment = setEnvironment({
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      [endpointVariable]: address(),
    });
  });
  afterAll(() => {
    restoreEnvironment();
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    answers = [];
  });
  return { responseUrl: () => `${address()}/signed`, lastAnswer: () => answers.at(-1) };
}
