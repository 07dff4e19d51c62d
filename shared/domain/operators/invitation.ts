import { ServiceError } from '../../errors/service-error.ts';
import type { GrantName, Invitation, OperatorGrant } from '../../ports/operators.ts';
import type { Using } from '../../ports/uses.ts';
import { changeRecord } from '../basis/change-record.ts';
import { grantId } from '../basis/operators.ts';
import { equalSecrets, hashSecret, newSecret } from '../basis/random.ts';

/** The link of an invitation: it counts once, in the browser in which its button was pressed first. */

export const INVITATION_HOURS = 24;
const INVITATION_SECONDS = INVITATION_HOURS * 3600;

type RecordPorts = Using<'operatorRecords.find' | 'operatorRecords.replace'>;

/** A grant with a living invitation. */
export interface OpenInvitation {
  readonly grant: OperatorGrant;
  readonly invitation: Invitation;
}

export const invitationPath = (link: string): string =>
  `/operator-invitation?invitation=${encodeURIComponent(link)}`;

/** No ID has a dot. */
const readLink = (link: string): (GrantName & { readonly secret: string }) | undefined => {
  const [userId, tenantId, secret, ...others] = link.split('.');
  return userId && tenantId && secret && others.length === 0 ? { userId, tenantId, secret } : undefined;
};

/**
 * Makes the link that the mail of an invitation holds, in place of an earlier one. Undefined: there is no invitation.
 * Errors: `concurrent_change`.
 */
export async function makeInvitationLink(
  ports: RecordPorts,
  name: GrantName,
  at: number,
): Promise<string | undefined> {
  const grant = await ports.operatorRecords.find(grantId(name));
  if (grant?.state !== 'invited') return undefined;
  const secret = newSecret();
  const invitation = { hash: hashSecret(secret), expiresAt: at + INVITATION_SECONDS };
  if (!(await ports.operatorRecords.replace(grant, { ...grant, invitation })))
    throw new ServiceError('concurrent_change');
  return `${name.userId}.${name.tenantId}.${secret}`;
}

/** Errors: `link_not_found`, for one that is over, too. */
export async function requireInvitation(
  ports: Using<'operatorRecords.find'>,
  link: string,
  now: number,
): Promise<OpenInvitation> {
  const read = readLink(link);
  const grant = read && (await ports.operatorRecords.find(grantId(read)));
  const { invitation } = grant ?? {};
  const isOpen =
    invitation && now < invitation.expiresAt && equalSecrets(invitation.hash, hashSecret(read?.secret ?? ''));
  if (!grant || !isOpen) throw new ServiceError('link_not_found');
  return { grant, invitation };
}

/** Whether another browser has pressed the button before. */
export const isElsewhere = ({ invitation }: OpenInvitation, browserHash: string): boolean =>
  invitation.browserHash !== undefined && !equalSecrets(invitation.browserHash, browserHash);

async function change(
  ports: RecordPorts,
  { link, browserHash, now }: InBrowser,
  next: (open: OpenInvitation) => OperatorGrant,
): Promise<OperatorGrant> {
  let open: OpenInvitation | undefined;
  return changeRecord(
    ports.operatorRecords,
    async () => {
      open = await requireInvitation(ports, link, now);
      // Of many browsers at once the first one has it.
      if (isElsewhere(open, browserHash)) throw new ServiceError('login_elsewhere');
      return open.grant;
    },
    (grant) => next({ grant, invitation: (open as OpenInvitation).invitation }),
  );
}

export interface InBrowser {
  readonly link: string;
  readonly browserHash: string;
  /** Epoch seconds. */
  readonly now: number;
}

/** Binds the invitation to this browser. Errors: `link_not_found`, `login_elsewhere`, `concurrent_change`. */
export const bindInvitation = (ports: RecordPorts, asked: InBrowser): Promise<OperatorGrant> =>
  change(ports, asked, ({ grant, invitation }) => ({
    ...grant,
    invitation: { ...invitation, browserHash: asked.browserHash },
  }));

/** Notes that the person has enrolled. Errors: as above. */
export const enrol = (ports: RecordPorts, asked: InBrowser): Promise<OperatorGrant> =>
  change(ports, asked, ({ grant }) => (grant.state === 'invited' ? { ...grant, state: 'enrolled' } : grant));
