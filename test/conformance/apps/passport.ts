import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Passport } from 'passport';
import { type Profile, Strategy } from 'passport-openidconnect';
import type { TestServer } from '../../support/server/test-server.ts';
import { byLinks, type ClientApp, homePage, registerApp, type ShownUser, serveApp } from './client-app.ts';

/** passport-openidconnect on a server with sessions, as its documentation sets it up; the profile is that of UserInfo. */

interface User extends ShownUser {
  readonly idToken: string;
  readonly refreshToken: string;
}

type Session = Record<string, unknown> & { passport?: { user?: User } };

/** What Express and express-session add to a request. */
interface WithSession extends IncomingMessage {
  query: Readonly<Record<string, string>>;
  session: Session;
  logout(done: (error?: unknown) => void): void;
}

function sessions() {
  const kept = new Map<string, Session>();
  return (request: WithSession, response: ServerResponse) => {
    const id = /sid=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? randomUUID();
    response.setHeader('set-cookie', `sid=${id}; HttpOnly; SameSite=Lax; Path=/`);
    const begin = (session: Session) => {
      const save = (done: () => void) => done();
      const regenerate = (done: () => void) => {
        begin({});
        done();
      };
      // Not in the data: its methods belong to this request.
      request.session = Object.defineProperties(session, {
        save: { value: save, configurable: true },
        regenerate: { value: regenerate, configurable: true },
      });
      kept.set(id, session);
    };
    begin(kept.get(id) ?? {});
  };
}

function strategyOf(issuer: string, client: { client_id: string; client_secret: string }) {
  return new Strategy(
    {
      issuer,
      authorizationURL: `${issuer}/auth`,
      tokenURL: `${issuer}/token`,
      userInfoURL: `${issuer}/me`,
      clientID: client.client_id,
      clientSecret: client.client_secret,
      callbackURL: '/callback',
      scope: ['profile', 'email', 'offline_access'],
    },
    (
      _issuer,
      profile: Profile,
      idProfile,
      _context,
      idToken,
      accessToken,
      refreshToken,
      _parameters,
      done,
    ) => {
      const { id: sub, displayName: name } = profile;
      if (idProfile.id !== sub || idProfile.displayName !== name) throw new Error('two profiles');
      done(null, { sub, name, email: profile.emails?.[0]?.value, idToken, accessToken, refreshToken });
    },
  );
}

export async function startPassport(server: TestServer): Promise<ClientApp> {
  const passport = new Passport();
  passport.serializeUser((user, done) => done(null, user));
  passport.deserializeUser((user, done) => done(null, user));
  const addSession = sessions();
  const { issuer } = server.environment;
  let strategy: Strategy;

  /** As passport-oauth2-refresh does it. */
  const refresh = (user: User) =>
    new Promise<User>((resolve, reject) => {
      const grant = { grant_type: 'refresh_token' };
      strategy._oauth2.getOAuthAccessToken(user.refreshToken, grant, (error, accessToken, refreshToken) =>
        error ? reject(error) : resolve({ ...user, accessToken, refreshToken }),
      );
    });

  const { origin, close } = await serveApp((incoming, response) => {
    const request = incoming as WithSession;
    const { pathname, searchParams } = new URL(request.url ?? '/', origin);
    request.query = Object.fromEntries(searchParams);
    addSession(request, response);
    const user = request.session.passport?.user;
    const fail = (error: unknown) => response.writeHead(500).end(String(error));
    const home = () => response.writeHead(303, { location: '/' }).end();
    const pages: Readonly<Record<string, () => unknown>> = {
      '/in': () =>
        passport.authenticate('openidconnect')(request, response, (error) => (error ? fail(error) : home())),
      '/callback': () => pages['/in']?.(),
      '/refresh': () =>
        user &&
        refresh(user)
          .then((fresh) => Object.assign(user, fresh))
          .then(home, fail),
      '/out': () =>
        request.logout((error) => {
          const query = new URLSearchParams({
            id_token_hint: user?.idToken ?? '',
            post_logout_redirect_uri: `${origin}/`,
          });
          if (error) fail(error);
          else response.writeHead(303, { location: `${issuer}/session/end?${query}` }).end();
        }),
      '/': () => {
        response.setHeader('content-type', 'text/html; charset=utf-8');
        response.end(homePage(user ?? null));
      },
    };
    passport.session()(request, response, (error) => (error ? fail(error) : pages[pathname]?.()));
  });
  const client = await registerApp(server, origin, { callback: '/callback' });
  strategy = strategyOf(issuer, client);
  passport.use(strategy);
  return { origin, close, ...byLinks };
}
