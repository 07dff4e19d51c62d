import { appendFile, open, readFile, rename } from 'node:fs/promises';
import { basename } from 'node:path';
import * as v from 'valibot';
import { CorruptError } from './data-folder.ts';

const toLines = (entries: readonly object[]) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');

/**
 * JSON file in the data folder, whose writes run one after the other. Without a path, writes store nothing and reads find
 * nothing.
 */
export class JsonFile {
  readonly #path: string | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string | undefined) {
    this.#path = path;
  }

  /** Reads the JSON content. Returns the default if there is no file. Throws a `CorruptError` if the content is invalid. */
  async read<Schema extends v.GenericSchema>(
    schema: Schema,
    otherwise: v.InferOutput<Schema>,
  ): Promise<v.InferOutput<Schema>> {
    const content = await this.#content();
    return content === undefined ? otherwise : this.#parse(schema, content);
  }

  /** Reads all entries of a JSON Lines file. Ignores an incomplete last line, because a `kill -9` can interrupt a write. */
  async readLines<Schema extends v.GenericSchema>(schema: Schema): Promise<v.InferOutput<Schema>[]> {
    const lines = ((await this.#content()) ?? '').split('\n').slice(0, -1);
    return lines.map((line) => this.#parse(schema, line));
  }

  write(content: object): Promise<void> {
    return this.#next((path) => writeFileAtomically(path, JSON.stringify(content)));
  }

  writeLines(entries: readonly object[]): Promise<void> {
    return this.#next((path) => writeFileAtomically(path, toLines(entries)));
  }

  append(entries: readonly object[]): Promise<void> {
    return this.#next((path) => appendFile(path, toLines(entries)));
  }

  async #content(): Promise<string | undefined> {
    return this.#path === undefined ? undefined : readFileIfThere(this.#path);
  }

  #parse<Schema extends v.GenericSchema>(schema: Schema, text: string): v.InferOutput<Schema> {
    const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
    if (!success) throw new CorruptError(`${basename(this.#path ?? '')} cannot be read`);
    return output;
  }

  #next(work: (path: string) => Promise<void>): Promise<void> {
    const path = this.#path;
    if (path === undefined) return Promise.resolve();
    this.#writing = this.#writing.then(() => work(path)).catch(endThread);
    return this.#writing;
  }
}

/**
 * Ends the thread after a failed write, and never settles. The server therefore does not confirm data that was not saved, and
 * appends nothing after an incomplete line. A line appended there would make the file unreadable.
 */
function endThread(error: unknown): Promise<never> {
  setImmediate(() => {
    throw error;
  });
  return Promise.race([]);
}

/** Replaces a file atomically. A reader, or a server that restarts after `kill -9`, finds either the old or the new content. */
async function writeFileAtomically(path: string, content: string): Promise<void> {
  const temporary = `${path}.tmp`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}

async function readFileIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
