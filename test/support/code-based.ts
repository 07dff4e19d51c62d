import type { TokenResponse } from './tokens.ts';
import type { World, WorldAnswer } from './world.ts';

/** Any answer of a send or a validation of section C. */
export interface CodeBasedBody {
  readonly message: string | readonly string[];
  readonly error_code?: number;
  readonly approval_data?: Readonly<Record<string, string>>;
  readonly result: string;
}

export type RetrievedTokens = TokenResponse & { readonly is_user_created: boolean };

/** Section C as a caller's backend speaks it. */
export function codeBased(world: World, token: string) {
  const [redirect_uri] = world.environment.redirect_uris;
  const post = (path: string, fields: object, bearer = token) =>
    world.post<CodeBasedBody>(path, fields, { token: bearer });
  const validate = async (path: string, fields: object): Promise<string> => {
    const { status, body } = await post(path, fields);
    if (status !== 200) throw new Error(`not validated: ${JSON.stringify(body)}`);
    return body.result;
  };
  const lastMessage = async (to: string) => {
    const [message] = await world.messages({ to });
    if (!message) throw new Error('no message came');
    return message;
  };

  return {
    post,
    sendLink: (fields: object) => post('/v1/auth/links/email', { redirect_uri, ...fields }),
    sendEmailOtp: (fields: object) => post('/v1/auth/otp/email', { redirect_uri, ...fields }),
    validateEmailOtp: (fields: object) => post('/v1/auth/otp/email/validation', fields),
    sendSmsOtp: (fields: object) => post('/v1/auth/otp/sms', { redirect_uri, ...fields }),
    validateSmsOtp: (fields: object) => post('/v1/auth/otp/sms/validation', fields),

    /** What came last to an address. */
    lastMessage,
    async lastDigits(to: string): Promise<string> {
      return (await lastMessage(to)).codes[0] ?? '';
    },
    async lastLink(to: string): Promise<string> {
      return (await lastMessage(to)).links[0] ?? '';
    },

    /** Sends a code and types it; the address that the browser goes on to. */
    async resultByEmail(email: string, fields: object = {}, typed: object = {}): Promise<string> {
      await post('/v1/auth/otp/email', { redirect_uri, email, ...fields });
      const passcode = (await lastMessage(email)).codes[0];
      return validate('/v1/auth/otp/email/validation', { email, passcode, ...typed });
    },
    async resultBySms(phone_number: string, fields: object = {}, typed: object = {}): Promise<string> {
      await post('/v1/auth/otp/sms', { redirect_uri, phone_number, ...fields });
      const passcode = (await lastMessage(phone_number)).codes[0];
      return validate('/v1/auth/otp/sms/validation', { phone_number, passcode, ...typed });
    },

    exchange: (code: string): Promise<WorldAnswer<RetrievedTokens>> => {
      const { client_id, client_secret } = world.environment;
      return world.post('/v1/token', { code, client_id, client_secret });
    },
  };
}

/** Where an address leads a browser, without following: a redirect's parameters. */
export async function redirectOf(response: Response | Promise<Response>): Promise<URL> {
  const location = (await response).headers.get('location');
  if (location === null) throw new Error(`no redirect: ${(await response).status}`);
  return new URL(location);
}

/** As a browser without cookies opens it. */
export const open = (address: string, init: RequestInit = {}) =>
  fetch(address, { redirect: 'manual', ...init });

export async function codeAt(address: string): Promise<string> {
  return (await redirectOf(open(address))).searchParams.get('code') ?? '';
}
