import { lambda } from '../../shared/aws/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { pushRequestRfc9126 as operation } from '../hosted-login/rows.ts';
import { takePushedRequest } from './pushed-request.ts';

/** RFC 9126. Pushed authorization request, answered with 201. */
export const useCase: UseCase<typeof operation> = async (input, ports) => ({
  json: await takePushedRequest(input, ports),
});

export const handler = lambda(operation, useCase);
