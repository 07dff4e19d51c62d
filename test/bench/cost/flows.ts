import { newPerson, originOf, type RequestAnswer, registerPasskey } from '../../support/fixtures/passkeys.ts';
import { createUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { tokensDirect } from '../../support/fixtures/tokens.ts';
import type { TestAnswer, TestServer } from '../../support/server/test-server.ts';
import { usePasskey } from '../../support/tools/software-authenticator.ts';

/** What is measured: made ready first, then one login as a caller makes it. */
export interface CostFlow {
  readonly name: string;
  readonly prepare: (server: TestServer, token: string) => Promise<() => Promise<void>>;
}

/** A mailbox of which SES tells that it took the mail, as of most. */
const newMailbox = () => newEmail('success+cost').replace('example.com', 'simulator.amazonses.com');

function expectOk<Body>({ status, body }: TestAnswer<Body>): Body {
  if (status >= 400) throw new Error(`refused with ${status}: ${JSON.stringify(body)}`);
  return body;
}

function byPasscode(name: string, channel: 'email' | 'sms'): CostFlow {
  return {
    name,
    async prepare(server, token) {
      const [email, phone_number] = [newMailbox(), newPhoneNumber()];
      await createUser(server, { email, phone_number });
      const who =
        channel === 'email'
          ? { identifier_type: 'email', identifier: email }
          : { identifier_type: 'phone_number', identifier: phone_number };
      return async () => {
        expectOk(await server.post('/v1/auth/otp/send', { channel, ...who }, { token }));
        // A person takes longer than the events behind it.
        await server.settleEvents();
        const passcode = await server.codeTo(who.identifier);
        expectOk(await server.post('/v1/auth/otp/authenticate', { passcode, ...who }, { token }));
      };
    },
  };
}

const byLink: CostFlow = {
  name: 'Link by email',
  async prepare(server, token) {
    const email = newMailbox();
    await createUser(server, { email });
    const redirect_uri = server.environment.redirect_uris[0];
    const send = { identifier_type: 'email', identifier: email, redirect_uri };
    return async () => {
      expectOk(await server.post('/v1/auth/link/email/send', send, { token }));
      await server.settleEvents();
      const { headers } = await server.get(await server.linkTo(email));
      const code = new URL(headers.get('location') ?? '').searchParams.get('code');
      expectOk(await server.post('/v1/auth/link/email/authenticate', { code }, { token }));
    };
  },
};

const byPasskey: CostFlow = {
  name: 'Passkey',
  async prepare(server, token) {
    const passkey = await registerPasskey(server, await newPerson(server));
    const client = { client_id: server.environment.client_id };
    return async () => {
      const path = '/v1/auth/webauthn/authenticate';
      const start = expectOk(await server.post<RequestAnswer>(`${path}/start`, client));
      const result = usePasskey(passkey, start, originOf(server));
      expectOk(await server.post(path, { webauthn_encoded_result: result }, { token }));
    };
  },
};

const refresh: CostFlow = {
  name: 'Refresh',
  async prepare(server, token) {
    const user = await createUser(server, { email: newMailbox() });
    const { refresh_token } = await tokensDirect(server, user.user_id);
    return async () => {
      expectOk(await server.post('/v1/auth/token/refresh', { refresh_token }, { token }));
    };
  },
};

export const costFlows: readonly CostFlow[] = [
  byPasscode('Passcode by email', 'email'),
  byPasscode('Passcode by SMS', 'sms'),
  byLink,
  byPasskey,
  refresh,
];
