import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { madeApplication, madeClient, type WireClient } from '../../support/fixtures/managed.ts';
import type { TestServer } from '../../support/server/test-server.ts';

/** Application that a developer built with a client library. It has its own pages on its own origin. */
export interface ClientApp {
  readonly origin: string;
  /** Clicks from any page of the application to the service's login page. */
  signIn(page: Page): Promise<void>;
  refresh(page: Page): Promise<void>;
  signOut(page: Page): Promise<void>;
  close(): void;
}

/** User data that the application's home page shows as JSON. The page shows `null` if no user is logged in. */
export interface ShownUser {
  readonly sub: string;
  readonly name?: string;
  readonly email?: string;
  readonly accessToken: string;
}

export const homePage = (user: ShownUser | null, script = '') => `<!doctype html>
<html lang="en"><title>App</title><link rel="icon" href="data:,">
<a href="/in">Sign in</a> <a href="/refresh">Refresh</a> <a href="/out">Sign out</a>
<output>${JSON.stringify(user).replaceAll('<', '&lt;')}</output>${script}</html>`;

const follow = (name: string) => (page: Page) => page.getByRole('link', { name }).click();

/** Implements the actions of a person by clicking the links on the application's home page. */
export const byLinks: Pick<ClientApp, 'signIn' | 'refresh' | 'signOut'> = {
  signIn: follow('Sign in'),
  refresh: follow('Refresh'),
  signOut: follow('Sign out'),
};

export async function serveApp(listener: RequestListener): Promise<Pick<ClientApp, 'origin' | 'close'>> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Registers an application and its client through the API. Paths are relative to the origin. */
export async function registerApp(
  server: TestServer,
  origin: string,
  { callback, afterLogout = '/' }: { readonly callback: string; readonly afterLogout?: string },
  client: Readonly<Record<string, unknown>> = {},
): Promise<WireClient> {
  const appId = await madeApplication(server, {
    redirect_uris: [`${origin}${callback}`],
    post_logout_redirect_uris: [`${origin}${afterLogout}`],
    public_signup: true,
  });
  return madeClient(server, client, appId);
}
