// Screen with the operators of a tenant, including those who await confirmation.

import type { Json } from '../engine/document.ts';
import { itemHtml, listHtml, renderActions, type ScreenData, type View } from '../engine/render.ts';

/** Explanations for operators whose role is not in effect yet, by the operator's state. */
const STATES: Readonly<Record<string, string>> = {
  invited: 'Has not opened the invitation yet.',
  enrolled: 'Has enrolled. Verify the identity of the person by a call or in person, then confirm.',
};

function operatorItem(of: ScreenData, read: string, operator: Json): string {
  const said = STATES[String(operator.state)];
  const item = itemHtml(of, read, operator, operator.state === 'enrolled' ? [] : ['confirmOperator']);
  return said === undefined ? item : item.replace('<li>', `<li><p class="next">${said}</p>`);
}

export const operatorsView = (of: ScreenData): View => ({
  html: `<p>An invitation is a mail with a link that works once. The role takes effect after you have confirmed the enrolment.</p>${renderActions(of, 'listOperators')}${listHtml(of, 'listOperators', operatorItem)}`,
});
