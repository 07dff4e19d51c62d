import { KeyedSha256 } from './keyed-sha256.ts';

/**
 * Sends commands of the SDK's clients without resolving per call what is the same for each: endpoint, auth scheme, headers,
 * the stack of middleware itself. They take two thirds of a call's CPU time. What decides stays the SDK's own: protocol,
 * retries, signatures, credentials, clock skew, HTTP. test/aws/lean-client.test.ts compares with the plain client.
 */

/** Runs one attempt of a call, inside the retries. */
export type Around = <T>(attempt: () => Promise<T>) => Promise<T>;

interface HttpRequest {
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
interface Result {
  readonly response: object;
  readonly output: object;
}
type Handler = (args: Args) => Promise<Result>;
type Middleware = (next: Handler, context: object) => Handler;

interface Signer {
  sign(request: HttpRequest, options: object): Promise<HttpRequest>;
}

/** The part of a client's resolved configuration that is used here. */
interface Config {
  readonly protocol: {
    serializeRequest(operation: object, input: object, context: object): Promise<HttpRequest>;
  };
  readonly requestHandler: { handle(request: HttpRequest, options: object): Promise<object> };
  readonly httpAuthSchemes: readonly { readonly schemeId: string; readonly signer: object }[];
  readonly credentials: () => Promise<object>;
  readonly signer: (scheme?: object) => Promise<Signer>;
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

/** `[kind, namespace, name, traits, input, output]` */
type OperationSchema = readonly [unknown, string, string, unknown, unknown, unknown];

interface Command {
  readonly input: object;
  readonly schema: OperationSchema;
  readonly constructor: new (input: object) => Command;
  resolveMiddleware(stack: Stack, config: object): (command: object) => Promise<unknown>;
}

/** What all calls of one kind of command have in common. */
interface Plan {
  readonly operation: object;
  readonly serializing: object;
  readonly headers: Readonly<Record<string, string>>;
}

const SIGV4 = 'aws.auth#sigv4';
const SMITHY_CONTEXT = '__smithy_context';

/** Made anew by each call: the rest of the first request's headers holds for all. */
const PER_CALL = new Set(['content-length', ...['x-amzn-trace-id', 'traceparent', 'tracestate', 'baggage']]);

function middlewareOf(stack: Stack): (name: string) => Middleware {
  const found = new Map<string, Middleware>();
  const collect = (middleware: Middleware, { name }: { readonly name: string }) =>
    found.set(name, middleware);
  stack.applyToStack({ add: collect, addRelativeTo: collect });
  return (name) => {
    const middleware = found.get(name);
    if (!middleware) throw new Error(`The SDK's client has no ${name}`);
    return middleware;
  };
}

const EACH_ATTEMPT = ['httpSigningMiddleware', 'retryMiddleware', 'deserializerMiddleware'];

/** The plain client's first request for a command, neither signed nor sent. */
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

async function planOf(stack: Stack, config: Config, command: Command): Promise<Plan> {
  const [, namespace, name, traits, input, output] = command.schema;
  const { protocol, hostname, port, path, headers } = await firstRequest(stack, config, command);
  const endpoint = { protocol, hostname, port, path };
  return {
    operation: { namespace, name, traits, input, output },
    serializing: { ...config, endpoint: async () => endpoint },
    headers: Object.fromEntries(Object.entries(headers).filter(([key]) => !PER_CALL.has(key.toLowerCase()))),
  };
}

/**
 * A client's `send`. Middleware that others have added to the client or the command does not run.
 * @param around Runs each attempt
 */
export function lean<Of extends Client>(client: Of, around: Around = (attempt) => attempt()): Of['send'] {
  const stack = client.middlewareStack as Stack;
  const config = client.config as Config;
  const middleware = middlewareOf(stack);
  const [trace, retry, sign, deserialize] = [
    middleware('recursionDetectionMiddleware'),
    middleware('retryMiddleware'),
    middleware('httpSigningMiddleware'),
    middleware('deserializerMiddleware'),
  ];
  const scheme = config.httpAuthSchemes.find(({ schemeId }) => schemeId === SIGV4);
  const plans = new Map<unknown, Promise<Plan>>();
  let signer: Promise<Signer> | undefined;

  /** The SDK makes a signer for each call otherwise; the clock's offset stays the client's. */
  const signing = {
    signer: () => {
      signer ??= config.signer().then((made) => Object.assign(made, { sha256: KeyedSha256 }));
      return signer;
    },
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
    const plan = planOf(stack, config, command);
    plans.set(command.constructor, plan);
    plan.catch(() => plans.delete(command.constructor));
    return plan;
  }

  const transmit: Handler = async ({ request }) =>
    (await config.requestHandler.handle(request, {})) as Result;

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
          identity: await config.credentials(),
          signer: scheme?.signer,
        },
      },
    };
    const received = deserialize(transmit, context);
    const attempt: Handler = (args) => around(() => received(args));
    const handler = trace(retry(sign(attempt, context), context), context);
    return (await handler({ input: command.input, request })).output;
  }
  return send as Of['send'];
}
