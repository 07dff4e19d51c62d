import { afterAll, beforeAll } from '@jest/globals';
import { startTestServer, type TestServer, type TestServerOptions } from './test-server.ts';

/**
 * Starts a server for the tests of the calling file or block, available from its `beforeAll` on. The server is stopped after
 * the last test, which fails if any response violated its table row.
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
