import { writeFile } from 'node:fs/promises';
import { OPENAPI_FILE, openApiText } from '../lib/build/openapi/file.ts';

await writeFile(OPENAPI_FILE, await openApiText());
