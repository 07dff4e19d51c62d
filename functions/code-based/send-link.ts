import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { omitUndefined } from '../../shared/domain/basis/omit-undefined.ts';
import { newSecret } from '../../shared/domain/basis/random.ts';
import { readApproval } from '../../shared/domain/credentials/approval-data.ts';
import { requirePreference } from '../../shared/domain/credentials/login-preferences.ts';
import { linkLifetimeSeconds } from '../../shared/domain/credentials/magic-link.ts';
import { mailedLinkUrl } from '../../shared/domain/credentials/mailed-link.ts';
import { findHolderId } from '../../shared/domain/identifiers/identifier.ts';
import { identifierHash } from '../../shared/domain/identifiers/identifier-hash.ts';
import { createAuthorizationCode } from '../../shared/domain/oauth/authorization-code.ts';
import {
  countReportedAddress,
  countReportedSignUp,
  reportedNetwork,
} from '../../shared/domain/rate-limits/address-window.ts';
import { countSend, recipientHash } from '../../shared/domain/rate-limits/send-window.ts';
import {
  readAddress,
  readCodeBasedRequest,
  requireAddressee,
} from '../../shared/domain/sending/code-based-login.ts';
import { requireLinkable, storeAndDeliver } from '../../shared/domain/sending/delivery.ts';
import { resolveAudience } from '../../shared/domain/sessions/audience.ts';
import { currentGeneration, FIRST_GENERATION } from '../../shared/domain/trust/generations.ts';
import { requireSignUp, sealSignUp } from '../../shared/domain/users/sign-up.ts';
import { composeLinkMail, readEmailContent } from '../../shared/flows/sending/message.ts';
import { toAddressAuditContext, toMessageSubject } from '../../shared/flows/sending/message-facts.ts';
import type { AuditContext, UseCase } from '../../shared/operation.ts';
import { codeBasedFacts, createCodeProof, requiresSecondFactor } from './login-code.ts';
import type * as rows from './rows.ts';

/** Sends a link by email that leads to `redirect_uri` with a code, which the caller's backend exchanges (SPEC C). */
export const sendCodeBasedLink: UseCase<typeof rows.sendCodeBasedLink> = async (
  { json, caller, request, settings, audit },
  ports,
) => {
  const { application, tenant } = caller;
  const { create_new_user: createNewUser } = json;
  const address = readAddress('email', json.email);
  audit(toAddressAuditContext(tenant, address.identifier));
  const wanted = readCodeBasedRequest(caller, json);
  const { userAgent, ipAddress, organizationId } = wanted;
  audit(omitUndefined<AuditContext>({ userAgent, ipAddress, channel: 'email' }));
  const lifetimeSeconds = linkLifetimeSeconds(requirePreference(application, 'link'), undefined);
  const content = readEmailContent(json.email_content);
  const approvalData = readApproval(json);

  const sender = { ...caller, settings, now: request.now };
  const [holderId] = await awaitAll(
    findHolderId(ports, tenant, address.identifier),
    resolveAudience(ports, caller, json.resource, settings),
    countReportedAddress(ports, sender, wanted),
  );
  if (holderId === undefined) requireSignUp(application, createNewUser);
  const counted = {
    channel: 'link',
    recipient: recipientHash(tenant, holderId, address.identifier),
    requester: { kind: 'backend', network: reportedNetwork(caller, wanted) },
  } as const;
  const [{ kind, userId, recipient, user }] = await awaitAll(
    requireAddressee(ports, caller, { ...address, holderId }, { createNewUser, organizationId, audit }),
    countSend(ports, sender, counted),
    countReportedSignUp(ports, sender, wanted, holderId),
  );
  requireLinkable(recipient);

  // A superseded address needs a second factor, whatever the application requests.
  const sent = { deliveredToHash: recipient.ownHash, at: request.now };
  const asked = user ? await requiresSecondFactor(ports, caller, user, sent) : false;
  const requireMfa = asked || wanted.requireMfa;
  const login = requireMfa ? { ...wanted, requireMfa } : wanted;
  const code = newSecret();
  const facts = codeBasedFacts(caller, login, {
    userId,
    methods: [createCodeProof(application, kind, 'email', { method: 'eml', at: request.now })],
    generation: user ? currentGeneration(user) : FIRST_GENERATION,
    deliveredToHash: recipient.ownHash,
    approvalData,
    sealedSignUp: kind === 'signUp' ? sealSignUp(code, { type: 'email', value: address.address }) : undefined,
  });
  const { record } = createAuthorizationCode(facts, request.now, lifetimeSeconds, code);
  // The mail is composed before anything is stored, so that storing and sending can run in parallel.
  const message = await composeLinkMail(
    ports,
    {
      to: recipient.address,
      language: recipient.language,
      application,
      settings,
      requestId: request.requestId,
    },
    { url: mailedLinkUrl(settings.browserOrigin, code), content, approvalData, lifetimeSeconds },
  );
  const subject = toMessageSubject({ kind, userId }, identifierHash(tenant, address.identifier));
  await storeAndDeliver({
    store: () => ports.codes.put(record),
    deliver: async () => audit(await message.send(subject)),
    onRefused: () => {
      const useUp = requireMfa ? ports.codes.spend : ports.codes.consume;
      return useUp(record.hash, request.now);
    },
  });
  audit({ sent: 'link' });
  return { json: { message: 'Email sent successfully' } };
};
