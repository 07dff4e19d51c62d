// Link of an operator's invitation. It can be used once, in the browser in which its button was pressed first.
import { ServiceError } from '../../errors/service-error.ts';
import type { Enrolment, GrantName, Invitation, OperatorGrant } from '../../ports/operators.ts';
import type { Passkey, User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import type { ENROLMENT_STEPS } from '../../records/operator.ts';
import { awaitAll } from '../basis/await-all.ts';
import { buildGrantId } from '../basis/operators.ts';
import { areSecretsEqual, hashSecret, newSecret } from '../basis/random.ts';
import { hasValidGeneration } from '../trust/generations.ts';

export type EnrolmentStep = (typeof ENROLMENT_STEPS)[number];

export const INVITATION_HOURS = 24;
const INVITATION_SECONDS = INVITATION_HOURS * 3600;

type RecordPorts = PortsWith<'operatorRecords.find' | 'operatorRecords.replace'>;

type ReadPorts = PortsWith<'operatorRecords.find' | 'operatorEnrolments.find'>;

/** Operator grant with its unexpired invitation, and with the enrolment if it has begun. */
export interface OpenInvitation {
  /** Grant whose state is `enrolled` if the operator has completed the enrolment through the current link. */
  readonly grant: OperatorGrant;
  readonly invitation: Invitation;
  /** Enrolment that began with this invitation link. Undefined until the button on the invitation page is pressed. */
  readonly enrolment: Enrolment | undefined;
}

/**
 * Returns the grant with the state that operators see: `enrolled` if the person has completed the enrolment of the current
 * link.
 */
export function withEnrolment(grant: OperatorGrant, enrolment: Enrolment | undefined): OperatorGrant {
  const isComplete = enrolment?.enrolledAt !== undefined && enrolment.hash === grant.invitation?.hash;
  return grant.state === 'invited' && isComplete ? { ...grant, state: 'enrolled' } : grant;
}

export const invitationPath = (link: string): string =>
  `/operator-invitation?invitation=${encodeURIComponent(link)}`;

const LINK = /^([^.]+)\.([^.]+)\.([^.]+)$/;

/** Splits the value of a link into its IDs and its secret, which are joined by dots. No ID contains a dot. */
const readLink = (link: string): (GrantName & { readonly secret: string }) | undefined => {
  const [, userId = '', tenantId = '', secret] = LINK.exec(link) ?? [];
  return secret === undefined ? undefined : { userId, tenantId, secret };
};

/**
 * Creates the value of an invitation link, which is sent by email. The person's earlier links become invalid. Returns undefined
 * if the person is not invited. Throws `concurrent_change`.
 */
export async function makeInvitationLink(
  ports: RecordPorts,
  name: GrantName,
  at: number,
): Promise<string | undefined> {
  const grant = await ports.operatorRecords.find(buildGrantId(name));
  if (grant?.state !== 'invited') return undefined;
  const secret = newSecret();
  const invitation = { hash: hashSecret(secret), expiresAt: at + INVITATION_SECONDS };
  if (!(await ports.operatorRecords.replace(grant, { ...grant, invitation })))
    throw new ServiceError('concurrent_change');
  return `${name.userId}.${name.tenantId}.${secret}`;
}

export const hasPasskey = (user: User, passkeys: readonly Passkey[]): boolean =>
  passkeys.some((passkey) => passkey.standing === 'proven' && hasValidGeneration(user, passkey));

/** Returns the last enrolment step that an invited person has completed after accepting the invitation. */
export async function findEnrolmentStep(
  ports: PortsWith<'passkeys.listOf'>,
  user: User,
): Promise<EnrolmentStep> {
  if (user.email?.standing !== 'proven') return 'accepted';
  return hasPasskey(user, await ports.passkeys.listOf(user.userId))
    ? 'passkey_registered'
    : 'address_verified';
}

/** Finds the invitation of a link. Throws `link_not_found` if the link is unknown, replaced or expired. */
export async function requireInvitation(
  ports: ReadPorts,
  link: string,
  now: number,
): Promise<OpenInvitation> {
  const read = readLink(link);
  if (!read) throw new ServiceError('link_not_found');
  const [grant, enrolment] = await awaitAll(
    ports.operatorRecords.find(buildGrantId(read)),
    ports.operatorEnrolments.find(read),
  );
  const { invitation } = grant ?? {};
  const isOpen =
    invitation && now < invitation.expiresAt && areSecretsEqual(invitation.hash, hashSecret(read.secret));
  if (!grant || !isOpen) throw new ServiceError('link_not_found');
  const own = enrolment?.hash === invitation.hash ? enrolment : undefined;
  return { grant: withEnrolment(grant, own), invitation, enrolment: own };
}

/** Returns true if the button of the invitation was already pressed in another browser. */
export const isInOtherBrowser = (
  { enrolment }: Pick<OpenInvitation, 'enrolment'>,
  browserHash: string,
): boolean => enrolment !== undefined && !areSecretsEqual(enrolment.browserHash, browserHash);

export interface InvitationInBrowser {
  readonly link: string;
  readonly browserHash: string;
  /** Time of the request in epoch seconds. */
  readonly now: number;
}

export interface BoundInvitation extends Pick<OpenInvitation, 'grant'> {
  readonly enrolment: Enrolment;
}

/**
 * Binds the invitation to the first browser that accepts it. Throws `link_not_found`, or `login_elsewhere` in any other
 * browser.
 */
export async function bindInvitation(
  ports: ReadPorts & PortsWith<'operatorEnrolments.bind'>,
  { link, browserHash, now }: InvitationInBrowser,
): Promise<BoundInvitation> {
  const { grant, invitation, enrolment } = await requireInvitation(ports, link, now);
  const { userId, tenantId } = grant;
  const own = { userId, tenantId, hash: invitation.hash, browserHash };
  const held = enrolment ?? (await ports.operatorEnrolments.bind(own));
  if (isInOtherBrowser({ enrolment: held }, browserHash)) throw new ServiceError('login_elsewhere');
  return { grant, enrolment: held };
}

/** Records that the person has enrolled. Throws `link_not_found` if they have accepted a newer invitation in the meantime. */
export async function enrol(
  ports: PortsWith<'operatorEnrolments.complete'>,
  { grant, enrolment }: BoundInvitation,
  now: number,
): Promise<OperatorGrant> {
  if (!(await ports.operatorEnrolments.complete(enrolment, now))) throw new ServiceError('link_not_found');
  return { ...grant, state: 'enrolled' };
}
