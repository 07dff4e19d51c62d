import { connectEmulators } from '../../../lib/local/emulators/start.ts';
import { startLocalServer } from '../../../lib/local/start.ts';

/** The service, with the emulators of AWS in the process that is named: what they take is AWS's to pay in a deployment. */
const emulated = connectEmulators(process.argv[2] ?? '');
const server = await startLocalServer({
  port: 0,
  rateLimits: 'off',
  emulators: async () => ({ ...emulated, stop: async () => undefined }),
});
process.on('message', () => process.send?.(process.cpuUsage()));
process.once('disconnect', () => process.exit(0));
process.send?.({ url: server.url, redirectUri: server.demoUris.redirectUris[0] });
