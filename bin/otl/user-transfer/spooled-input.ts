import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/**
 * Calls `run` with the path of a file. Copies standard input (`-`) to a temporary file, because the import reads its input
 * twice.
 */
export async function withFile<Result>(
  file: string,
  run: (path: string) => Promise<Result>,
): Promise<Result> {
  if (file !== '-') return run(file);
  const folder = mkdtempSync(join(tmpdir(), 'otl-'));
  try {
    const path = join(folder, 'input');
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }));
    return await run(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
