import { writeFile } from 'node:fs/promises';
import { OPENAPI_FILE, openApiText } from '../lib/openapi/file.ts';

await writeFile(OPENAPI_FILE, await openApiText());
