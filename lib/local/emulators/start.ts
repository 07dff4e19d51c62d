import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Fault } from './basis/faults.ts';
import { endpointVariable, LOCAL_REGION, type Service, services } from './basis/services.ts';
import type { MessageFilter } from './messages/messages.ts';
import type { ProviderEvent } from './messages/provider-events.ts';
import type { Message } from './messages/read-message.ts';
import type { EmulatorEvents, ServerOptions } from './server.ts';

export interface Emulators {
  readonly url: string;
  endpoint(service: Service): string;
  /** Environment variables that make the AWS SDK clients in this process call only the emulators. */
  readonly environment: Readonly<Record<string, string>>;
  messages(filter?: MessageFilter): Promise<readonly Message[]>;
  inject(fault: Fault): Promise<void>;
  clearFaults(): Promise<void>;
  advanceClock(milliseconds: number): Promise<void>;
  /** Resets the clock to the real time. Removes messages with a later time, and all events and queued messages. */
  returnToRealTime(): Promise<void>;
  /** Removes all emulator state except tables and KMS keys, and resets the clock. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * File mode mask that makes new files, such as those of the database, accessible only to their owner. Worker threads cannot set
 * it.
 */
const PRIVATE_UMASK = 0o077;

/**
 * Starts the AWS emulators in a worker thread. Rejects if the data folder is in use or unreadable.
 * @param onFailure Called if the emulators fail later, for example because the data folder is full or unreadable.
 */
export async function startEmulators(
  options: ServerOptions = {},
  { onProviderEvent, onDelay }: EmulatorEvents = {},
  onFailure?: (error: unknown) => void,
): Promise<Emulators> {
  if (options.dataDir !== undefined) process.umask(PRIVATE_UMASK);
  const worker = new Worker(fileURLToPath(new URL('./worker.ts', import.meta.url)), { workerData: options });
  const [{ port }] = (await once(worker, 'message')) as [{ port: number }];
  worker.on('message', ({ told, isDelayed }: { told?: ProviderEvent; isDelayed?: boolean }) => {
    if (told) onProviderEvent?.(told);
    if (isDelayed !== undefined) onDelay?.(isDelayed);
  });
  if (onFailure) worker.on('error', onFailure);
  return {
    ...connectEmulators(`http://127.0.0.1:${port}`),
    // Every confirmed write is already saved, so the thread can be terminated at any time.
    async stop() {
      await worker.terminate();
    },
  };
}

/** Connects to emulators that are already running, for example in another process. */
export function connectEmulators(url: string): Omit<Emulators, 'stop'> {
  const endpoint = (service: Service) => `${url}/${service}`;
  const endpoints = services.map((service) => [endpointVariable(service), endpoint(service)]);
  return {
    url,
    endpoint,
    environment: {
      ...Object.fromEntries(endpoints),
      AWS_REGION: LOCAL_REGION,
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    },
    async messages(filter = {}) {
      const query = new URLSearchParams({ ...filter });
      return (await call<{ messages: Message[] }>(`${url}/messages?${query}`, 'GET')).messages;
    },
    inject: (fault) => call(`${url}/faults`, 'POST', fault),
    clearFaults: () => call(`${url}/faults`, 'DELETE'),
    returnToRealTime: () => call(`${url}/clock`, 'DELETE'),
    reset: () => call(`${url}/reset`, 'POST'),
    advanceClock: (milliseconds) => call(`${url}/clock`, 'POST', { advance_ms: milliseconds }),
  };
}

async function call<Answer>(url: string, method: string, body?: object): Promise<Answer> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}
