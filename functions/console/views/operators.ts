import type { Json } from '../engine/document.ts';
import { actsHtml, itemHtml, listHtml, type Shown, type View } from '../engine/render.ts';

/** Who operates the tenant, and who waits for a confirmation. */

const STATES: Readonly<Record<string, string>> = {
  invited: 'Has not opened the invitation yet.',
  enrolled: 'Has enrolled. Make sure that it is the person, by a call or face to face, then confirm.',
};

function operatorItem(of: Shown, read: string, operator: Json): string {
  const said = STATES[String(operator.state)];
  const item = itemHtml(of, read, operator, operator.state === 'enrolled' ? [] : ['confirmOperator']);
  return said === undefined ? item : item.replace('<li>', `<li><p class="next">${said}</p>`);
}

export const operatorsView = (of: Shown): View => ({
  html: `<p>An invitation is a mail with a link that counts once. The role counts after you have confirmed the enrolment.</p>${actsHtml(of, 'listOperators')}${listHtml(of, 'listOperators', operatorItem)}`,
});
