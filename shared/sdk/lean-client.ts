import { Readable } from 'node:stream';
import { budgetExhaustedError, startCall, withinTime } from './budget.ts';
import { type Credentials, createSigner } from './signer.ts';

// Sends commands of the SDK's clients. The endpoint, auth scheme, headers and middleware stack are resolved once per command
// type instead of for each call. Resolving them takes two fifths of a login's CPU time (SDK 3.1164). The SDK still does the
// critical parts: protocol, retries, signatures, credentials, clock skew and HTTP. test/aws/lean-client.test.ts compares the
// result with the plain client: run it after an update of the SDK.

/** Function that wraps each attempt of a call. It runs inside the SDK's retry loop. */
export type Around = <T>(attempt: () => Promise<T>) => Promise<T>;

interface HttpRequest {
  readonly method: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array;
}
interface Args {
  readonly input: object;
  readonly request: HttpRequest;
}
interface HttpResponse {
  body: unknown;
}
interface Result {
  readonly response: HttpResponse;
  readonly output?: object;
}
type Handler = (args: Args) => Promise<Result>;
type Middleware = (next: Handler, context: object) => Handler;

/** Properties of a client's resolved configuration that this module reads. */
interface Config {
  readonly protocol: {
    serializeRequest(operation: object, input: object, context: object): Promise<HttpRequest>;
    deserializeResponse(operation: object, context: object, response: HttpResponse): Promise<object>;
  };
  readonly requestHandler: { handle(request: HttpRequest, options: object): Promise<Result> };
  readonly streamCollector: (body: unknown) => Promise<unknown>;
  readonly httpAuthSchemes: readonly { readonly schemeId: string; readonly signer: object }[];
  readonly credentials: () => Promise<Credentials>;
  readonly region: () => Promise<string>;
  readonly defaultSigningName: string;
  readonly disableClockSkewCorrection: () => Promise<boolean>;
  readonly logger: object;
  systemClockOffset: number;
}

interface Stack {
  clone(): Stack;
  remove(name: string): boolean;
  applyToStack(stack: object): void;
}

interface Client {
  readonly config: object;
  readonly middlewareStack: object;
  readonly send: unknown;
}

/** Schema of an SDK operation: `[kind, namespace, name, traits, input, output]`. */
type OperationSchema = readonly [unknown, string, string, unknown, unknown, unknown];

interface Command {
  readonly input: object;
  readonly schema: OperationSchema;
  readonly constructor: new (input: object) => Command;
  resolveMiddleware(stack: Stack, config: object): (command: object) => Promise<unknown>;
}

/** Data that is computed once per command type and shared by all calls of this type. */
interface Plan {
  readonly operation: object;
  readonly serializing: object;
  readonly headers: Readonly<Record<string, string>>;
}

const SIGV4 = 'aws.auth#sigv4';
const SMITHY_CONTEXT = '__smithy_context';

/** Headers that are created for each call. All other headers of the first request are reused. */
const PER_CALL = new Set(['x-amzn-trace-id', 'traceparent', 'tracestate', 'baggage']);

function createMiddlewareFinder(stack: Stack): (name: string) => Middleware {
  const found = new Map<string, Middleware>();
  const collect = (middleware: Middleware, { name }: { readonly name: string }) =>
    found.set(name, middleware);
  stack.applyToStack({ add: collect, addRelativeTo: collect });
  return (name) => {
    const middleware = found.get(name);
    if (!middleware) throw new Error(`The SDK's client has no middleware ${name}`);
    return middleware;
  };
}

const EACH_ATTEMPT = ['httpSigningMiddleware', 'retryMiddleware', 'deserializerMiddleware'];

/** Returns the first HTTP request that the SDK's own client would send for a command, without signing or sending it. */
async function firstRequest(stack: Stack, config: Config, command: Command): Promise<HttpRequest> {
  let request: HttpRequest | undefined;
  const handle = async (captured: HttpRequest) => {
    request = captured;
    return { response: {}, output: {} };
  };
  const unsent = stack.clone();
  for (const name of EACH_ATTEMPT) unsent.remove(name);
  const copy = new command.constructor(command.input);
  await copy.resolveMiddleware(unsent, { ...config, requestHandler: { handle } })(copy);
  if (!request) throw new Error('The SDK made no request');
  return request;
}

async function createPlan(stack: Stack, config: Config, command: Command): Promise<Plan> {
  const [, namespace, name, traits, input, output] = command.schema;
  const { protocol, hostname, port, path, headers } = await firstRequest(stack, config, command);
  const endpoint = { protocol, hostname, port, path };
  return {
    operation: { namespace, name, traits, input, output },
    serializing: { ...config, endpoint: async () => endpoint },
    headers: Object.fromEntries(Object.entries(headers).filter(([key]) => !PER_CALL.has(key.toLowerCase()))),
  };
}

