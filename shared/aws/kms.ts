import { KMSClient } from '@aws-sdk/client-kms';
import { orUnavailable } from '../dynamo/unavailable.ts';
import { lean } from '../sdk/lean-client.ts';
import { CALL_SETTINGS } from './call-settings.ts';
import type { AwsContext } from './context.ts';

type Client = Pick<KMSClient, 'send'>;

const clients = new WeakMap<AwsContext, Client>();

/** KMS answers within tenths of a second. One that is slow must not hold every function of the region. */
const KMS_MILLISECONDS = 1000;
const KMS_ATTEMPTS = 2;

function connect(patience: number): Client {
  const requestHandler = { ...CALL_SETTINGS.requestHandler, requestTimeout: patience * KMS_MILLISECONDS };
  const client = new KMSClient({ maxAttempts: KMS_ATTEMPTS, requestHandler });
  return { send: lean(client, { attemptMilliseconds: KMS_MILLISECONDS }) };
}

/** Runs a KMS call. Errors: `service_unavailable`, also above the KMS quota that all functions of a region share. */
export type WithKms = <T>(call: (client: Client) => Promise<T>) => Promise<T>;

/** The ports of a context share one client, made on first use: most operations never sign. */
export function kmsOf(context: AwsContext): WithKms {
  const patience = Number(context.env.DATABASE_PATIENCE || 1);
  return async (call) => {
    const client = clients.get(context) ?? connect(patience);
    clients.set(context, client);
    try {
      return await call(client);
    } catch (error) {
      throw orUnavailable(error);
    }
  };
}

/**
 * Opens each key once in the life of a container. A failure is not kept: the next call tries again.
 * @param most so many keys are kept, the newest; absent: all
 */
export function keptKeys<Key>(most = Number.POSITIVE_INFINITY) {
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
