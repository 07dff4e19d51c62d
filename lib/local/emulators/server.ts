import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsError } from './basis/aws-error.ts';
import { openDataFolder } from './basis/data-folder.ts';
import { type Fault, Faults, OPERATION_HEADER, toAwsError } from './basis/faults.ts';
import { createHostCheck } from './basis/own-names.ts';
import { isService, type Service } from './basis/services.ts';
import { answerControl } from './control.ts';
import { createDynalite, tryToOpen } from './dynamodb/create-dynalite.ts';
import { startTtlCleanup, type TtlOptions } from './dynamodb/ttl-cleanup.ts';
import { Kms, type KmsOptions } from './kms/kms.ts';
import { answerSes, answerSns, queryErrorXml } from './messages/mail-and-text.ts';
import { MessageStore } from './messages/messages.ts';
import type { ProviderEvent } from './messages/provider-events.ts';
import { SenderFunction } from './messages/sender-function.ts';
import { answerSmsVoice } from './messages/sms-voice.ts';
import { Queues } from './queues/queues.ts';
import { Secrets } from './secrets.ts';

export interface ServerOptions {
  /** Path of the folder that stores all data. If undefined, data is only in memory. */
  readonly dataDir?: string;
  readonly keys?: KmsOptions['keys'];
  /** Table in which the server deletes expired items, and the attribute that contains the expiry time. */
  readonly ttl?: Omit<TtlOptions, 'endpoint'>;
}

/** Callbacks by which the emulators notify the local server. */
export interface EmulatorEvents {
  readonly onProviderEvent?: (event: ProviderEvent) => void;
  /** Called after each change of the faults, with true if at least one fault delays calls. */
  readonly onDelay?: (isDelayed: boolean) => void;
}

export interface EmulatorServer {
  readonly port: number;
  readonly server: Server;
  readonly faults: Pick<Faults, 'list'>;
  /** Closes the server and all its connections. Data that is only in memory is lost. */
  close(): void;
}

/**
 * Serves all AWS emulators on one port until `close` is called or the thread ends. The first segment of the path names the
 * service, for example `/dynamodb`. All other paths, such as `/messages`, control the emulators.
 */
