import { resolveAudience } from '../../shared/domain/audience.ts';
import { readClaimsRequest } from '../../shared/domain/claims-request.ts';
import { readDevice } from '../../shared/domain/client-attributes.ts';
import { carries, readIdentifier } from '../../shared/domain/identifier.ts';
import {
  checkPasscode,
  codeKey,
  consumePasscode,
  orRefund,
  requireTrustedNumber,
} from '../../shared/domain/one-time-code.ts';
import { isStillReachable } from '../../shared/domain/proven-address.ts';
import { payForSms } from '../../shared/domain/sms-prefix-window.ts';
import { together } from '../../shared/domain/together.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { requirePerson } from '../../shared/tokens/backend-login.ts';
import { authenticateOtp as operation } from '../rows/one-time.ts';
import { answerSentLogin } from './login.ts';

/** A4. Validates the passcode sent to an identifier and returns user tokens. */
export const useCase: UseCase<typeof operation> = async ({ json, caller, settings, audit }, ports) => {
  const { application, tenant, client } = caller;
  const claims = readClaimsRequest(json.claims);
  const device = readDevice(json);
  audit(device);
  const identifier = readIdentifier(json.identifier_type, json.identifier);
  const audience = await resolveAudience(ports, caller, json.resource, settings);

  const checked = await checkPasscode(ports, {
    key: codeKey(tenant, application, identifier),
    clientId: client.clientId,
    acrossClients: application.passcodesAcrossClients === true,
    purpose: 'one-time',
    passcode: json.passcode,
    requestId: json.request_id,
  });
  const { userId, channel } = checked.code;
  audit({ userId, channel });
  const person = await orRefund(ports, checked, requirePerson(ports, caller, userId, json));
  const { user } = person;
  requireTrustedNumber(tenant, user, checked);
  if (!carries(user, identifier) || !isStillReachable(tenant, user, checked.code.deliveredToHash))
    throw new ServiceError('login_user_gone');
  const proof = await orRefund(ports, checked, consumePasscode(ports, checked));
  audit({ verified: channel });
  const [answer] = await together(
    answerSentLogin(ports, { ...person, proof, audience, caller, settings, claims, device, audit }),
    payForSms(ports, application.applicationId, checked.code, settings),
  );
  return answer;
};

export const handler = lambda(operation, useCase);
