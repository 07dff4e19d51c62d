import { lambda } from '../../shared/aws/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { pushRequest as operation } from '../hosted-login/rows.ts';
import { takePushedRequest } from './pushed-request.ts';

/** F. Pushed authorization request, answered with 200. */
export const useCase: UseCase<typeof operation> = async (input, ports) => ({
  json: await takePushedRequest(input, ports),
});

export const handler = lambda(operation, useCase);
