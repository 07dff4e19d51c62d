// Screen with the operators of a tenant, including those who await confirmation.

import type { Json } from '../engine/document.ts';
import { itemHtml, listHtml, renderActions, type ScreenData, type View } from '../engine/render.ts';

/** Explanations for operators whose role is not in effect yet, by the operator's state. */
const STATES: Readonly<Record<string, string>> = {
  invited: 'Invited. The person has not accepted the invitation yet.',
  accepted: 'The person has opened and accepted the invitation. Next, they verify their address.',
  address_verified: 'The person has verified their address. Next, they create a passkey.',
  passkey_registered: 'The person has a passkey. Next, they log in with it once to complete the enrolment.',
  enrolled:
    'Waits for your confirmation. Make sure by a call or in person that it is the right person, then confirm.',
};

function operatorItem(of: ScreenData, read: string, operator: Json): string {
  const said = STATES[String(operator.enrolment_step ?? operator.state)];
  const item = itemHtml(of, read, operator, operator.state === 'enrolled' ? [] : ['confirmOperator']);
  return said === undefined ? item : item.replace('</strong>', `</strong><p class="next">${said}</p>`);
}

export const operatorsView = (of: ScreenData): View => ({
  html: `<p>An invitation is a mail with a link that works once. The role takes effect after you have confirmed the enrolment.</p>${renderActions(of, 'listOperators')}${listHtml(of, 'listOperators', operatorItem)}`,
});
