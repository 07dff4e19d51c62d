import { localKeys } from '../../../lib/local/demo.ts';
import { serveStandIns } from '../../../lib/local/emulators/server.ts';

/** The stand-ins for AWS in a process of their own, so that their CPU time is not taken for that of the functions. */
const { port } = await serveStandIns({ keys: localKeys });
process.send?.({ url: `http://127.0.0.1:${port}` });
process.once('disconnect', () => process.exit(0));
