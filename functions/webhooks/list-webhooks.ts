import { lambda } from '../../shared/aws/lambda.ts';
import { listRecord, readPageQuery } from '../../shared/domain/basis/paging.ts';
import { listWebhooks, webhookRecord } from '../../shared/domain/management/webhooks.ts';
import type { UseCase } from '../../shared/operation.ts';
import { listWebhooks as operation } from './rows.ts';

/** Lists the webhooks of the tenant. */
export const useCase: UseCase<typeof operation> = async ({ query, caller }, ports) => {
  const page = await listWebhooks(ports, caller.tenant, readPageQuery(query));
  return { json: listRecord(page, (webhook) => webhookRecord(webhook)) };
};
export const handler = lambda(operation, useCase);
