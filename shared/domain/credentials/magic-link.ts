// Magic links. The code has 256 bits, and only its hash is stored. Opening a link writes nothing, because mail scanners open
// links as well. Only authenticating consumes the link.
import { ServiceError } from '../../errors/service-error.ts';
import type { MagicLink } from '../../ports/flows.ts';
import type { LinkPreference } from '../../ports/login-preferences.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { pickDevice } from '../basis/client-attributes.ts';
import { LINK_EXPIRES_MINUTES, LINK_EXPIRES_MINUTES_MAX } from '../basis/limits.ts';
import { hashSecret } from '../basis/random.ts';
import { addParameters } from '../basis/redirect-uri.ts';
import {
  type AuthenticationProof,
  consumeInParallel,
  createConsumption,
  provenBy,
  restoreOnFailure,
} from './authentication-proof.ts';
import { readLifetime } from './passcode-settings.ts';
import { matchesRequestId } from './request-id.ts';
import { sealTraces, unsealTraces } from './sealed-traces.ts';

export const OPEN_LINK_PATH = '/v1/auth/link/email/open';

export function linkLifetimeSeconds(preference: LinkPreference, emailExpiration: number | undefined): number {
  const minutes = emailExpiration ?? preference.expiresMinutes ?? LINK_EXPIRES_MINUTES;
  return readLifetime('email_expiration', minutes, LINK_EXPIRES_MINUTES_MAX);
}

export function openLinkUrl(browserOrigin: string, code: string): string {
  return addParameters(`${browserOrigin}${OPEN_LINK_PATH}`, { code });
}

/** Returns a link's redirect URL at `now` (epoch seconds), with the code, or with an error if the code is used or expired. */
export function buildLinkDestination(
  link: Pick<MagicLink, 'consumedAt' | 'expiresAt' | 'redirectUri' | 'state'>,
  code: string,
  now: number,
): { readonly alive: boolean; readonly url: string } {
  const alive = link.consumedAt === undefined && link.expiresAt > now;
  const url = alive
    ? addParameters(link.redirectUri, { code, state: link.state })
    : addParameters(link.redirectUri, {
        error: 'invalid_link',
        error_description: 'The link has expired or was used already',
        state: link.state,
      });
  return { alive, url };
}

function badLink({ userId, channel }: MagicLink): ServiceError {
  return new ServiceError('magic_link_code_invalid', { audit: { userId, channel } });
}

/**
 * Finds a valid link at `now` (epoch seconds). The error is the same for unknown, expired and used codes, codes of another
 * application and wrong request IDs. Errors: `magic_link_code_invalid`.
 */
export async function checkMagicLink(
  ports: PortsWith<'links.find'>,
  presented: {
    readonly applicationId: string;
    readonly code: string;
    readonly requestId: string | undefined;
  },
  now: number,
): Promise<MagicLink> {
  const stored = await ports.links.find(hashSecret(presented.code));
  const link = stored && unsealTraces(presented.code, stored);
  if (link?.applicationId !== presented.applicationId) throw new ServiceError('magic_link_code_invalid');
  const valid =
    link.consumedAt === undefined &&
    link.expiresAt > now &&
    matchesRequestId(link.requestIdHash, presented.requestId);
  if (!valid) throw badLink(link);
  return link;
}

async function consumeLink(
  ports: PortsWith<'links.consume'>,
  link: MagicLink,
  at: number,
  holder: string,
): Promise<AuthenticationProof> {
  if (!(await ports.links.consume(link.hash, at, holder))) throw badLink(link);
  return provenBy({
    method: link.channel === 'direct' ? 'otp' : 'eml',
    at,
    ...(link.deliveredToHash === undefined ? {} : { deliveredToHash: link.deliveredToHash }),
    device: pickDevice(link),
  });
}

/**
 * Consumes a magic link at `at` (epoch seconds) in parallel with look-ups, and logs in with it. If a look-up rejects the
 * request or the service fails, the link is restored. Exactly one of several concurrent callers succeeds. Errors: those of the
 * look-ups, then `magic_link_code_invalid`.
 */
export function useMagicLink<T, Answer>(
  ports: PortsWith<'links.consume' | 'links.undoConsume'>,
  { code, link, at }: { readonly code: string; readonly link: MagicLink; readonly at: number },
  lookingUp: Promise<T>,
  logIn: (proof: AuthenticationProof, found: T) => Promise<Answer>,
): Promise<Answer> {
  const consumption = createConsumption((holder) => ports.links.undoConsume(sealTraces(code, link), holder));
  return restoreOnFailure(consumption, async () => {
    const { proof, result } = await consumeInParallel(
      consumption,
      consumeLink(ports, link, at, consumption.holder),
      lookingUp,
    );
    return logIn(proof, result);
  });
}
