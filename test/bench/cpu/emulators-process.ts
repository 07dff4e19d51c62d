import { localKeys } from '../../../lib/local/demo.ts';
import { serveEmulators } from '../../../lib/local/emulators/server.ts';

// The emulators run in a separate process, so that their CPU time is not attributed to the functions.

const { port } = await serveEmulators({ keys: localKeys });
process.send?.({ url: `http://127.0.0.1:${port}` });
process.on('message', () => process.send?.(process.cpuUsage()));
process.once('disconnect', () => process.exit(0));