export async function serveEmulators(
  options: ServerOptions,
  { onProviderEvent = () => {}, onDelay }: EmulatorEvents = {},
): Promise<EmulatorServer> {
  const { dataDir } = options;
  const path = dataDir && (await openDataFolder(dataDir));
  if (path !== undefined) await tryToOpen(path);
  const inDataDir = (name: string) => (dataDir === undefined ? {} : { file: join(dataDir, name) });
  const kms = await Kms.open({ ...inDataDir('kms.json'), ...(options.keys && { keys: options.keys }) });
  const secrets = await Secrets.open(inDataDir('secrets.json').file);
  const messages = await MessageStore.open(inDataDir('messages.jsonl').file);
  const sender = new SenderFunction();
  const faults = new Faults(onDelay);
  const queues = await Queues.open(inDataDir('queues.jsonl').file);
  const database = openDatabase(path);

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const service = (request.url ?? '').split(/[/?]/)[1] ?? '';
    if (!isService(service))
      return answerControl(request, response, { messages, faults, queues, secrets, sender });
    if (service === 'dynamodb') return answerDynamo(request, response, database, faults);
    const call = await readCall(request, service);
    response.setHeader('x-local-action', call.action);
    return withFault(faults.take(service, call.action, request.headers[OPERATION_HEADER]), response, () =>
      answerCall(call, response, { kms, secrets, messages, queues, sender, onProviderEvent }),
    );
  };
  const admits = createHostCheck([], () => true);
  const server = createServer((request, response) => {
    if (!admits(request, response)) return;
    // Node's own Date header has the real time. The SDK would treat the difference as clock skew, correct it and repeat calls.
    response.setHeader('date', new Date().toUTCString());
    answer(request, response).catch((error: unknown) => {
      console.error('emulator failed', error);
      response.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const cleanup =
    options.ttl && startTtlCleanup({ ...options.ttl, endpoint: `http://127.0.0.1:${port}/dynamodb` });
  return {
    port,
    server,
    faults,
    close() {
      clearInterval(cleanup);
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Creates the DynamoDB emulator and returns its request handler, so that the emulator needs no port of its own. */
function openDatabase(path: string | undefined): RequestListener {
  return createDynalite(path).listeners('request')[0] as RequestListener;
}

async function answerDynamo(
  request: IncomingMessage,
  response: ServerResponse,
  listener: RequestListener,
  faults: Faults,
): Promise<void> {
  const action = String(request.headers['x-amz-target'] ?? '').split('.')[1] ?? '';
  await withFault(faults.take('dynamodb', action, request.headers[OPERATION_HEADER]), response, () => {
    listener(request, response);
    // If a client disconnects during its request, dynalite's error listener throws, which would end the process.
    request.removeAllListeners('error').on('error', () => response.destroy());
  });
}

interface EmulatorState {
  readonly kms: Kms;
  readonly secrets: Secrets;
  readonly messages: MessageStore;
  readonly queues: Queues;
  readonly sender: SenderFunction;
  readonly onProviderEvent: (event: ProviderEvent) => void;
}

interface Call {
  readonly service: Exclude<Service, 'dynamodb'>;
  readonly action: string;
  readonly body: string;
}

async function readCall(request: IncomingMessage, service: Call['service']): Promise<Call> {
  const body = await textOf(request);
  const target = String(request.headers['x-amz-target'] ?? '').split('.')[1];
  if (service === 'lambda') return { service, body, action: 'Invoke' };
  return { service, body, action: target ?? new URLSearchParams(body).get('Action') ?? '' };
}

async function answerCall(
  { service, action, body }: Call,
  response: ServerResponse,
  { kms, secrets, messages, queues, sender, onProviderEvent }: EmulatorState,
): Promise<void> {
  try {
    if (service === 'secretsmanager')
      return send(response, 200, JSON.stringify(await secrets.answer(action, JSON.parse(body))), JSON_TYPE);
    if (service === 'kms')
      return send(response, 200, JSON.stringify(await kms.answer(action, JSON.parse(body))), JSON_TYPE);
    if (service === 'eventbridge')
      return send(response, 200, JSON.stringify(await queues.putEvents(JSON.parse(body))), JSON_TYPE);
    if (service === 'sqs' || service === 'logs') {
      const answer = queues[service === 'sqs' ? 'answer' : 'putLines'](action, JSON.parse(body));
      return send(response, 200, JSON.stringify(await answer), JSON_TYPE);
    }
    if (service === 'lambda') {
      const { result, functionError } = await sender.invoke(body, messages);
      if (functionError !== undefined) response.setHeader('x-amz-function-error', functionError);
      return send(response, 200, result, 'application/json');
    }
    if (service === 'sms-voice') {
      const answer = await answerSmsVoice(action, JSON.parse(body), messages, onProviderEvent);
      return send(response, 200, JSON.stringify(answer), 'application/x-amz-json-1.0');
    }
    const form = new URLSearchParams(body);
    const answering = (service === 'ses' ? answerSes : answerSns)(form, messages, onProviderEvent);
    send(response, 200, await answering, 'text/xml');
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    refuse(response, service, error);
  }
}

const JSON_TYPE = 'application/x-amz-json-1.1';

function refuse(response: ServerResponse, service: Service, error: AwsError): void {
  if (service === 'ses' || service === 'sns') send(response, error.status, queryErrorXml(error), 'text/xml');
  else
    send(response, error.status, JSON.stringify({ __type: error.code, message: error.message }), JSON_TYPE);
}

async function withFault(
  fault: Fault | undefined,
  response: ServerResponse,
  work: () => void | Promise<void>,
): Promise<void> {
  switch (fault?.effect) {
    case undefined:
      return work();
    case 'latency':
      await delay(fault.latency_ms ?? 0);
      return work();
    case 'error':
      return refuse(response, fault.service, toAwsError(fault));
    case 'lost-request':
      response.destroy();
      return;
    case 'lost-answer':
      response.end = () => response.destroy();
      return work();
  }
}

function send(response: ServerResponse, status: number, body: string, type: string): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
