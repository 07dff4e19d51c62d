/** What the tests use of passport and passport-openidconnect, whose types bring those of Express along. */

declare module 'passport' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  type Done = (error: unknown, value?: unknown) => void;
  type Middleware = (
    request: IncomingMessage,
    response: ServerResponse,
    next: (error?: unknown) => void,
  ) => void;

  export class Passport {
    use(strategy: object): this;
    serializeUser(write: (user: never, done: Done) => void): void;
    deserializeUser(read: (stored: never, done: Done) => void): void;
    session(): Middleware;
    authenticate(strategy: string): Middleware;
  }
}

declare module 'passport-openidconnect' {
  export interface Profile {
    readonly id: string;
    readonly displayName?: string;
    readonly emails?: readonly { readonly value: string }[];
  }

  interface OAuth2 {
    getOAuthAccessToken(
      token: string,
      parameters: Readonly<Record<string, string>>,
      done: (error: unknown, accessToken: string, refreshToken: string) => void,
    ): void;
  }

  export class Strategy {
    constructor(
      options: Readonly<Record<string, unknown>>,
      verify: (
        issuer: string,
        profile: Profile,
        idProfile: Profile,
        context: object,
        idToken: string,
        accessToken: string,
        refreshToken: string,
        parameters: object,
        done: (error: unknown, user: object) => void,
      ) => void,
    );
    readonly _oauth2: OAuth2;
  }
}
