import * as v from 'valibot';
import { AwsError } from './aws-error.ts';
import { type Service, services } from './services.ts';

/**
 * Faults for the reliability tests; set by `POST /_local/faults`, never by the service itself.
 *
 * - `error`: the call is refused with `code` and nothing is done;
 * - `latency`: the call is done `latency_ms` later;
 * - `lost-request`: the connection drops before anything is done;
 * - `lost-answer`: the call is done, then the connection drops.
 */
const FaultSchema = v.object({
  service: v.picklist(services),
  /** Only this action, such as `PutItem`; absent: all of the service. */
  action: v.optional(v.string()),
  /** Only calls of requests to this operation, such as `authenticateOtp`; absent: of all. */
  operation: v.optional(v.string()),
  effect: v.picklist(['error', 'latency', 'lost-request', 'lost-answer']),
  /** `Throttling` becomes the service's own name for it. */
  code: v.optional(v.string()),
  status: v.optional(v.number()),
  message: v.optional(v.string()),
  latency_ms: v.optional(v.number()),
  /** Lets this many matching calls pass first: a crash between two calls. */
  skip: v.optional(v.number()),
  /** Ends after this many calls; absent: until the faults are cleared. */
  times: v.optional(v.number()),
});

/** Names the operation that a call is made for; no call to AWS has it. */
export const OPERATION_HEADER = 'x-local-operation';

export type Fault = v.InferOutput<typeof FaultSchema>;

const throttlingOf: Readonly<Record<Service, { readonly code: string; readonly status: number }>> = {
  dynamodb: { code: 'ThrottlingException', status: 400 },
  kms: { code: 'ThrottlingException', status: 400 },
  ses: { code: 'Throttling', status: 400 },
  sns: { code: 'Throttled', status: 429 },
  secretsmanager: { code: 'ThrottlingException', status: 400 },
  eventbridge: { code: 'ThrottlingException', status: 400 },
  sqs: { code: 'ThrottlingException', status: 400 },
  logs: { code: 'ThrottlingException', status: 400 },
};

export class Faults {
  readonly #faults: { fault: Fault; toSkip: number; left: number }[] = [];
  readonly #onDelay: (isDelayed: boolean) => void;

  /** @param onDelay called after each change, with true while a fault delays calls */
  constructor(onDelay: (isDelayed: boolean) => void = () => {}) {
    this.#onDelay = onDelay;
  }

  /** Throws when `input` is no fault. */
  add(input: unknown): void {
    const fault = v.parse(FaultSchema, input);
    this.#faults.push({ fault, toSkip: fault.skip ?? 0, left: fault.times ?? Number.POSITIVE_INFINITY });
    this.#tell();
  }

  clear(): void {
    this.#faults.length = 0;
    this.#tell();
  }

  list(): readonly Fault[] {
    return this.#faults.map((entry) => entry.fault);
  }

  /** The fault that hits this call, if any; counts it. */
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
        this.#tell();
      }
      return fault;
    }
    return undefined;
  }

  #tell(): void {
    this.#onDelay(this.#faults.some(({ fault }) => fault.effect === 'latency'));
  }
}

/** The refusal that a fault of effect `error` stands for. */
export function errorOfFault(fault: Fault): AwsError {
  const message = fault.message ?? 'Refused by an injected fault';
  const code = fault.code ?? 'Throttling';
  if (code !== 'Throttling') return new AwsError(code, message, fault.status ?? 400);
  const throttling = throttlingOf[fault.service];
  return new AwsError(throttling.code, message, fault.status ?? throttling.status);
}
