import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { EventBus } from '../ports/events.ts';
import { CALL_SETTINGS } from './call-settings.ts';

/** The most that EventBridge takes in one call. */
const BATCH = 10;
const EVENT_SOURCE = 'one-time-login';

/** Publishes on EventBridge. Throws when any event was rejected; then all of them come again. */
export function eventBus(name: string): EventBus {
  const client = new EventBridgeClient(CALL_SETTINGS);
  return {
    async publish(events) {
      for (let from = 0; from < events.length; from += BATCH) {
        const { FailedEntryCount } = await client.send(
          new PutEventsCommand({
            Entries: events.slice(from, from + BATCH).map((event) => ({
              EventBusName: name,
              Source: EVENT_SOURCE,
              DetailType: event.type,
              Time: new Date(event.time),
              Detail: JSON.stringify(event),
            })),
          }),
        );
        if (FailedEntryCount) throw new Error(`EventBridge did not take ${FailedEntryCount} events`);
      }
    },
  };
}
