import { afterAll, beforeAll } from '@jest/globals';
import { startTestServer, type TestServer, type TestServerOptions } from './test-server.ts';

/**
 * A server for the tests of the file or block that calls it: there from its `beforeAll` on, and stopped behind the last of
 * them, which then fails where an answer was not as its row promises.
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
