import { isServiceScope, SCOPES } from '../../../shared/domain/claims/scope-claims.ts';
import { splitWords } from '../../../shared/domain/oauth/authorization-request.ts';
import { catalogue } from '../../../shared/errors/catalogue.ts';
import { escapeRequested } from '../../../shared/errors/service-error.ts';
import { TOKEN_FAULT_MESSAGES } from '../../../shared/tokens/challenges.ts';
import type { PlainRequest } from '../events.ts';
import type { Answer } from '../gateway.ts';
import type { Match } from '../routes.ts';
import { createDirectoryPorts } from '../seed.ts';

// Hints for developers: each names the command that makes the service accept a request. Deployed functions send no hints.

export const FIRST_ERROR_STATUS = 400;

const MAKE_CLIENT = 'npm run otl -- client create --app <app_id> --name <name>';
const ADD_ORIGIN = 'npm run otl -- application update <app_id> --origin <origin>';

/** Commands that fix the cause of a rejected request, keyed by a text in the error response. */
const COMMANDS: readonly (readonly [words: string, command: string])[] = [
  [
    catalogue.redirect_uri_not_allowed.message,
    'npm run otl -- application add-redirect-uri <app_id> --uri <uri>',
  ],
  [TOKEN_FAULT_MESSAGES.origin, ADD_ORIGIN],
  [catalogue.invalid_client.message, MAKE_CLIENT],
  ['client_id: is unknown', MAKE_CLIENT],
];

function readHeader({ rawHeaders }: PlainRequest, name: string): string | undefined {
  const at = rawHeaders.findIndex((each, index) => index % 2 === 0 && each.toLowerCase() === name);
  return at < 0 ? undefined : rawHeaders[at + 1];
}

function findClient(request: PlainRequest, named: string | null) {
  const [, basic = ''] = /^Basic (\S+)$/i.exec(readHeader(request, 'authorization') ?? '') ?? [];
  const [authenticated = ''] = Buffer.from(basic, 'base64').toString('utf8').split(':');
  return createDirectoryPorts().clientRecords.find(named ?? authenticated);
}

/** Returns a hint that names the scopes that the service drops from an authorization request without an error. */
async function droppedScopes(request: PlainRequest): Promise<string | undefined> {
  const { method, target, body } = request;
  const sent = method === 'POST' ? Buffer.from(body).toString('utf8') : target.split('?')[1];
  const parameters = new URLSearchParams(sent);
  const requestedScopes = splitWords(parameters.get('scope') ?? '');
  const otherScopes = requestedScopes.filter((name) => !isServiceScope(name));
  const isOffline =
    requestedScopes.includes('offline_access') && !parameters.get('prompt')?.includes('consent');
  if (otherScopes.length === 0 && !isOffline) return undefined;
  const client = await findClient(request, parameters.get('client_id'));
  if (!client) return undefined;
  const { items } = await createDirectoryPorts().resourceRecords.list(client.tenantId, { limit: 100 });
  const ofResources = items.flatMap(({ scopes = [] }) => scopes.map(({ name }) => name));
  const unknown = otherScopes.filter((name) => !ofResources.includes(name));
  if (unknown.length > 0)
    return `scope: ${escapeRequested(unknown.join('+'))} is dropped; known are ${SCOPES.join(', ')} and those of resources`;
  return isOffline && client.offlineAccessNeedsConsent
    ? `scope: offline_access is dropped without prompt=consent: npm run otl -- client update ${client.clientId} --offline-access-needs-consent no`
    : undefined;
}

/** Returns the hint for a response: a command that fixes the error, the dropped scopes, or the missing CORS origin. */
export async function findHint(
  { row }: Match,
  request: PlainRequest,
  { status, headers, body }: Answer,
): Promise<string | undefined> {
  if (status < FIRST_ERROR_STATUS) {
    if (row.section === 'F') return droppedScopes(request);
    const origin = readHeader(request, 'origin');
    const isShut = row.cors === 'application' && !headers['access-control-allow-origin'];
    return isShut && origin
      ? `${TOKEN_FAULT_MESSAGES.origin}: ${escapeRequested(origin)}: ${ADD_ORIGIN}`
      : undefined;
  }
  const answerText = `${headers['www-authenticate'] ?? ''}${headers['content-type']?.includes('html') ? '' : body}`;
  return COMMANDS.find(([words]) => answerText.includes(words))?.[1];
}
