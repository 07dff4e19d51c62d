import { chmod, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What is in the folder cannot be read. */
export class CorruptError extends Error {
  override readonly name = 'CorruptError';
}

const DATABASE = 'dynamodb';
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** The path of the database. What is made in the folder, from now on by any thread, is for its owner alone. */
export async function openDataFolder(path: string): Promise<string> {
  const database = join(path, DATABASE);
  await mkdir(database, { recursive: true, mode: PRIVATE_FOLDER });
  await chmod(database, PRIVATE_FOLDER);
  const kept = await readdir(database);
  // Without its first file the database would begin anew, over the old one.
  if (kept.some((name) => /\.(?:ldb|log)$/.test(name)) && !kept.includes('CURRENT'))
    throw new CorruptError(`${DATABASE}/CURRENT is missing`);
  const own = (await readdir(path)).filter((name) => /\.jsonl?$/.test(name));
  const files = [...own.map((name) => join(path, name)), ...kept.map((name) => join(database, name))];
  await Promise.all(files.map((file) => chmod(file, PRIVATE_FILE)));
  return database;
}

interface Failure extends Partial<Error> {
  readonly code?: string;
}

const FULL = /ENOSPC|EDQUOT|EFBIG|no space left|quota exceeded|file too large/i;
const CORRUPT = /^(?:CorruptError|LEVEL_CORRUPTION|LEVEL_DECODING_ERROR)$/;

/** Why the folder cannot be used or goes on no more, for people. */
export function complaintOf(path: string, error: unknown): string {
  const { code = '', message = '', name = '', cause } = error as Failure;
  if (cause !== undefined) return complaintOf(path, cause);
  const folder = `DATA_DIR ${path}`;
  if (FULL.test(code) || FULL.test(message))
    return `${folder} is full: the server has ended, and what it had answered is kept. Make room and start again (${message}).`;
  if (CORRUPT.test(code) || CORRUPT.test(name))
    return `${folder} is corrupt: ${message}. Put a copy of it back, or name an empty folder.`;
  return `${folder} cannot be used: another server uses it, or it is not ours to write (${message}).`;
}
