import { join } from 'node:path';
import { buildPackage } from '../lib/build/package.ts';

// Writes the folder that `npm pack` packs.
const root = join(import.meta.dirname, '..');
await buildPackage(root, join(root, 'dist/package'));
