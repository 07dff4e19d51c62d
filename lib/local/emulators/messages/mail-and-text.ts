import { randomUUID } from 'node:crypto';
import { AwsError } from '../basis/aws-error.ts';
import type { MessageStore } from './messages.ts';
import { type ProviderEvent, simulateMailEvents, simulateSmsEvents } from './provider-events.ts';

const SES_NAMESPACE = 'http://ses.amazonaws.com/doc/2010-12-01/';
const SNS_NAMESPACE = 'http://sns.amazonaws.com/doc/2010-03-31/';
const SMS_MAX_CHARACTERS = 1600;
/** Daily mail quota of the emulated account, as in the sandbox of SES. */
const MAILS_PER_DAY = 200;

// Emulators of Amazon SES and SNS for the operations that the service uses. Both use the AWS Query protocol, with forms as
// requests and XML as responses.

/** Handles a call to the local SES: stores the mail, and publishes the events that the mailbox simulator sends for the mail. */
export async function answerSes(
  form: URLSearchParams,
  messages: MessageStore,
  publish: (event: ProviderEvent) => void,
): Promise<string> {
  const action = form.get('Action') ?? '';
  if (action === 'GetSendQuota') {
    const { length } = await messages.list({ channel: 'email' });
    const used = `<Max24HourSend>${MAILS_PER_DAY}</Max24HourSend><SentLast24Hours>${length}</SentLast24Hours>`;
    return resultXml(action, SES_NAMESPACE, used);
  }
  if (action !== 'SendRawEmail')
    throw new AwsError('InvalidAction', `The local SES does not support ${action}`);
  const raw = Buffer.from(form.get('RawMessage.Data') ?? '', 'base64');
  if (raw.length === 0) throw new AwsError('InvalidParameterValue', 'Empty message');
  const to = readMembers(form, 'Destinations');
  for (const address of to) checkAddress(address);
  const id = await messages.addMail({ raw, to });
  const tags = readEntries(form, 'Tags.member', 'Value');
  for (const address of to)
    for (const event of simulateMailEvents(id, address, tags)) publish({ entry: 'mail-events', event });
  return resultXml('SendRawEmail', SES_NAMESPACE, `<MessageId>${id}</MessageId>`);
}

export async function answerSns(
  form: URLSearchParams,
  messages: MessageStore,
  publish: (event: ProviderEvent) => void,
): Promise<string> {
  const action = form.get('Action') ?? '';
  if (action === 'SetSMSAttributes') {
    for (const [name, value] of readEntries(form, 'attributes.entry', 'value', 'key'))
      messages.smsAttributes.set(name, value);
    return resultXml(action, SNS_NAMESPACE, '');
  }
  if (action === 'GetSMSAttributes') {
    const entries = [...messages.smsAttributes].map(
      ([name, value]) => `<entry><key>${escapeXml(name)}</key><value>${escapeXml(value)}</value></entry>`,
    );
    return resultXml(action, SNS_NAMESPACE, `<attributes>${entries.join('')}</attributes>`);
  }
  if (action !== 'Publish') throw new AwsError('InvalidAction', `The local SNS does not support ${action}`);
  const to = form.get('PhoneNumber') ?? '';
  const text = form.get('Message') ?? '';
  if (!/^\+[1-9]\d{1,14}$/.test(to))
    throw invalidParameter(`PhoneNumber Reason: ${to} is not valid to publish to`);
  if (text === '') throw invalidParameter('Empty message');
  if (text.length > SMS_MAX_CHARACTERS) throw invalidParameter('Message too long');
  const from =
    readEntries(form, 'MessageAttributes.entry', 'Value.StringValue').get('AWS.SNS.SMS.SenderID') ?? null;
  if (from !== null && !/^(?=.*[A-Za-z])[A-Za-z0-9-]{1,11}$/.test(from))
    throw invalidParameter('MessageAttributes Reason: SenderID');
  const id = await messages.addText({ to, from, text });
  for (const event of simulateSmsEvents(id, to)) publish({ entry: 'sms-events', event });
  return resultXml('Publish', SNS_NAMESPACE, `<MessageId>${id}</MessageId>`);
}

export function queryErrorXml(error: AwsError): string {
  const type = error.status >= 500 ? 'Receiver' : 'Sender';
  const detail = `<Type>${type}</Type><Code>${error.code}</Code><Message>${escapeXml(error.message)}</Message>`;
  return `<ErrorResponse><Error>${detail}</Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`;
}

function invalidParameter(reason: string): AwsError {
  return new AwsError('InvalidParameter', `Invalid parameter: ${reason}`);
}

/** Throws the error with which SES rejects a malformed recipient before it tries to deliver the mail. */
function checkAddress(address: string): void {
  const domain = /^[^@\s]+@([^@\s]+)$/.exec(address.replace(/^.*<(.*)>$/, '$1'))?.[1];
  if (domain === undefined) throw new AwsError('InvalidParameterValue', "Missing final '@domain'");
  if (!/^[\x21-\x7e]+$/.test(address))
    throw new AwsError('InvalidParameterValue', 'Local address contains control or non-ASCII characters');
}

function readMembers(form: URLSearchParams, name: string): string[] {
  const members: string[] = [];
  for (let n = 1; form.has(`${name}.member.${n}`); n += 1)
    members.push(form.get(`${name}.member.${n}`) ?? '');
  return members;
}

function readEntries(form: URLSearchParams, name: string, value: string, key = 'Name'): Map<string, string> {
  const entries = new Map<string, string>();
  for (let n = 1; form.has(`${name}.${n}.${key}`); n += 1)
    entries.set(form.get(`${name}.${n}.${key}`) ?? '', form.get(`${name}.${n}.${value}`) ?? '');
  return entries;
}

function resultXml(action: string, namespace: string, result: string): string {
  const metadata = `<ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata>`;
  return `<${action}Response xmlns="${namespace}"><${action}Result>${result}</${action}Result>${metadata}</${action}Response>`;
}

function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