interface Prepare {
  /**
   * Prepares calls of this command type, so that the first call is fast. Ignores failures, because the call itself reports
   * them.
   */
  prepare(command: object): Promise<void>;
}

/**
 * Creates the `send` function of a client. Middleware that was added to the client or the command does not run.
 * @param options.around Function that wraps each attempt
 * @param options.attemptMilliseconds Time limit of an attempt within the budget of a request. By default, only the budget
 *   limits an attempt
 */
export function createLeanSend<Of extends Client>(
  client: Of,
  {
    around = (attempt) => attempt(),
    attemptMilliseconds,
  }: { readonly around?: Around; readonly attemptMilliseconds?: number } = {},
): Of['send'] & Prepare {
  const stack = client.middlewareStack as Stack;
  const config = client.config as Config;
  const middleware = createMiddlewareFinder(stack);
  const [trace, retry, sign, deserialize] = [
    middleware('recursionDetectionMiddleware'),
    middleware('retryMiddleware'),
    middleware('httpSigningMiddleware'),
    middleware('deserializerMiddleware'),
  ];
  const scheme = config.httpAuthSchemes.find(({ schemeId }) => schemeId === SIGV4);
  const plans = new Map<unknown, Promise<Plan>>();
  const signer = createSigner<HttpRequest>(config.defaultSigningName, config.region, () =>
    config.credentials(),
  );

  /**
   * Signing configuration that all calls share, because the SDK would create a signer for each call. The clock offset is read
   * from the client.
   */
  const signing = {
    signer: async () => signer,
    disableClockSkewCorrection: () => config.disableClockSkewCorrection(),
    get systemClockOffset() {
      return config.systemClockOffset;
    },
    set systemClockOffset(offset: number) {
      config.systemClockOffset = offset;
    },
  };

  function planFor(command: Command): Promise<Plan> {
    const known = plans.get(command.constructor);
    if (known !== undefined) return known;
    const plan = createPlan(stack, config, command);
    plans.set(command.constructor, plan);
    plan.catch(() => plans.delete(command.constructor));
    return plan;
  }

  /**
   * Sends a request and parses a successful response. The SDK's own code, which takes as much CPU time as the rest of a call,
   * parses only errors.
   */
  async function receive(
    args: Args,
    { operation, context, abortSignal }: { operation: object; context: object; abortSignal?: AbortSignal },
  ): Promise<Result> {
    const { response } = await config.requestHandler
      .handle(args.request, abortSignal ? { abortSignal } : {})
      .catch((error: unknown) => {
        throw abortSignal?.aborted ? budgetExhaustedError(error) : error;
      });
    const asTheSdk = deserialize(async () => ({ response }), context);
    try {
      response.body = await config.streamCollector(response.body);
    } catch (error) {
      response.body = new Readable({
        read() {
          this.destroy(error as Error);
        },
      });
      return asTheSdk(args);
    }
    try {
      return { response, output: await config.protocol.deserializeResponse(operation, config, response) };
    } catch {
      return asTheSdk(args);
    }
  }

  async function send(command: Command): Promise<object> {
    const { operation, serializing, headers } = await planFor(command);
    const request = await config.protocol.serializeRequest(operation, command.input, serializing);
    Object.assign(request.headers, headers);
    request.headers['content-length'] = String(Buffer.byteLength(request.body ?? ''));
    const context = {
      logger: config.logger,
      [SMITHY_CONTEXT]: {
        operationSchema: command.schema,
        selectedHttpAuthScheme: {
          httpAuthOption: { signingProperties: { config: signing, context: {} } },
          // Resolve the credentials before the retries, because a call with missing credentials must not be retried.
          identity: await config.credentials(),
          signer: scheme?.signer,
        },
      },
    };
    const timeLeft = startCall(attemptMilliseconds);
    const attempt: Handler = (args) =>
      around(async () =>
        withinTime(timeLeft(), (abortSignal) =>
          receive(args, { operation, context, ...(abortSignal && { abortSignal }) }),
        ),
      );
    const handler = trace(retry(sign(attempt, context), context), context);
    return (await handler({ input: command.input, request })).output as object;
  }
  const prepare = (command: Command) =>
    planFor(command).then(
      () => {},
      () => {},
    );
  return Object.assign(send, { prepare }) as Of['send'] & Prepare;
}
