import { REFUSALS } from '../../../shared/domain/support/event-words.ts';
import type { SendRefusal } from '../../../shared/ports/audit.ts';
import type { Application } from '../../../shared/ports/directory.ts';
import type { HistoryEntry } from './history.ts';

/** Message that the service did not send, with the reason. */
export interface UnsentMessage {
  readonly id: number;
  readonly created_at: string;
  readonly channel: string;
  /** Masked recipient, as in the logs. */
  readonly to: string;
  readonly app_id: string;
  readonly refusal: string;
  readonly reason: string;
  /** Arguments of the `otl` command that makes the service send the next message. */
  readonly command?: string;
}

/** Returns the messages that the service refused to send, according to the request history, oldest first. */
export async function listUnsent(
  entries: readonly HistoryEntry[],
  find: (applicationId: string) => Promise<Application | undefined>,
): Promise<readonly UnsentMessage[]> {
  const refused = entries.filter(({ events }) => events.includes('message.refused'));
  return Promise.all(refused.map((entry) => describeUnsent(entry, find)));
}

async function describeUnsent(
  { id, at, log }: HistoryEntry,
  find: (applicationId: string) => Promise<Application | undefined>,
): Promise<UnsentMessage> {
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
