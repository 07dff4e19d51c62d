import { Agent, request as outgoing } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Login, type Step, type StepAnswer, type StepRequest, take } from './flows.ts';

export interface HttpClient {
  send(request: StepRequest): Promise<StepAnswer>;
  /** Sends the request of a step. Reads the values that the next steps need from the response. */
  run(step: Step, login: Login): Promise<void>;
  close(): void;
}

/** Creates a client with one keep-alive connection per concurrent request. */
export function createHttpClient(url: string): HttpClient {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true });

  async function send({ method, target, headers, body }: StepRequest): Promise<StepAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<StepAnswer>();
    const length = { 'content-length': Buffer.byteLength(body) };
    const call = outgoing({
      agent,
      hostname,
      port,
      method,
      path: target,
      headers: { ...headers, ...length },
    });
    call.once('error', reject);
    call.once('response', (answer) => {
      const { statusCode: status = 0, headers: given } = answer;
      text(answer).then((received) => resolve({ status, location: given.location, body: received }), reject);
    });
    call.end(body);
    return promise;
  }

  return {
    send,
    run: async (step, login) => take(step, login, await send(step.request(login))),
    close: () => agent.destroy(),
  };
}
