import { createProvenUser, newEmail, newPhoneNumber } from '../fixtures/people.ts';
import { demoToken, managerToken } from '../fixtures/tokens.ts';
import type { TestServer } from '../server/test-server.ts';

type Channel = 'email' | 'sms';
const typeOf = { email: 'email', sms: 'phone_number' } as const;

/** Returns functions that send passcodes to new users, log the users in, and list the deliveries to an address. */
export const passcodes = (server: TestServer) => ({
  async createRecipient(channel: Channel, to = channel === 'email' ? newEmail() : newPhoneNumber()) {
    const user = await createProvenUser(server, { [typeOf[channel]]: to });
    return { to, userId: user.user_id };
  },
  async send(channel: Channel, to: string, fields: object = {}) {
    const body = { channel, identifier_type: typeOf[channel], identifier: to, ...fields };
    return server.post('/v1/auth/otp/send', body, { token: await demoToken(server) });
  },
  async authenticate(channel: Channel, to: string, passcode: string | undefined) {
    const body = { identifier_type: typeOf[channel], identifier: to, passcode };
    const token = await demoToken(server);
    return (await server.post('/v1/auth/otp/authenticate', body, { token })).status;
  },
  async readDeliveries(to: string) {
    await server.settleEvents();
    const path = `/v1/deliveries?${new URLSearchParams({ to })}`;
    const token = await managerToken(server);
    return (await server.get<{ result: Record<string, string>[] }>(path, { token })).body.result;
  },
});

/** ARN of the emulated Lambda function that sends messages. */
export const SENDER_ARN = 'arn:aws:lambda:eu-central-1:000000000000:function:sender:live';

export const sentByFunction = { MAIL_FUNCTION: SENDER_ARN, SMS_FUNCTION: SENDER_ARN } as const;

export interface SenderEvent {
  readonly channel: Channel;
  readonly to: string;
  readonly code?: string;
  readonly message_id: string;
  readonly request_id?: string;
  readonly callback: { readonly url: string; readonly token: string };
}

/** Returns the events with which the emulated sender function was invoked for a recipient, oldest first. */
export async function senderEvents(server: TestServer, to: string): Promise<readonly SenderEvent[]> {
  const answer = await fetch(`${server.url}/_local/functions`);
  const { events } = (await answer.json()) as { readonly events: readonly SenderEvent[] };
  return events.filter((event) => event.to === to);
}

/** Sets the result of the next invocations of the emulated function. A string is returned unchanged, other values as JSON. */
export async function prepareResult(
  server: TestServer,
  result: unknown,
  options: { readonly function_error?: string; readonly times?: number } = {},
): Promise<void> {
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  const body = JSON.stringify({ result: text, ...options });
  const { ok } = await fetch(`${server.url}/_local/functions`, { method: 'POST', body });
  if (!ok) throw new Error('the emulated function takes no such result');
}
