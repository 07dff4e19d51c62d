import { hashSecret } from '../domain/basis/random.ts';
import {
  type ClientForm,
  invalidClient,
  readPresentedClient,
} from '../domain/oauth/client-authentication.ts';
import { findDocumentClient } from '../domain/oauth/client-document.ts';
import { parseConsentId } from '../domain/oauth/consent.ts';
import { findFamily, parseRefreshToken } from '../domain/sessions/refresh-token.ts';
import { escapeRequested, ServiceError } from '../errors/service-error.ts';
import type { AuditContext } from '../operation.ts';
import type { PortsWith } from '../ports/uses.ts';
import type { OAuthCaller } from './oauth-caller.ts';

type Ports = PortsWith<'applications' | 'tenants' | 'codes.find' | 'sessions.find' | 'consents.use'>;

interface DocumentRequest {
  readonly form: ClientForm & {
    readonly code?: string | undefined;
    readonly refresh_token?: string | undefined;
  };
  readonly request: {
    readonly now: number;
    readonly headers: Readonly<Record<string, string | undefined>>;
  };
  readonly audit: (context: AuditContext) => void;
}

/** Client, user and consent of the authorization code or refresh token that a client has presented. */
interface PresentedCredential {
  readonly userId: string;
  readonly clientId: string;
  readonly consentId?: string;
}

async function findPresented(
  ports: Ports,
  { form, request }: DocumentRequest,
): Promise<PresentedCredential | undefined> {
  if (form.code !== undefined) return ports.codes.find(hashSecret(form.code));
  const token = form.refresh_token === undefined ? undefined : parseRefreshToken(form.refresh_token);
  const found = token && (await findFamily(ports, token, request.now));
  return found && { ...found.family, userId: found.session.userId };
}

/**
 * Returns the ID of a client with a metadata document. Such a client sends its ID without a credential. Errors:
 * `invalid_client`, `system_invalid_input`.
 */
export function requireDocumentId({ form, request }: Pick<DocumentRequest, 'form' | 'request'>): string {
  const { method, clientId } = readPresentedClient(request.headers.authorization, form);
  if (method !== 'none') throw invalidClient({ unknownValue: escapeRequested(clientId ?? '') });
  return clientId;
}

/**
 * Authenticates a token request from a client with a metadata document. Such a client has no record, so its application is
 * found through the consent of its code or refresh token. Rejects an ended consent and records the use of a valid one. Errors:
 * `invalid_grant`, `invalid_client`, and `unauthorized_client` without a code or refresh token.
 */
export async function requireDocumentCaller(ports: Ports, input: DocumentRequest): Promise<OAuthCaller> {
  const { form, request, audit } = input;
  const clientId = requireDocumentId(input);
  if (form.code === undefined && form.refresh_token === undefined)
    throw new ServiceError('unauthorized_client');
  const presented = await findPresented(ports, input);
  if (presented?.consentId === undefined || presented.clientId !== clientId)
    throw new ServiceError('invalid_grant');
  const { userId, consentId } = presented;
  const consent = await ports.consents.use(userId, parseConsentId(consentId), request.now);
  if (!consent) throw new ServiceError('invalid_grant', { message: 'The user has ended the consent' });
  const { applicationId, tenantId } = consent;
  audit({ clientId, tenantId, applicationId });
  const [application, tenant] = await Promise.all([
    ports.applications.find(applicationId),
    ports.tenants.find(tenantId),
  ]);
  const found = findDocumentClient(clientId, application, tenant);
  if (!found) throw invalidClient({ unknownValue: escapeRequested(clientId), audit: { clientId, tenantId } });
  return { ...found, confirm: () => Promise.resolve(found.client) };
}
