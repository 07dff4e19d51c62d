import { required } from '../../shared/aws/settings.ts';
import type { CreateBackground } from '../background.ts';
import { type NoticeMessage, tellAll } from './send-notices.ts';

/** Mails users about events of their account. SQS repeats the messages that failed. */
export const create: CreateBackground<'notices', { readonly Records: readonly NoticeMessage[] }> = (
  ports,
  env,
) => {
  const from = required(env, 'MAIL_FROM');
  return async ({ Records }) => {
    const failed = await tellAll(ports, from, Records);
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };
};
