import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { readDevice } from '../../shared/domain/basis/client-attributes.ts';
import { omitUndefined } from '../../shared/domain/basis/omit-undefined.ts';
import { hashSecret, newSecret } from '../../shared/domain/basis/random.ts';
import { requireRedirectUri, requireShortState } from '../../shared/domain/basis/redirect-uri.ts';
import { requirePreference } from '../../shared/domain/credentials/login-preferences.ts';
import { linkLifetimeSeconds, openLinkUrl } from '../../shared/domain/credentials/magic-link.ts';
import { makeRequestId } from '../../shared/domain/credentials/request-id.ts';
import { sealTraces } from '../../shared/domain/credentials/sealed-traces.ts';
import { findHolderId, findOwner, readIdentifier } from '../../shared/domain/identifiers/identifier.ts';
import { countReportedAddress, reportedNetwork } from '../../shared/domain/rate-limits/address-window.ts';
import { countSend, recipientHash } from '../../shared/domain/rate-limits/send-window.ts';
import { emailRecipient, requireLinkable, storeAndDeliver } from '../../shared/domain/sending/delivery.ts';
import { unknownBackendUserError } from '../../shared/domain/users/sign-up.ts';
import { requireReachable } from '../../shared/domain/users/user-status.ts';
import { invalidInput } from '../../shared/errors/service-error.ts';
import { composeLinkMail, readEmailContent } from '../../shared/flows/sending/message.ts';
import { toAddressAuditContext } from '../../shared/flows/sending/message-facts.ts';
import type { OperationRequest, UseCase } from '../../shared/operation.ts';
import type { MagicLink } from '../../shared/ports/flows.ts';
import type { Identifier } from '../../shared/ports/people.ts';
import type * as rows from './rows.ts';

/** Returns the identifier of a request: `identifier` of the type `identifier_type`, or else the deprecated field `email`. */
function chooseIdentifier(json: OperationRequest<typeof rows.sendMagicLink>['json']): Identifier {
  const { identifier, identifier_type: type, email } = json;
  if (identifier !== undefined && type !== undefined) return readIdentifier(type, identifier);
  if (identifier !== undefined || type !== undefined) {
    const missing = identifier === undefined ? 'identifier' : 'identifier_type';
    throw invalidInput(`${missing}: is required`);
  }
  if (email === undefined) throw invalidInput('identifier: is required');
  return readIdentifier('email', email);
}

/**
 * Sends a link by email that leads to `redirect_uri` with a code. If the channel is `direct`, returns the link instead (SPEC
 * A1).
 */
export const sendMagicLink: UseCase<typeof rows.sendMagicLink> = async (
  { json, caller, request, settings, audit },
  ports,
) => {
  const { application, tenant, client } = caller;
  const { channel = 'email' } = json;
  const device = readDevice(json);
  audit({ ...device, channel });
  const identifier = chooseIdentifier(json);
  audit(toAddressAuditContext(tenant, identifier));
  const redirectUri = requireRedirectUri(application, json.redirect_uri);
  requireShortState(json.state);
  const preference = requirePreference(application, 'link');
  const lifetimeSeconds = linkLifetimeSeconds(preference, json.email_expiration);
  const content = readEmailContent(json.email_content);
  const requestId = makeRequestId(json.generate_request_id);

  const sender = { ...caller, settings, now: request.now };
  const [userId] = await awaitAll(
    findHolderId(ports, tenant, identifier),
    countReportedAddress(ports, sender, device),
  );
  if (userId === undefined) throw unknownBackendUserError(application, identifier);
  const counted = {
    channel: 'link',
    recipient: recipientHash(tenant, userId, identifier),
    requester: { kind: 'backend', network: reportedNetwork(caller, device) },
  } as const;
  const finding = findOwner(ports, tenant, identifier, userId).then((found) => {
    if (found) audit({ userId });
    return found;
  });
  const [user] = await awaitAll(finding, countSend(ports, sender, counted));
  if (!user) throw unknownBackendUserError(application, identifier);
  requireReachable(user);
  const recipient = channel === 'email' ? emailRecipient(tenant, user) : undefined;
  if (recipient) requireLinkable(recipient);

  const code = newSecret();
  const sentAt = request.now;
  const link = omitUndefined<MagicLink>({
    hash: hashSecret(code),
    userId: user.userId,
    tenantId: tenant.tenantId,
    applicationId: application.applicationId,
    clientId: client.clientId,
    redirectUri,
    state: json.state,
    requestIdHash: requestId?.hash,
    deliveredToHash: recipient?.ownHash,
    channel,
    interstitial: preference.interstitial || undefined,
    ...device,
    sentAt,
    expiresAt: sentAt + lifetimeSeconds,
  });
  const url = openLinkUrl(settings.browserOrigin, code);
  // The mail is composed before anything is stored, so that storing and sending can run in parallel.
  const message =
    recipient &&
    (await composeLinkMail(
      ports,
      {
        to: recipient.address,
        language: recipient.language,
        application,
        settings,
        requestId: request.requestId,
      },
      { url, content, lifetimeSeconds },
    ));
  audit(message?.auditContext ?? {});
  await storeAndDeliver({
    store: () => ports.links.put(sealTraces(code, link)),
    deliver: async () => audit((await message?.send({ userId })) ?? {}),
    onRefused: () => ports.links.revoke(link.hash),
  });
  audit({ sent: channel === 'direct' ? 'direct' : 'link' });
  return {
    json: {
      message: 'Email sent successfully',
      request_id: requestId?.value,
      ...(channel === 'direct' ? { link: url, code } : {}),
    },
  };
};
