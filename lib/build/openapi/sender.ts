import type { GenericSchema } from 'valibot';
import { SenderAnswer, SenderRequest } from '../../../shared/schemas/events/deliveries.ts';
import { COMPONENTS } from './json-schemas.ts';

/** Names of the schemas of sender functions. No operation of the API uses these schemas. */
export const senderBodies: ReadonlyMap<GenericSchema, string> = new Map<GenericSchema, string>([
  [SenderRequest, 'SenderRequest'],
  [SenderAnswer, 'SenderAnswer'],
]);

const json = (schema: string) => ({ 'application/json': { schema: { $ref: COMPONENTS + schema } } });

/**
 * OpenAPI description of an operator's Lambda function that sends messages. Its request is the event of the invocation, and its
 * response is the function's result.
 */
export const senderWebhook = {
  sender: {
    post: {
      operationId: 'sender',
      tags: ['users'],
      security: [],
      summary: 'Lambda function of the operator that sends messages in place of SES or SNS',
      description:
        'The service invokes the function once for each message: the request is the event of the invocation, and the response is its result. No HTTP request is made.',
      requestBody: { required: true, content: json('SenderRequest') },
      responses: { 200: { description: 'Outcome of the message', content: json('SenderAnswer') } },
    },
  },
};
