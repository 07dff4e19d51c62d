import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer as createListener } from 'node:http';
import { createServer } from 'node:https';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Local } from '../../lib/local/for-tests/start-local.ts';
import { selfSigned } from '../support/tools/self-signed.ts';
import { addAuthenticator } from '../support/tools/virtual-authenticator.ts';

// An agent that uses the MCP server of the quickstarts page. The agent is built with the official MCP SDK from npm.

const DOCUMENT = {
  client_name: 'Your bank',
  redirect_uris: ['http://127.0.0.1/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};

/** Publishes the client ID metadata document of an agent over HTTPS. The service must trust the returned certificate. */
export async function publishDocument(folder: string) {
  const { key, cert } = selfSigned(['localhost']);
  const certificate = join(folder, 'agent.pem');
  writeFileSync(certificate, cert);
  const server = createServer({ key, cert }, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...DOCUMENT, client_id: clientId }));
  }).listen(0, 'localhost');
  await once(server, 'listening');
  const clientId = `https://localhost:${(server.address() as AddressInfo).port}/client.json`;
  return { clientId, certificate, close: () => once(server.close(), 'close') };
}

/** Listens for the redirect on the user's computer. Returns the redirect's URL. */
async function listen(): Promise<string> {
  const listener = createListener((_request, response) => response.end('Go back to the agent'));
  await once(listener.listen(0, '127.0.0.1').unref(), 'listening');
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`;
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope: string;
}

/** Creates the object with which the MCP SDK stores tokens and other state of an OAuth client. */
function createProvider(clientMetadataUrl: string, redirectUrl: string) {
  const kept: {
    tokens?: Tokens;
    verifier?: string;
    address?: URL;
    information?: object;
    discovery?: object;
  } = {};
  return {
    kept,
    redirectUrl,
    clientMetadata: DOCUMENT,
    clientMetadataUrl,
    state: () => 'the-state',
    clientInformation: () => kept.information,
    saveClientInformation: (information: object) => {
      kept.information = information;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens: Tokens) => {
      kept.tokens = tokens;
    },
    /** Called if the service rejects the refresh token. The SDK then asks the user again. */
    invalidateCredentials: () => {
      delete kept.tokens;
    },
    codeVerifier: () => kept.verifier,
    saveCodeVerifier: (verifier: string) => {
      kept.verifier = verifier;
    },
    discoveryState: () => kept.discovery,
    saveDiscoveryState: (discovery: object) => {
      kept.discovery = discovery;
    },
    redirectToAuthorization: (address: URL) => {
      kept.address = address;
    },
  };
}

export interface Agent {
  readonly page: Page;
  readonly login: Local;
  /** URL of the MCP server. */
  readonly url: string;
  /** Folder with the packages of the MCP server. */
  readonly folder: string;
  readonly clientId: string;
  readonly logIn: (page: Page, login: Local, email: string) => Promise<void>;
}

export async function byAgent({ page, login, url, folder, clientId, logIn }: Agent): Promise<void> {
  const sdk = createRequire(join(folder, 'app.mjs'))('@modelcontextprotocol/client');
  const { Client, StreamableHTTPClientTransport, UnauthorizedError } = sdk;
  const { refreshAuthorization, startAuthorization } = sdk;

  const redirectUrl = await listen();
  const authProvider = createProvider(clientId, redirectUrl);
  const { kept } = authProvider;
  const address = new URL('/mcp', url);
  const transport = () => new StreamableHTTPClientTransport(address, { authProvider });
  const connected = async () => {
    const client = new Client({ name: 'agent', version: '1.0.0' });
    await client.connect(transport());
    return client;
  };
  const call = async (name: string) => (await (await connected()).callTool({ name })).content[0].text;
  const needsLogin = async (act: () => Promise<unknown>) => {
    await assert.rejects(act, UnauthorizedError);
    await page.goto(String(kept.address));
  };
  /** Completes the authorization with the code from the browser. */
  const finish = async () => {
    await page.waitForURL(({ href }) => href.startsWith(redirectUrl));
    await transport().finishAuth(new URL(page.url()).searchParams);
  };
  const listScopes = () => kept.tokens?.scope.split(' ').sort();
  const allow = () => page.getByRole('button', { name: 'Allow' }).click();
  const takePasskey = () =>
    page
      .getByRole('button', { name: /passkey/i })
      .first()
      .click();

  const { issuer, base_url } = login.environment;
  const metadata = await (await fetch(`${base_url}/oidc/.well-known/openid-configuration`)).json();
  const known = { metadata, clientInformation: { client_id: clientId }, resource: address };
  /** Requests authorization with `scope`, as a client that ignores the scope in the challenge. Returns the granted scope. */
  const askedBy = async (scope?: string) => {
    const more = { redirectUrl, scope, state: authProvider.state() };
    const started = await startAuthorization(issuer, { ...known, ...more });
    kept.verifier = started.codeVerifier;
    await page.goto(String(started.authorizationUrl));
    await allow();
    await finish();
    return kept.tokens?.scope;
  };

  // The agent is new: the user logs in and consents.
  await addAuthenticator(page);
  await needsLogin(connected);
  await logIn(page, login, 'agent@example.com');
  await page.getByText('an app on this device').waitFor();
  assert.deepEqual(
    [await page.locator('h1').innerText(), (await page.content()).includes('Your bank')],
    [`${new URL(clientId).host} asks for access`, false],
  );
  await allow();
  // After a login on a new device, the page offers to create a passkey. The passkey is used as a second factor later.
  await takePasskey();
  await finish();
  assert.deepEqual(listScopes(), ['notes:read', 'offline_access']);
  assert.equal(await call('read_notes'), 'Buy milk');

  // This tool requires a second factor. The SDK requests the tool's scope in addition to the granted scopes.
  await needsLogin(() => call('burn_notes'));
  await page.getByLabel('Burn your notes').check();
  await allow();
  await takePasskey();
  await finish();
  assert.deepEqual(listScopes(), ['notes:burn', 'notes:read', 'offline_access']);
  assert.equal(await call('burn_notes'), 'Burnt');
  assert.equal(await call('read_notes'), 'No notes');

  // Other clients request no scope, or also OpenID Connect scopes.
  assert.equal(await askedBy(), 'notes:read');
  assert.equal(await call('read_notes'), 'No notes');
  const withOpenId = 'openid offline_access notes:read';
  assert.equal(await askedBy(withOpenId), withOpenId);
  assert.equal(await call('read_notes'), 'No notes');
  await needsLogin(() => call('burn_notes'));
  await page.getByLabel('Burn your notes').check();
  await allow();
  await finish();
  assert.equal(await call('burn_notes'), 'Burnt');

  // The response to a refresh is lost, and the client sends the same refresh token again a minute later.
  const refreshToken = kept.tokens?.refresh_token;
  const refreshed = (): Promise<Tokens> => refreshAuthorization(issuer, { ...known, refreshToken });
  const lost = await refreshed();
  await login.clock.advance(60);
  const again = await refreshed();
  assert.equal(again.refresh_token, lost.refresh_token);
  kept.tokens = { ...kept.tokens, ...again };
  assert.equal(await call('read_notes'), 'No notes');

  // The user disconnects the agent. The API verifies access tokens offline, so the test replaces the access token.
  await page.goto(`${new URL(base_url).origin}/account`);
  await page.getByText(new URL(clientId).hostname).first().waitFor();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByText('App disconnected').waitFor();
  kept.tokens = { ...kept.tokens, access_token: 'spent' };
  await needsLogin(() => call('read_notes'));
  await page.getByRole('heading', { name: 'asks for access' }).waitFor();
}
