import { appendFile, open, readFile, rename } from 'node:fs/promises';
import { basename } from 'node:path';
import * as v from 'valibot';
import { CorruptError } from './data-folder.ts';

const linesOf = (entries: readonly object[]) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');

/** A file of the data folder, whose writes come one after the other. Without a path nothing is kept. */
export class KeptFile {
  readonly #path: string | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string | undefined) {
    this.#path = path;
  }

  /** What `write` wrote; the default without a file. */
  async read<Schema extends v.GenericSchema>(
    schema: Schema,
    otherwise: v.InferOutput<Schema>,
  ): Promise<v.InferOutput<Schema>> {
    const content = await this.#content();
    return content === undefined ? otherwise : this.#parse(schema, content);
  }

  /** The lines. The last one may be torn by a `kill -9`; it is dropped. */
  async readLines<Schema extends v.GenericSchema>(schema: Schema): Promise<v.InferOutput<Schema>[]> {
    const lines = ((await this.#content()) ?? '').split('\n').slice(0, -1);
    return lines.map((line) => this.#parse(schema, line));
  }

  write(content: object): Promise<void> {
    return this.#next((path) => writeFileAtomically(path, JSON.stringify(content)));
  }

  writeLines(entries: readonly object[]): Promise<void> {
    return this.#next((path) => writeFileAtomically(path, linesOf(entries)));
  }

  append(entries: readonly object[]): Promise<void> {
    return this.#next((path) => appendFile(path, linesOf(entries)));
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

/** What cannot be kept is not answered, and nothing is written after it: a line behind half a line could not be read. */
function endThread(error: unknown): Promise<never> {
  setImmediate(() => {
    throw error;
  });
  return Promise.race([]);
}

/** Replaces the file as a whole: a reader, or a start after `kill -9`, sees the old content or the new one. */
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
