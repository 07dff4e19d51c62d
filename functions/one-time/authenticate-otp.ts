import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { readDevice } from '../../shared/domain/basis/client-attributes.ts';
import { readClaimsRequest } from '../../shared/domain/claims/claims-request.ts';
import {
  checkPasscode,
  listClientSlots,
  requireTrustedNumber,
  toAuthenticationMethod,
  usePasscode,
} from '../../shared/domain/credentials/one-time-code.ts';
import { hasIdentifier, readIdentifier } from '../../shared/domain/identifiers/identifier.ts';
import { identifierHash } from '../../shared/domain/identifiers/identifier-hash.ts';
import { isStillReachable } from '../../shared/domain/identifiers/proven-address.ts';
import { reportedNetwork } from '../../shared/domain/rate-limits/address-window.ts';
import { creditRange } from '../../shared/domain/rate-limits/sms-prefix-window.ts';
import { resolveAudience } from '../../shared/domain/sessions/audience.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { requireLoginSubject } from '../../shared/flows/login/backend-login.ts';
import { answerSentLogin, requireSentProof } from '../../shared/flows/login/sent-login.ts';
import type { UseCase } from '../../shared/operation.ts';
import type * as rows from './rows.ts';

/** Validates the passcode that was sent to an identifier and returns user tokens (SPEC A4). */
export const authenticateOtp: UseCase<typeof rows.authenticateOtp> = async (
  { json, caller, request, settings, audit },
  ports,
) => {
  const { application, tenant, client } = caller;
  const claims = readClaimsRequest(json.claims);
  const device = readDevice(json);
  audit(device);
  const identifier = readIdentifier(json.identifier_type, json.identifier);
  const audience = await resolveAudience(ports, caller, json.resource, settings);

  const checked = await checkPasscode(ports, {
    applicationId: application.applicationId,
    identifierHash: identifierHash(tenant, identifier),
    slots: listClientSlots(application, client.clientId, json.request_id),
    // Attempts of an attacker in another network must not lock the user out.
    network: reportedNetwork(caller, device),
    clientId: client.clientId,
    acrossClients: application.passcodesAcrossClients === true,
    purpose: 'one-time',
    passcode: json.passcode,
    at: request.now,
  });
  const { userId, channel, deliveredToHash } = checked.code;
  audit({ userId, channel });
  const requireUser = async () => {
    const found = await requireLoginSubject(ports, { caller, json, request }, userId);
    requireTrustedNumber(tenant, found.user, checked);
    if (!hasIdentifier(found.user, identifier) || !isStillReachable(tenant, found.user, deliveredToHash))
      throw new ServiceError('login_user_gone');
    const proofs = found.joined?.methods ?? [];
    const sent = { method: toAuthenticationMethod(channel), at: request.now, deliveredToHash, proofs };
    return { ...found, ...(await requireSentProof(ports, caller, found.user, sent)) };
  };
  return usePasscode(ports, { tenant, checked }, requireUser(), async (proof, person) => {
    audit({ verified: channel });
    const [answer] = await awaitAll(
      answerSentLogin(ports, {
        ...person,
        proof,
        audience,
        caller,
        settings,
        claims,
        device,
        audit,
      }),
      creditRange(ports, { application, settings, now: request.now }, checked.code),
    );
    return answer;
  });
};
