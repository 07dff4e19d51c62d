import { type BackgroundName, background } from '../../functions/background.ts';
import { consoleOperations, operations } from '../../functions/operations.ts';
import * as adapters from '../../shared/aws/adapters.ts';
import { type Adapters, createPorts } from '../../shared/aws/create-ports.ts';
import { lambda } from '../../shared/aws/lambda.ts';
import { readAreas } from '../../shared/domain/basis/areas.ts';
import { errorPage } from '../../shared/flows/browser/error-page.ts';
import { authenticate } from '../../shared/http/authenticate.ts';
import { log } from '../../shared/http/log.ts';
import { createOperatorGate } from '../../shared/http/operators.ts';
import type { Handler } from '../../shared/http/serve.ts';
import type { Operation, UseCase } from '../../shared/operation.ts';
import { maskAddress } from '../../shared/templates/mask.ts';
import * as deadEnds from '../../shared/templates/texts/dead-ends.ts';
import type { Operations } from './routes.ts';

/** Adapters of the local functions. The API document is generated here; a deployed function reads it from a bundled file. */
const localAdapters: Adapters = {
  ...adapters,
  apiDocument: ({ env }) => ({
    read: async () => (await import('../build/service-document.ts')).generateServiceDocument(readAreas(env)),
  }),
};

/** Cache of handlers, keyed by `event`. The cache lives as long as the server, as in a Lambda execution environment. */
const handlers = new Map<string, Promise<Handler>>();

/** Loads the Lambda handler of the operation with this `event` from source. Deployed functions bundle the same code. */
export function loadFunction(event: string): Promise<Handler> {
  const handler = handlers.get(event) ?? wire(event);
  handlers.set(event, handler);
  return handler;
}

/** Clears the cache of handlers. The next call to a function therefore has no cached configuration, as after a cold start. */
export function clearFunctionCache(): void {
  handlers.clear();
}

async function wire(event: string): Promise<Handler> {
  const found = Object.entries<Operation>({ ...operations, ...consoleOperations }).find(
    ([, row]) => row.event === event,
  );
  if (!found) throw new Error(`no operation has the event ${event}`);
  const [name, row] = found;
  const page = row.errorPage && errorPage(row.errorPage, deadEnds);
  return lambda(row, await loadUseCase(name, row), localAdapters, {
    authenticate,
    operators: createOperatorGate(maskAddress),
    errorPage: page,
  });
}

async function loadUseCase(name: string, { file }: Operation): Promise<UseCase<Operation>> {
  const exported = (await import(`../../functions/${file}.ts`)) as Record<
    string,
    UseCase<Operation> | undefined
  >;
  const useCase = exported[name];
  if (!useCase) throw new Error(`functions/${file}.ts does not export ${name}`);
  return useCase;
}

/** Lambda handler of a background function, which is invoked by events and not by HTTP requests. */
export type BackgroundHandler = (event: object) => Promise<unknown>;

/** Loads a background function from source by its name in functions/background.ts. */
export async function loadBackground(name: string): Promise<BackgroundHandler> {
  const { file, uses } = background[name as BackgroundName];
  const { create } = (await import(`../../functions/${file}.ts`)) as {
    create: (ports: object, env: NodeJS.ProcessEnv) => BackgroundHandler;
  };
  let handler: BackgroundHandler | undefined;
  return (event) => {
    handler ??= create(createPorts(uses, adapters, process.env), process.env);
    return handler(event);
  };
}

/** Loads the code of all functions in advance, so that the first request to an operation is not delayed. */
export async function preload(
  operations: Operations,
  load: (event: string) => Promise<unknown>,
  isStopping: () => boolean,
): Promise<void> {
  for (const { event } of Object.values(operations)) {
    if (isStopping()) return;
    await load(event).catch((error: unknown) => {
      log('error', { event: 'function_does_not_load', operation: event, message: String(error) });
    });
  }
}
