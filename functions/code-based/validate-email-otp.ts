import { lambda } from '../../shared/aws/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { validateEmailOtp as operation } from './rows.ts';
import { validatePasscode } from './validate-passcode.ts';

/** C. Validates a passcode that was sent by email and tells where the browser goes on. */
export const useCase: UseCase<typeof operation> = async (input, ports) => {
  const result = await validatePasscode(ports, input, { type: 'email', value: input.json.email });
  return { json: { result } };
};

export const handler = lambda(operation, useCase);
