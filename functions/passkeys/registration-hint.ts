import { lambda } from '../../shared/aws/lambda.ts';
import { startEnrolment } from '../../shared/domain/hosted-login/enrolment.ts';
import type { UseCase } from '../../shared/operation.ts';
import { hintPasskeyRegistration as operation } from './rows.ts';

/** The token with which a client sends its user to the hosted page that registers a passkey. */
export const useCase: UseCase<typeof operation> = async ({ json, caller, settings, audit }, ports) => {
  const { token, userId } = await startEnrolment(ports, caller, json, settings);
  audit({ userId });
  return { json: { register_webauthn_cred_token: token } };
};

export const handler = lambda(operation, useCase);
