import { afterAll, beforeAll } from '@jest/globals';
import { startTestServer, type TestServer, type TestServerOptions } from './test-server.ts';

/**
 * Starts a server in `beforeAll` of the calling file or block, and stops the server in `afterAll`. Fails at the end if any
 * response violated the operation table.
 */
export function useTestServer(options?: TestServerOptions): TestServer {
  const server = {} as TestServer;
  beforeAll(async () => {
    Object.assign(server, await startTestServer(options));
  });
  afterAll(async () => {
    await server.stop();
    server.expectNoViolations();
  });
  return server;
}
