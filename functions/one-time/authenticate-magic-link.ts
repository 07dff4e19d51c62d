import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { readDevice } from '../../shared/domain/basis/client-attributes.ts';
import { readClaimsRequest } from '../../shared/domain/claims/claims-request.ts';
import { checkMagicLink, useMagicLink } from '../../shared/domain/credentials/magic-link.ts';
import { isStillReachable } from '../../shared/domain/identifiers/proven-address.ts';
import { resolveAudience } from '../../shared/domain/sessions/audience.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { requireLoginSubject } from '../../shared/flows/login/backend-login.ts';
import { answerSentLogin, requireSentProof } from '../../shared/flows/login/sent-login.ts';
import type { UseCase } from '../../shared/operation.ts';
import type * as rows from './rows.ts';

/** Validates the code of a magic link and returns user tokens (SPEC A2). */
export const authenticateMagicLink: UseCase<typeof rows.authenticateMagicLink> = async (
  { json, caller, request, settings, audit },
  ports,
) => {
  const { application, tenant } = caller;
  const claims = readClaimsRequest(json.claims);
  const device = readDevice(json);
  audit(device);
  const [audience, link] = await awaitAll(
    resolveAudience(ports, caller, json.resource, settings),
    checkMagicLink(
      ports,
      {
        applicationId: application.applicationId,
        code: json.code,
        requestId: json.request_id,
      },
      request.now,
    ),
  );
  const { userId, deliveredToHash } = link;
  audit({ userId, channel: link.channel });
  const requireUser = async () => {
    const found = await requireLoginSubject(ports, { caller, json, request }, userId);
    if (!isStillReachable(tenant, found.user, deliveredToHash))
      throw new ServiceError('magic_link_code_invalid');
    const proofs = found.joined?.methods ?? [];
    const method = link.channel === 'direct' ? 'otp' : 'eml';
    const sent = { method, at: request.now, deliveredToHash, proofs } as const;
    return { ...found, ...(await requireSentProof(ports, caller, found.user, sent)) };
  };
  const presented = { code: json.code, link, at: request.now };
  return useMagicLink(ports, presented, requireUser(), (proof, person) => {
    audit({ verified: link.channel === 'direct' ? 'direct' : 'link' });
    return answerSentLogin(ports, {
      ...person,
      proof,
      audience,
      caller,
      settings,
      claims,
      device,
      audit,
    });
  });
};
