import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedPages } from '../lib/build/pages/generated-pages.ts';

for (const [path, make] of Object.entries(generatedPages))
  writeFileSync(join(import.meta.dirname, '..', path), make());
