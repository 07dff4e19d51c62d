import { lambda } from '../../shared/aws/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { jwks as publicKeys } from '../../shared/tokens/verify.ts';
import { jwks as operation } from './rows.ts';

/** The public keys of all states, so that verifiers know the next key before it signs (RFC 7517 §5). */
export const useCase: UseCase<typeof operation> = async (_input, { signingKeys }) => ({
  json: publicKeys(await signingKeys.list()),
});

export const handler = lambda(operation, useCase);
