import { REFUSALS } from '../../../shared/domain/support/event-words.ts';
import type { SendRefusal } from '../../../shared/ports/audit.ts';
import type { Application } from '../../../shared/ports/directory.ts';
import type { HistoryEntry } from './history.ts';

/** A message that the service did not send, and why. */
export interface Unsent {
  readonly id: number;
  readonly created_at: string;
  readonly channel: string;
  /** Masked, as logs have it. */
  readonly to: string;
  readonly app_id: string;
  readonly refusal: string;
  readonly reason: string;
  /** What lets the next one go out, behind `otl`. */
  readonly command?: string;
}

/** Of the requests that are kept, oldest first. */
export async function unsentOf(
  entries: readonly HistoryEntry[],
  find: (applicationId: string) => Promise<Application | undefined>,
): Promise<readonly Unsent[]> {
  const refused = entries.filter(({ events }) => events.includes('message.refused'));
  return Promise.all(refused.map((entry) => unsentBy(entry, find)));
}

async function unsentBy(
  { id, at, log }: HistoryEntry,
  find: (applicationId: string) => Promise<Application | undefined>,
): Promise<Unsent> {
  const line = log.find(({ refusal }) => refusal !== undefined) ?? {};
  const text = (name: string) => String(line[name] ?? '');
  const [applicationId, refusal] = [text('application_id'), text('refusal')];
  const isClosed = refusal === 'no_user' && (await find(applicationId))?.publicSignup === false;
  return {
    id,
    created_at: at,
    channel: text('channel'),
    to: text('recipient'),
    app_id: applicationId,
    refusal,
    reason: REFUSALS[refusal as SendRefusal] ?? refusal,
    ...(isClosed && { command: `application update ${applicationId} --public-signup yes` }),
  };
}
