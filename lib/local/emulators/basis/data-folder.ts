import { chmod, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Error for a data folder whose files are incomplete or unreadable. */
export class CorruptError extends Error {
  override readonly name = 'CorruptError';
}

const DATABASE = 'dynamodb';
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/**
 * Creates the data folder if it does not exist and makes its files accessible only to their owner. Returns the path of the
 * database. The database folder is private, so files that any thread creates there later are also protected.
 */
export async function openDataFolder(path: string): Promise<string> {
  const database = join(path, DATABASE);
  await mkdir(database, { recursive: true, mode: PRIVATE_FOLDER });
  await chmod(database, PRIVATE_FOLDER);
  const kept = await readdir(database);
  // If the file CURRENT is missing, LevelDB would create an empty database over the existing one.
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

/** Explains to the user why the data folder cannot be used, or why the server had to stop, and what to do about it. */
export function explainFailure(path: string, error: unknown): string {
  const { code = '', message = '', name = '', cause } = error as Failure;
  if (cause !== undefined) return explainFailure(path, cause);
  const folder = `DATA_DIR ${path}`;
  if (FULL.test(code) || FULL.test(message))
    return `${folder} is full: the server has stopped, and everything that it has confirmed is saved. Free some space and start it again (${message}).`;
  if (CORRUPT.test(code) || CORRUPT.test(name))
    return `${folder} is corrupt: ${message}. Restore it from a backup, or use an empty folder.`;
  return `${folder} cannot be used: another server uses it, or write access is denied (${message}).`;
}
