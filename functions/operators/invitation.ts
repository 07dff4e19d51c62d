import { isPrefetch } from '../../shared/domain/basis/browser.ts';
import { accountRequest, findMissingAccountProof } from '../../shared/domain/hosted-login/account-login.ts';
import { newLogin } from '../../shared/domain/hosted-login/login-transaction.ts';
import {
  type BoundInvitation,
  bindInvitation,
  enrol,
  hasPasskey,
  type InvitationInBrowser,
  invitationPath,
  isInOtherBrowser,
  requireInvitation,
} from '../../shared/domain/operators/invitation.ts';
import { CONSOLE_CLIENT_ID } from '../../shared/domain/operators/operators.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { type BrowserContext, browserContext } from '../../shared/flows/browser/browser-context.ts';
import { type BrowserResponse, browserCookies } from '../../shared/flows/browser/browser-response.ts';
import { findSignedInUser } from '../../shared/flows/browser/signed-in-user.ts';
import { loginPath } from '../../shared/flows/hosted-login/show-page.ts';
import type { OperationPorts, OperationRequest, UseCase } from '../../shared/operation.ts';
import type { OperatorGrant } from '../../shared/ports/operators.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';
import { formPageHeaders, textPageHeaders } from '../../shared/templates/parts/frame.ts';
import { type InvitationStep, invitationPage as pageOf } from './invitation-page.ts';
import type * as rows from './rows.ts';

type Input = Pick<OperationRequest<typeof rows.invitationPage>, 'query' | 'request' | 'settings' | 'audit'>;
type ActPorts = OperationPorts<typeof rows.acceptInvitation>;

const openContext = (ports: Parameters<typeof browserContext>[0], { request, settings }: Input) =>
  browserContext(ports, { client_id: CONSOLE_CLIENT_ID }, request, settings);

/** Renders the page for one step of an invitation. If `link` is empty, the page has no button. */
async function shown(
  ports: PortsWith<'tenants'>,
  context: BrowserContext,
  { tenantId, role }: OperatorGrant,
  { step, link = '' }: { readonly step: InvitationStep; readonly link?: string },
): Promise<BrowserResponse> {
  const { brand } = context;
  const tenant = await ports.tenants.find(tenantId);
  return {
    html: pageOf({ brand, tenantName: tenant?.name ?? '', role, step, action: invitationPath(link) }),
    status: step === 'elsewhere' ? 400 : 200,
    headers: link === '' ? textPageHeaders(brand) : formPageHeaders(brand),
    cookies: browserCookies(context),
  };
}

/** Shows the page of an invitation. Opening the link changes nothing, because mail scanners open links. */
export const invitationPage: UseCase<typeof rows.invitationPage> = async (input, ports) => {
  const { query, request, audit } = input;
  if (isPrefetch(request.headers)) return { none: true };
  const open = await requireInvitation(ports, query.invitation, request.now);
  if (request.method === 'HEAD') return { none: true, status: 200 };
  const context = await openContext(ports, input);
  if (isInOtherBrowser(open, context.browser.hash))
    return shown(ports, context, open.grant, { step: 'elsewhere' });
  const { grant, enrolment } = open;
  const begun = enrolment === undefined ? 'accept' : 'go-on';
  if (grant.state !== 'invited') return shown(ports, context, grant, { step: 'enrolled' });
  // The login returns here in the browser in which the button was pressed, so the enrolment needs no second click.
  if (enrolment && (await hasEnrolled(ports, context, grant)))
    return completeEnrolment(ports, context, { grant, enrolment }, audit);
  return shown(ports, context, grant, { step: begun, link: query.invitation });
};

/** Records the enrolment, and tells the person to wait for the confirmation. */
async function completeEnrolment(
  ports: OperationPorts<typeof rows.invitationPage>,
  context: BrowserContext,
  bound: BoundInvitation,
  audit: Input['audit'],
): Promise<BrowserResponse> {
  const { tenantId, userId: recordId } = bound.grant;
  const enrolled = await enrol(ports, bound, context.now);
  audit({ tenantId, recordId, events: ['operator.enrolled'] });
  return shown(ports, context, enrolled, { step: 'enrolled' });
}

/**
 * Returns true if the invited person has just completed a login in this browser and has a passkey besides the verified address.
 */
async function hasEnrolled(
  ports: PortsWith<'sessions.find' | 'users.find' | 'passkeys.listOf'>,
  context: BrowserContext,
  { userId }: OperatorGrant,
): Promise<boolean> {
  const { session, user } = await findSignedInUser(ports, context);
  if (!session || user?.userId !== userId || user.email?.standing !== 'proven') return false;
  const passkeys = await ports.passkeys.listOf(userId);
  const { application, now: at } = context;
  const lack = findMissingAccountProof({ application, user, passkeys, proofs: session.methods, at }, 'fresh');
  return lack === undefined && hasPasskey(user, passkeys);
}

async function leadToLogin(
  ports: ActPorts,
  context: BrowserContext,
  { userId }: OperatorGrant,
  link: string,
): Promise<BrowserResponse> {
  const { settings } = context;
  const [user, passkeys] = await Promise.all([ports.users.find(userId), ports.passkeys.listOf(userId)]);
  if (!user) throw new ServiceError('link_not_found');
  const adds = hasPasskey(user, passkeys) ? {} : ({ adds: 'passkey' } as const);
  const asked = accountRequest(CONSOLE_CLIENT_ID, `${settings.browserOrigin}${invitationPath(link)}`, {
    account: { login: 'fresh', ...adds },
    expectedUserId: userId,
  });
  const hint = user.email ? { loginHint: user.email.value } : {};
  const { loginId, transaction } = newLogin(context, { ...asked, ...hint });
  await ports.loginTransactions.put(transaction);
  return { redirect: `${settings.browserOrigin}${loginPath(loginId)}`, cookies: browserCookies(context) };
}

/** Accepts an operator invitation: binds it to this browser, and starts a login in which the person enrols. */
export const acceptInvitation: UseCase<typeof rows.acceptInvitation> = async (input, ports) => {
  const { query, request, audit } = input;
  const context = await openContext(ports, input);
  const link = query.invitation;
  const asked: InvitationInBrowser = { link, browserHash: context.browser.hash, now: request.now };
  try {
    const { grant } = await bindInvitation(ports, asked);
    audit({ tenantId: grant.tenantId, recordId: grant.userId });
    if (grant.state !== 'invited') return shown(ports, context, grant, { step: 'enrolled' });
    if (!(await hasEnrolled(ports, context, grant))) return leadToLogin(ports, context, grant, link);
    // The page records the enrolment.
    const page = `${context.settings.browserOrigin}${invitationPath(link)}`;
    return { redirect: page, cookies: browserCookies(context) };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.key !== 'login_elsewhere') throw error;
    audit({ result: 'login_elsewhere' });
    const { grant } = await requireInvitation(ports, link, request.now);
    return shown(ports, context, grant, { step: 'elsewhere' });
  }
};
