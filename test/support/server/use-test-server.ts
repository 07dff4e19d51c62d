import { afterAll, beforeAll } from '@jest/globals';
import { startTestServer, type TestServer, type TestServerOptions } from './test-server.ts';

/**
 * Starts a server for the tests of the calling file or block, available from its `beforeAll` on. It is stopped after
 * the last test, which fails if any answer violated its row.
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
