import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import { join } from 'node:path';
import { WEBHOOK_KEY_ID } from '../../../lib/local/demo.ts';
import { type AwsCall, onRequestBody } from '../../../lib/local/playground/aws-call.ts';

/** True if the tests run bundled functions. Set by `environment.ts`. */
const { isBundled } = globalThis as unknown as { readonly isBundled?: boolean };

/** File name suffix of the calls that bundled functions made. */
export const BUNDLED = '.bundled';

export interface CallRecorder {
  /** Wraps the handler of a Lambda function so that its AWS calls are recorded under the name `entry`. */
  noting<Args extends readonly unknown[], Answer>(
    entry: string,
    handler: (...args: Args) => Answer,
  ): (...args: Args) => Answer;
  /** Returns the distinct AWS calls of each Lambda function, by function name. */
  calls(): Readonly<Record<string, readonly AwsCall[]>>;
  close(): void;
}

/**
 * Returns true for AWS calls that are allowed only in environments with a sender function or an SMS pool. Their IAM permissions
 * are tested in test/aws/sender-grants.test.ts.
 */
const isForSender = ({ action, resource }: AwsCall): boolean =>
  action.startsWith('sms-voice:') ||
  ((process.env.MAIL_FUNCTION ?? process.env.SMS_FUNCTION) !== undefined &&
    (action === 'lambda:InvokeFunction' || (action === 'kms:GenerateMac' && resource === WEBHOOK_KEY_ID)));

/** Records the AWS calls of this process, by the name of the Lambda function that made the call. */
function recordAwsCalls(): CallRecorder {
  const running = new AsyncLocalStorage<Set<string>>();
  const byEntry = new Map<string, Set<string>>();
  const created = (message: unknown) => {
    const { request } = message as { request: ClientRequest };
    const calls = running.getStore();
    if (!calls) return;
    onRequestBody(request, (told) => {
      const call = told();
      if (call && !isForSender(call)) calls.add(JSON.stringify(call));
    });
  };
  subscribe('http.client.request.created', created);
  return {
    noting:
      (entry, handler) =>
      (...args) => {
        const calls = byEntry.get(entry) ?? new Set();
        byEntry.set(entry, calls);
        return running.run(calls, () => handler(...args));
      },
    calls: () =>
      Object.fromEntries(
        [...byEntry].map(([entry, calls]) => [entry, [...calls].map((call) => JSON.parse(call) as AwsCall)]),
      ),
    close: () => unsubscribe('http.client.request.created', created),
  };
}

/**
 * Records AWS calls in the folder of `npm run test:bundles`, which compares the calls with the IAM policies. Records nothing
 * if no folder is given.
 */
export function noteForComparison(folder = process.env.CALLS_FOLDER): Pick<CallRecorder, 'noting' | 'close'> {
  if (folder === undefined) return { noting: (_, handler) => handler, close: () => undefined };
  const { noting, calls, close } = recordAwsCalls();
  return {
    noting,
    close() {
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, `${crypto.randomUUID()}${isBundled ? BUNDLED : ''}.json`),
        JSON.stringify(calls()),
      );
      close();
    },
  };
}
