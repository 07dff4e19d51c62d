import { ChangeMessageVisibilityCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { DeliveryQueue } from '../ports/events.ts';
import { CALL_SETTINGS } from './call-settings.ts';

/** Maximum number of messages per call of SQS. */
const BATCH = 10;

export function deliveryQueue(url: string): DeliveryQueue {
  const client = new SQSClient(CALL_SETTINGS);
  return {
    async send(bodies) {
      for (let from = 0; from < bodies.length; from += BATCH) {
        const entries = bodies.slice(from, from + BATCH);
        const { Failed = [] } = await client.send(
          new SendMessageBatchCommand({
            QueueUrl: url,
            Entries: entries.map((MessageBody, index) => ({ Id: String(index), MessageBody })),
          }),
        );
        if (Failed.length > 0) throw new Error(`SQS did not take ${Failed.length} messages`);
      }
    },

    async delay(ReceiptHandle, VisibilityTimeout) {
      await client.send(
        new ChangeMessageVisibilityCommand({ QueueUrl: url, ReceiptHandle, VisibilityTimeout }),
      );
    },
  };
}
