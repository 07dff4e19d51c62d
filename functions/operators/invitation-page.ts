import { escapeHtml, oneLine } from '../../shared/templates/html.ts';
import { askPage } from '../../shared/templates/pages/ask-page.ts';
import type { Brand } from '../../shared/templates/parts/brand.ts';
import { renderPage } from '../../shared/templates/parts/frame.ts';

/**
 * Step of an invitation. `go-on`: this browser has already accepted the invitation. `elsewhere`: another browser has accepted
 * it.
 */
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
    'Now wait for the confirmation of an admin. They were notified, and may call you to make sure that it was you. After that, you can log in to the console.',
  ],
  elsewhere: [
    'Opened in another browser',
    'This invitation was accepted in another browser and is valid only there. If that was not you, tell the admin who invited you.',
  ],
} as const;

/** Renders the page of an invitation to operate a tenant, in English like the console. */
export function invitationPage({ brand, tenantName, role, step, action }: InvitationPageInput): string {
  if (step === 'enrolled' || step === 'elsewhere') {
    const [heading, body] = ENDS[step];
    return renderPage({
      language: 'en',
      brand,
      title: heading,
      content: `<h1>${heading}</h1>\n<p>${body}</p>`,
    });
  }
  const isBegun = step === 'go-on';
  return askPage(
    { language: 'en', brand, action },
    {
      heading: `Operate ${oneLine(tenantName)}`,
      body: isBegun
        ? 'Continue when you have verified your address and created a passkey.'
        : `You are invited as <b>${escapeHtml(role)}</b>. You verify your address and create a passkey now. The invitation is valid only in this browser.`,
      button: isBegun ? 'Continue' : 'Accept the invitation',
    },
  );
}
