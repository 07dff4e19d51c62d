import { randomUUID } from 'node:crypto';
import { domainToASCII } from 'node:url';
import * as v from 'valibot';
import { PASSCODE_CHANNELS } from '../../../../shared/records/channels.ts';
import { JsonFile } from '../basis/kept-file.ts';
import { type Message, type MessageContent, readMail, readSms } from './read-message.ts';

const KEPT_MESSAGES = 500;

const EnvelopeSchema = v.object({
  id: v.string(),
  channel: v.picklist(PASSCODE_CHANNELS),
  to: v.string(),
  from: v.nullable(v.string()),
  /** Raw mail in Base64, or the text of an SMS. */
  content: v.string(),
  createdAt: v.number(),
});
type Envelope = v.InferOutput<typeof EnvelopeSchema>;

export interface MessageFilter {
  readonly to?: string;
  readonly channel?: string;
  /** Start time (RFC 3339). Older messages are not returned. */
  readonly since?: string;
}

/** Store of the last 500 mails and text messages, newest first. A mail is parsed when it is first read. */
export class MessageStore {
  /** SMS settings of the emulated AWS account, such as its spending limit. */
  readonly smsAttributes = new Map<string, string>();
  #envelopes: Envelope[];
  readonly #read = new WeakMap<Envelope, Promise<Message>>();
  readonly #file: JsonFile;

  private constructor(file: JsonFile, kept: Envelope[]) {
    this.#file = file;
    this.#envelopes = kept;
  }

  static async open(path?: string): Promise<MessageStore> {
    const file = new JsonFile(path);
    const kept = (await file.readLines(EnvelopeSchema)).slice(-KEPT_MESSAGES);
    await file.writeLines(kept);
    return new MessageStore(file, kept.reverse());
  }

  /**
   * Stores a mail for each recipient and returns the last message ID. Without envelope recipients, the mail's header fields
   * name the recipients.
   */
  async addMail(mail: { readonly raw: Buffer; readonly to: readonly string[] }): Promise<string> {
    const content = mail.raw.toString('base64');
    const recipients = mail.to.length > 0 ? mail.to : (await readMail(mail.raw)).recipients;
    let id = '';
    for (const to of recipients) id = await this.#add({ channel: 'email', to, from: null, content });
    return id;
  }

  async addText(text: { readonly to: string; readonly from: string | null; readonly text: string }) {
    return this.#add({ channel: 'sms', to: text.to, from: text.from, content: text.text });
  }

  async list(filter: MessageFilter = {}): Promise<Message[]> {
    const since = filter.since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(filter.since);
    const to = filter.to === undefined ? undefined : normalizeRecipient(filter.to);
    const found = this.#envelopes.filter(
      (envelope) =>
        envelope.createdAt >= since &&
        (filter.channel === undefined || envelope.channel === filter.channel) &&
        (to === undefined || normalizeRecipient(envelope.to) === to),
    );
    return Promise.all(found.map((envelope) => this.#readMessage(envelope)));
  }

  /** Removes the messages that were sent after a time in epoch milliseconds. By default, removes all messages. */
  async clear(after = Number.NEGATIVE_INFINITY): Promise<void> {
    this.#envelopes = this.#envelopes.filter(({ createdAt }) => createdAt <= after);
    await this.#file.writeLines(this.#envelopes.toReversed());
  }

  /** Returns the raw mail with this message ID as it was passed to SES. Returns undefined for text messages and unknown IDs. */
  raw(id: string): Buffer | undefined {
    const envelope = this.#envelopes.find((each) => each.id === id && each.channel === 'email');
    return envelope && Buffer.from(envelope.content, 'base64');
  }

  async #add(part: Omit<Envelope, 'id' | 'createdAt'>): Promise<string> {
    const envelope = { ...part, id: randomUUID(), createdAt: Date.now() };
    this.#envelopes.unshift(envelope);
    if (this.#envelopes.length > KEPT_MESSAGES) this.#envelopes.pop();
    await this.#file.append([envelope]);
    return envelope.id;
  }

  #readMessage(envelope: Envelope): Promise<Message> {
    const known = this.#read.get(envelope);
    if (known !== undefined) return known;
    const message = toMessage(envelope);
    this.#read.set(envelope, message);
    return message;
  }
}

/** Converts an address to lower case and its domain to ASCII, so that every spelling of an address finds its messages. */
function normalizeRecipient(recipient: string): string {
  const domainAt = recipient.lastIndexOf('@') + 1;
  const domain = domainAt > 0 ? domainToASCII(recipient.slice(domainAt)) : '';
  return (domain === '' ? recipient : recipient.slice(0, domainAt) + domain).toLowerCase();
}

/** Functions that read the content of a stored message, by channel. The content of a mail includes its sender and subject. */
const READERS: Readonly<Record<Message['channel'], (content: string) => Promise<MessageContent>>> = {
  email: async (content) => {
    const { recipients: _, ...mail } = await readMail(Buffer.from(content, 'base64'));
    return mail;
  },
  sms: async (content) => readSms(content),
};

async function toMessage({ id, channel, to, from, content, createdAt }: Envelope): Promise<Message> {
  const created_at = new Date(createdAt).toISOString();
  return { id, channel, to, from, subject: null, created_at, ...(await READERS[channel](content)) };
}
