import { SNSClient } from '@aws-sdk/client-sns';
import { CALL_SETTINGS } from '../../shared/aws/call-settings.ts';
import type { CreateBackground } from '../background.ts';
import { answerCustomResource, type CustomResourceEvent } from './custom-resource.ts';
import { setSpendLimit } from './spend-limit.ts';

const PHYSICAL_ID = 'sms-settings';

/**
 * The function of the custom resource `SmsSettings`. Its property `MonthlySpendLimit` is in US dollars; the attribute `Told`
 * is the limit in force. A deletion changes nothing: the limit on fraud outlives the stack.
 */
export const create: CreateBackground<'sms-settings', CustomResourceEvent> = () => (event) =>
  answerCustomResource(event, PHYSICAL_ID, async () => ({
    Told: await setSpendLimit(
      new SNSClient(CALL_SETTINGS),
      Number(event.ResourceProperties.MonthlySpendLimit),
    ),
  }));
