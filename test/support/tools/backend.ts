import { beforeEach } from '@jest/globals';
import { createUser } from '../fixtures/people.ts';
import type { TokenResponse } from '../fixtures/tokens.ts';
import type { TestAnswer, TestServer } from '../server/test-server.ts';

type Json = Readonly<Record<string, unknown>>;

export interface Sent {
  readonly message: string;
  readonly code: string;
  readonly request_id: string;
  readonly approval_data: object;
}
type Login = TokenResponse & { readonly error_code: string; readonly message: string };

/** Returns functions that call the API as the backend of the demo application, with a new client token for each test. */
export function useBackend(server: TestServer) {
  let token = '';
  /** Requests a new token, for tests that last longer than an hour, after which a token expires. */
  const connect = async () => {
    token = await server.clientToken();
  };
  beforeEach(connect);
  const bearer = () => ({ token });
  const post = <Body = Json>(path: string, fields: object): Promise<TestAnswer<Body>> =>
    server.post(path, fields, bearer());
  /** Sends a code, by default for an email address. The response contains the code (channel `direct`). */
  const sendOtp = (fields: object) =>
    post<Sent>('/v1/auth/otp/send', { identifier_type: 'email', channel: 'direct', ...fields });
  return {
    ...{ connect, bearer, post, sendOtp },
    get: <Body = Json>(path: string) => server.get<Body>(path, bearer()),
    put: <Body = Json>(path: string, fields: object) => server.put<Body>(path, fields, bearer()),
    delete: (path: string) => server.delete(path, bearer()),
    authenticateOtp: (fields: object) =>
      post<Login>('/v1/auth/otp/authenticate', { identifier_type: 'email', ...fields }),
    /** Creates a user and sends a code. Returns the code. */
    async sentTo(email: string, fields: object = {}): Promise<string> {
      await createUser(server, { email });
      return (await sendOtp({ identifier: email, ...fields })).body.code;
    },
  };
}
