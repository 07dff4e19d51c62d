import * as v from 'valibot';
import { NOTICE_CHANNELS } from '../../../../shared/records/channels.ts';
import type { MessageStore } from './messages.ts';

/** Fields of an invocation that the emulated function reads. */
const EventSchema = v.looseObject({
  channel: v.picklist(NOTICE_CHANNELS),
  to: v.string(),
  code: v.optional(v.string()),
  text: v.string(),
  mime: v.optional(v.string()),
  sender_id: v.optional(v.string()),
});

/**
 * Body of `POST /_local/functions`, which sets the results of the next invocations. A result is text and not JSON, so that
 * tests can also set a result that is invalid JSON.
 */
const ResultSchema = v.object({
  /** Result of the invocation as text. The code of the message replaces `{code}`. */
  result: v.string(),
  /** Value of the header with which Lambda reports that the function has failed. */
  function_error: v.optional(v.string()),
  /** Number of invocations with this result. Default: 1. */
  times: v.optional(v.number()),
});

export interface FunctionResult {
  readonly result: string;
  readonly functionError?: string | undefined;
}

const EVENTS_KEPT = 100;

/** Emulated Lambda function of an operator. The function delivers messages to the local inbox, unless a result has been set. */
export class SenderFunction {
  #next: FunctionResult[] = [];
  #events: object[] = [];

  /** Returns the events of the last invocations, oldest first. */
  list(): readonly object[] {
    return this.#events;
  }

  /** Sets the results of the next invocations. Throws a `ValiError` for invalid input. */
  prepare(input: unknown): void {
    const { result, function_error: functionError, times = 1 } = v.parse(ResultSchema, input);
    for (let n = 0; n < times; n += 1) this.#next.push({ result, functionError });
  }

  clear(): void {
    this.#next = [];
    this.#events = [];
  }

  async invoke(body: string, messages: MessageStore): Promise<FunctionResult> {
    const event = v.parse(EventSchema, JSON.parse(body));
    this.#events = [...this.#events, event].slice(-EVENTS_KEPT);
    const prepared = this.#next.shift();
    if (prepared) return { ...prepared, result: prepared.result.replaceAll('{code}', event.code ?? '') };
    const { channel, to, text, mime = '', sender_id: from = null } = event;
    if (channel === 'email') await messages.addMail({ raw: Buffer.from(mime, 'base64'), to: [to] });
    else await messages.addText({ to, from, text });
    return { result: JSON.stringify({ outcome: 'accepted' }) };
  }
}
