import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { operations } from '../../../functions/operations.ts';
import { throughEdge } from '../../../lib/local/edge.ts';
import { apiEvent, functionUrlEvent, withoutStage } from '../../../lib/local/events.ts';
import { createRouter, type Match } from '../../../lib/local/routes.ts';
import type { Handler } from '../../../shared/http/serve.ts';
import { type Login, type Step, type StepAnswer, type StepRequest, take } from '../support/flows.ts';

/** Functions that run as in a container: loaded once and called with one event after the other. */
export interface Functions {
  /** Returns the handler of the Lambda function with this name. */
  readonly load: Load;
  /** Users who can log in, each with a client token. */
  readonly logins: readonly Login[];
}

export type Load = (entry: string) => Promise<Handler>;

export const REDIRECT_URI = 'http://localhost:8080/complete';

const CONTEXT = { getRemainingTimeInMillis: () => 15_000 } as Context;
const route = createRouter(operations);

function findMatch({ method, target }: StepRequest): Match {
  const match = route(method, withoutStage(target.split('?', 1)[0] ?? '/'));
  if (!match) throw new Error(`no operation takes ${method} ${target}`);
  return match;
}

/** Builds the event of a request. Each person has a separate IP address, because anonymous calls are limited per address. */
function buildEvent(request: StepRequest, person: number): APIGatewayProxyEventV2 {
  const match = findMatch(request);
  const plain = throughEdge({
    method: request.method,
    target: request.target,
    rawHeaders: Object.entries({ host: 'localhost:3000', ...request.headers }).flat(),
    body: Buffer.from(request.body),
    sourceIp: `10.0.${person >> 8}.${person & 255}`,
  });
  return match.row.reach === 'browser' ? functionUrlEvent(plain) : apiEvent(plain, match);
}

/**
 * Calls the function of a step for each login, one after the other. Events are built before and responses are parsed after the
 * measurement, so that only the function is measured.
 * @returns CPU time of this process over all threads, in microseconds
 */
export async function runStep(load: Load, step: Step, logins: readonly Login[]): Promise<number> {
  const requests = logins.map((login) => step.request(login));
  const [first] = requests;
  if (!first) return 0;
  const handler = await load(findMatch(first).row.event);
  const events = requests.map(buildEvent);
  const answers: Awaited<ReturnType<Handler>>[] = [];
  const before = process.cpuUsage();
  for (const event of events) answers.push(await handler(event, CONTEXT));
  const { user, system } = process.cpuUsage(before);
  for (const [index, login] of logins.entries()) take(step, login, toAnswer(answers[index]));
  return user + system;
}

function toAnswer(result: Awaited<ReturnType<Handler>> | undefined): StepAnswer {
  const location = result?.headers?.location;
  return {
    status: result?.statusCode ?? 0,
    location: location === undefined ? undefined : String(location),
    body: result?.body ?? '',
  };
}
