import { join } from 'node:path';
import { buildClientPackage } from '../lib/build/client/package.ts';

await buildClientPackage(join(import.meta.dirname, '../dist/client'));
