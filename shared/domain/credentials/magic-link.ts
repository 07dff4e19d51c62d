import { ServiceError } from '../../errors/service-error.ts';
import type { MagicLink } from '../../ports/flows.ts';
import type { LinkPreference } from '../../ports/login-preferences.ts';
import type { Using } from '../../ports/uses.ts';
import { deviceOf } from '../basis/client-attributes.ts';
import { LINK_EXPIRES_MINUTES, LINK_EXPIRES_MINUTES_MAX } from '../basis/limits.ts';
import { hashSecret } from '../basis/random.ts';
import { withParameters } from '../basis/redirect-uri.ts';
import { type AuthenticationProof, provenBy } from './authentication-proof.ts';
import { readLifetime } from './passcode-settings.ts';
import { matchesRequestId } from './request-id.ts';
import { openTraces } from './sealed-traces.ts';

/**
 * Magic links. The link code has 256 bits and only its hash is stored. Opening a link never writes, because mail scanners
 * open links before people do; only authenticate consumes it.
 */

const OPEN_LINK_PATH = '/v1/auth/link/email/open';

export function linkLifetimeSeconds(preference: LinkPreference, emailExpiration: number | undefined): number {
  const minutes = emailExpiration ?? preference.expiresMinutes ?? LINK_EXPIRES_MINUTES;
  return readLifetime('email_expiration', minutes, LINK_EXPIRES_MINUTES_MAX);
}

export function openLinkUrl(browserOrigin: string, code: string): string {
  return withParameters(`${browserOrigin}${OPEN_LINK_PATH}`, { code });
}

/** Where opening a link leads: to the caller with the code, or with the error when the link is spent or too old. */
export function destinationOf(
  link: Pick<MagicLink, 'consumedAt' | 'expiresAt' | 'redirectUri' | 'state'>,
  code: string,
  now: number,
): { readonly alive: boolean; readonly url: string } {
  const alive = link.consumedAt === undefined && link.expiresAt > now;
  const url = alive
    ? withParameters(link.redirectUri, { code, state: link.state })
    : withParameters(link.redirectUri, {
        error: 'invalid_link',
        error_description: 'The link has expired or was used already',
        state: link.state,
      });
  return { alive, url };
}

function badLink({ userId, channel }: MagicLink): ServiceError {
  return new ServiceError('magic_link_code_invalid', { audit: { userId, channel } });
}

/** One answer for an unknown, expired, used or foreign code and for a wrong request ID: nothing is told apart. */
export async function checkMagicLink(
  ports: Using<'links.find'>,
  presented: {
    readonly applicationId: string;
    readonly code: string;
    readonly requestId: string | undefined;
  },
  now: number,
): Promise<MagicLink> {
  const stored = await ports.links.find(hashSecret(presented.code));
  const link = stored && openTraces(presented.code, stored);
  if (link?.applicationId !== presented.applicationId) throw new ServiceError('magic_link_code_invalid');
  const valid =
    link.consumedAt === undefined &&
    link.expiresAt > now &&
    matchesRequestId(link.requestIdHash, presented.requestId);
  if (!valid) throw badLink(link);
  return link;
}

/** Uses the link up; of many callers exactly one gets past this line. Errors: `magic_link_code_invalid`. */
export async function consumeMagicLink(
  ports: Using<'links.consume'>,
  link: MagicLink,
  at: number,
): Promise<AuthenticationProof> {
  if (!(await ports.links.consume(link.hash, at))) throw badLink(link);
  return provenBy({
    method: link.channel === 'direct' ? 'otp' : 'eml',
    at,
    ...(link.deliveredToHash === undefined ? {} : { deliveredToHash: link.deliveredToHash }),
    device: deviceOf(link),
  });
}
