// Writes the API reference as a single HTML file, which a team can publish on its own site.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiReference } from '../lib/build/reference/api-reference.ts';
import { generateServiceDocument } from '../lib/build/service-document.ts';

const folder = join(import.meta.dirname, '../dist');
mkdirSync(folder, { recursive: true });
const path = join(folder, 'api.html');
writeFileSync(path, await apiReference(await generateServiceDocument()));
console.log(path);
