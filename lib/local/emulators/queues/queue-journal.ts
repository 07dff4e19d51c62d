import * as v from 'valibot';
import { JsonFile } from '../basis/kept-file.ts';

const EntrySchema = v.object({
  queue: v.string(),
  id: v.string(),
  /** State of the message; undefined once the message has been deleted from the queue. */
  message: v.optional(
    v.object({ body: v.string(), visibleAt: v.number(), receives: v.number(), dead: v.boolean() }),
  ),
});
export type JournalEntry = v.InferOutput<typeof EntrySchema>;
type UnfinishedEntry = JournalEntry & { readonly message: NonNullable<JournalEntry['message']> };

/** Append-only file with one line for each change of a message, so that unfinished messages survive a restart or `kill -9`. */
export class QueueJournal {
  readonly #file: JsonFile;

  private constructor(file: JsonFile) {
    this.#file = file;
  }

  /** Opens the journal. Returns the journal and the unfinished messages, oldest first. Without a path, nothing is stored. */
  static async open(path?: string): Promise<[QueueJournal, readonly UnfinishedEntry[]]> {
    const file = new JsonFile(path);
    const living = new Map<string, UnfinishedEntry>();
    for (const { message, ...entry } of await file.readLines(EntrySchema))
      if (message) living.set(entry.id, { ...entry, message });
      else living.delete(entry.id);
    const kept = [...living.values()];
    await file.writeLines(kept);
    return [new QueueJournal(file), kept];
  }

  async append(entries: readonly JournalEntry[]): Promise<void> {
    if (entries.length > 0) await this.#file.append(entries);
  }
}
