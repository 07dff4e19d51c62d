import { KMSClient } from '@aws-sdk/client-kms';
import { toUnavailable } from '../dynamo/unavailable.ts';
import { createLeanSend } from '../sdk/lean-client.ts';
import { CALL_SETTINGS } from './call-settings.ts';
import type { AwsContext } from './context.ts';

type Client = Pick<KMSClient, 'send'>;

const clients = new WeakMap<AwsContext, Client>();

/**
 * Time-out of a KMS call in milliseconds. A call usually takes a few tenths of a second. If KMS is slow, waiting requests must
 * not use up the region's limit of concurrent function instances.
 */
const KMS_MILLISECONDS = 1000;
const KMS_ATTEMPTS = 2;

function connect(timeoutMultiplier: number): Client {
  const requestHandler = {
    ...CALL_SETTINGS.requestHandler,
    requestTimeout: timeoutMultiplier * KMS_MILLISECONDS,
  };
  const client = new KMSClient({ maxAttempts: KMS_ATTEMPTS, requestHandler });
  return { send: createLeanSend(client, { attemptMilliseconds: KMS_MILLISECONDS }) };
}

/** Function that runs a KMS call. Errors: `service_unavailable`, for example if the KMS quota of the region is exceeded. */
export type WithKms = <T>(call: (client: Client) => Promise<T>) => Promise<T>;

/** Returns a function that runs KMS calls. The client is created on first use, because most operations never sign. */
export function connectKms(context: AwsContext): WithKms {
  const timeoutMultiplier = Number(context.env.DATABASE_PATIENCE || 1);
  return async (call) => {
    const client = clients.get(context) ?? connect(timeoutMultiplier);
    clients.set(context, client);
    try {
      return await call(client);
    } catch (error) {
      throw toUnavailable(error);
    }
  };
}

/**
 * Creates a cache of decrypted keys, so that each key is decrypted once per container. Failures are not cached.
 * @param most Maximum number of cached keys; the newest keys are kept. Default: no limit
 */
export function createKeyCache<Key>(most = Number.POSITIVE_INFINITY) {
  const opened = new Map<string, Promise<Key>>();
  return (name: string, open: () => Promise<Key>): Promise<Key> => {
    const known = opened.get(name);
    if (known !== undefined) return known;
    const opening = open();
    opened.set(name, opening);
    opening.catch(() => opened.delete(name));
    const [oldest] = opened.keys();
    if (opened.size > most && oldest !== undefined) opened.delete(oldest);
    return opening;
  };
}
