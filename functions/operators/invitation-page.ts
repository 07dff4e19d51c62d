import { escapeHtml, oneLine } from '../../shared/templates/html.ts';
import { askPage } from '../../shared/templates/pages/ask-page.ts';
import type { Brand } from '../../shared/templates/parts/brand.ts';
import { page } from '../../shared/templates/parts/frame.ts';

/** The page of an invitation to operate a tenant, in English like the console. */

/** `go-on`: the button was pressed in this browser before. `elsewhere`: in another one. */
export type InvitationStep = 'accept' | 'go-on' | 'enrolled' | 'elsewhere';

interface InvitationPageInput {
  readonly brand: Brand;
  readonly tenantName: string;
  readonly role: string;
  readonly step: InvitationStep;
  readonly action: string;
}

const ENDS = {
  enrolled: [
    'You have enrolled',
    'The one who invited you, or another admin, has to confirm it. Tell them that you are ready.',
  ],
  elsewhere: [
    'Opened in another browser',
    'This invitation was accepted in another browser, and counts there alone. If that was not you, tell the one who invited you.',
  ],
} as const;

export function invitationPage({ brand, tenantName, role, step, action }: InvitationPageInput): string {
  if (step === 'enrolled' || step === 'elsewhere') {
    const [heading, body] = ENDS[step];
    return page({ language: 'en', brand, title: heading, content: `<h1>${heading}</h1>\n<p>${body}</p>` });
  }
  const isBegun = step === 'go-on';
  return askPage(
    { language: 'en', brand, action },
    {
      heading: `Operate ${oneLine(tenantName)}`,
      body: isBegun
        ? 'Go on when you have proven your address and made a passkey.'
        : `You are invited as <b>${escapeHtml(role)}</b>. You prove your address and make a passkey now. The invitation counts in this browser alone.`,
      button: isBegun ? 'Go on' : 'Accept the invitation',
    },
  );
}
