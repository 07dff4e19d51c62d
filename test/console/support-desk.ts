import { beforeAll, expect } from '@jest/globals';
import { demo } from '../../lib/local/demo.ts';
import type { Fault } from '../../lib/local/emulators/basis/faults.ts';
import { type AtConsole, becomeOperator, enterConsole } from '../support/console.ts';
import { made } from '../support/fixtures/managed.ts';
import { newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import type { TestServer } from '../support/server/test-server.ts';

// Functions that send messages to test users and read what the console shows support staff about these messages.

interface Addressee {
  readonly email: string;
  readonly sms: string;
}

interface Person extends Addressee {
  readonly userId: string;
  /** Path of the person's page in the console. */
  readonly path: string;
}

type Channel = 'email' | 'sms';

/** Returns the text of a user's console page from its heading to the list of sessions, without HTML tags. */
const readableIn = (html: string): string =>
  (html.split('<main')[1]?.split('Where they are logged in')[0] ?? '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');

/** Logs an operator in to the console before the tests of a file. Returns functions that send and look up messages. */
export function useSupportDesk(server: TestServer) {
  let operator: AtConsole;
  let token: string;
  beforeAll(async () => {
    await becomeOperator(server, 'admin');
    [operator, token] = [await enterConsole(server), await server.clientToken()];
  });

  async function somePerson(
    fields: object = {},
    as = token,
    tenantId: string = demo.tenantId,
  ): Promise<Person> {
    const addresses = { email: newEmail(), phone_number: newPhoneNumber(), ...fields };
    const { user_id: userId } = await made<{ user_id: string }>(server, '/v1/users', addresses, as);
    const { email, phone_number: sms } = addresses;
    return { email, sms, userId, path: `/${tenantId}/people/${userId}` };
  }

  /** Requests a one-time code with a client token. Returns the HTTP status of the response. */
  async function ask(to: Addressee, channel: Channel, as = token): Promise<number> {
    const identifier_type = channel === 'sms' ? 'phone_number' : 'email';
    const asked = { identifier_type, identifier: to[channel], channel };
    return (await server.post('/v1/auth/otp/send', asked, { token: as })).status;
  }

  async function shownAt(path: string): Promise<string> {
    await server.settleEvents();
    const { html, status } = await operator.get(path);
    expect([path, status]).toEqual([path, 200]);
    return readableIn(html);
  }

  /** Creates a user and requests a code for the user during a fault. Returns the path of the user's console page. */
  async function afterFault(
    fault: Fault,
    askFor: Channel | ((person: Person) => Promise<unknown>),
  ): Promise<string> {
    const person = await somePerson();
    await server.faults.inject(fault);
    await (typeof askFor === 'string' ? ask(person, askFor) : askFor(person));
    await server.faults.clear();
    server.internalErrors.length = 0;
    return person.path;
  }

  return { somePerson, ask, shownAt, afterFault };
}
