import { required } from '../../shared/aws/settings.ts';
import type { CreateBackground } from '../background.ts';
import { type NoticeMessage, tellAll } from './send-notices.ts';

/** Tells users by mail what happened to their account. What could not be sent comes again. */
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
