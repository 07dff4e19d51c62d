import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { EventBus } from '../ports/events.ts';
import { CALL_SETTINGS } from './call-settings.ts';

/** Maximum number of events per call of EventBridge. */
const BATCH = 10;
const EVENT_SOURCE = 'one-time-login';

/**
 * Creates a publisher for EventBridge. If any event is rejected, the publisher throws, and the caller must publish all events
 * again.
 */
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
