import * as v from 'valibot';
import { AwsError } from './aws-error.ts';
import { type Service, services } from './services.ts';

/**
 * Body of `POST /_local/faults`, which makes AWS calls fail in reliability tests. The effects are:
 *
 * - `error`: the emulator rejects the call with `code` and changes nothing.
 * - `latency`: the emulator runs the call `latency_ms` later.
 * - `lost-request`: the connection breaks before the call runs.
 * - `lost-answer`: the call runs, then the connection breaks.
 */
const FaultSchema = v.object({
  service: v.picklist(services),
  /** AWS action that the fault affects, such as `PutItem`. Default: all actions of the service. */
  action: v.optional(v.string()),
  /** Operation of our API whose AWS calls the fault affects, such as `authenticateOtp`. Default: all operations. */
  operation: v.optional(v.string()),
  effect: v.picklist(['error', 'latency', 'lost-request', 'lost-answer']),
  /** AWS error code. `Throttling` is translated to the name that the AWS service uses for throttling. */
  code: v.optional(v.string()),
  status: v.optional(v.number()),
  message: v.optional(v.string()),
  latency_ms: v.optional(v.number()),
  /** Number of matching calls that succeed before the fault takes effect, for example to emulate a crash between two calls. */
  skip: v.optional(v.number()),
  /** Number of calls that the fault affects. Default: all calls until the faults are cleared. */
  times: v.optional(v.number()),
});

/** Header of a local AWS call that names the calling API operation. Calls to the real AWS do not have this header. */
export const OPERATION_HEADER = 'x-local-operation';

export type Fault = v.InferOutput<typeof FaultSchema>;

const throttlingErrors: Readonly<Record<Service, { readonly code: string; readonly status: number }>> = {
  dynamodb: { code: 'ThrottlingException', status: 400 },
  kms: { code: 'ThrottlingException', status: 400 },
  ses: { code: 'Throttling', status: 400 },
  sns: { code: 'Throttled', status: 429 },
  secretsmanager: { code: 'ThrottlingException', status: 400 },
  eventbridge: { code: 'ThrottlingException', status: 400 },
  sqs: { code: 'ThrottlingException', status: 400 },
  logs: { code: 'ThrottlingException', status: 400 },
  lambda: { code: 'TooManyRequestsException', status: 429 },
  'sms-voice': { code: 'ThrottlingException', status: 400 },
};

export class Faults {
  readonly #faults: { fault: Fault; toSkip: number; left: number }[] = [];
  readonly #onDelay: (isDelayed: boolean) => void;

  /**
   * Creates an empty list of faults.
   * @param onDelay Called after each change of the faults, with true if at least one fault delays calls.
   */
  constructor(onDelay: (isDelayed: boolean) => void = () => {}) {
    this.#onDelay = onDelay;
  }

  /** Adds a fault. Throws a `ValiError` if the input does not match the schema of a fault. */
  add(input: unknown): void {
    const fault = v.parse(FaultSchema, input);
    this.#faults.push({ fault, toSkip: fault.skip ?? 0, left: fault.times ?? Number.POSITIVE_INFINITY });
    this.#notify();
  }

  clear(): void {
    this.#faults.length = 0;
    this.#notify();
  }

  list(): readonly Fault[] {
    return this.#faults.map((entry) => entry.fault);
  }

  /** Returns the fault that applies to this call, if there is one, and counts the call against the fault's limit. */
  take(service: Service, action: string, operation: unknown): Fault | undefined {
    for (const entry of this.#faults) {
      const { fault } = entry;
      if (fault.service !== service || (fault.action ?? action) !== action) continue;
      if ((fault.operation ?? operation) !== operation) continue;
      if (entry.toSkip > 0) {
        entry.toSkip -= 1;
        continue;
      }
      entry.left -= 1;
      if (entry.left <= 0) {
        this.#faults.splice(this.#faults.indexOf(entry), 1);
        this.#notify();
      }
      return fault;
    }
    return undefined;
  }

  #notify(): void {
    this.#onDelay(this.#faults.some(({ fault }) => fault.effect === 'latency'));
  }
}

/** Creates the AWS error that an emulator returns for a fault with the effect `error`. */
export function toAwsError(fault: Fault): AwsError {
  const message = fault.message ?? 'Refused by an injected fault';
  const code = fault.code ?? 'Throttling';
  if (code !== 'Throttling') return new AwsError(code, message, fault.status ?? 400);
  const throttling = throttlingErrors[fault.service];
  return new AwsError(throttling.code, message, fault.status ?? throttling.status);
}
