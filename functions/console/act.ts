// Handles a submitted form of the console with one call of the API, which decides if the action is permitted.

import { callApi, readResult } from './engine/call.ts';
import { findRecordSchema, isJson, type Json } from './engine/document.ts';
import { type FormSchema, joinChoices, listFormFields, readBody, type Values } from './engine/forms.ts';
import { findRecordScreenPath } from './engine/home.ts';
import { findNamedWords } from './engine/names.ts';
import type { ConsolePage } from './engine/page.ts';
import { buildOwnUrl, buildScreenUrl, isDestructive } from './engine/render.ts';
import { labelAction } from './engine/titles.ts';
import { renderText as textHtml, toAttributeText, toLabel, wordedFactsHtml } from './engine/values.ts';
import {
  type ChosenAction,
  findAction,
  findParent,
  isConfirmed,
  renderActionPage,
  renderFramedPage,
  repeatAfterLogin,
  toFormSchema,
} from './show.ts';
import type { ConsoleRequest } from './visit.ts';

/**
 * Pattern for names of response fields that contain a secret. The API returns a secret only once, so the console must show it.
 */
const SECRET = /(?:^|_)secret$|^code$/;

const secretsIn = (json: Json): readonly (readonly [string, string])[] =>
  Object.entries(json).flatMap(([name, value]) =>
    typeof value === 'string' && SECRET.test(name) && value !== '' ? [[name, value] as const] : [],
  );

/** Shows a new secret in the response to the form itself, because a redirect would require storing the secret. */
function secretPage(visit: ConsoleRequest, { operation }: ChosenAction, result: Json): ConsolePage {
  const { shown } = visit;
  const secrets = secretsIn(result);
  const rest = Object.fromEntries(
    Object.entries(result).filter(([name]) => !secrets.some(([secret]) => secret === name)),
  );
  // A backend needs the ID of a client together with its secret.
  const { client_id } = result;
  const copied = [...secrets, ...(typeof client_id === 'string' ? [['client_id', client_id] as const] : [])];
  const path = findRecordScreenPath(shown.screen, shown.parameters, result);
  const words = findNamedWords(shown, operation.path);
  const facts = wordedFactsHtml(shown.document, rest, findRecordSchema(shown.document, operation), { words });
  return renderFramedPage(visit, {
    title: labelAction(operation),
    content: `<h1>Done: ${toAttributeText(labelAction(operation))}</h1><section class="card good"><p>Copy the secret now. It is shown only once.</p>${copied.map(([name, value]) => `<p>${toAttributeText(toLabel(name))}<br><code class="secret">${textHtml(value)}</code></p>`).join('')}</section><p class="acts"><a class="button" href="${path === undefined ? buildOwnUrl(shown) : buildScreenUrl(shown, path)}">Continue</a></p><details class="part"><summary>Complete record</summary>${facts}</details>`,
  });
}

/** Reverts the HTML escaping of a link, for use in a redirect. */
const unescaped = (href: string): string => href.replaceAll('&amp;', '&');

/**
 * Returns the URL of the screen to show after an action: the created record, the parent of a deleted record, or the same
 * screen.
 */
function nextUrl(visit: ConsoleRequest, { operation, parameters }: ChosenAction, result: unknown): string {
  const { shown } = visit;
  const done = { done: operation.id };
  // True if the action deletes the record that the screen shows.
  const isRecordDeleted =
    isDestructive(operation) &&
    shown.document.operations.get(shown.screen.reads[0] ?? '')?.path === operation.path;
  if (isRecordDeleted) return unescaped(buildScreenUrl(shown, findParent(shown).path, done));
  const createdPath =
    operation.method === 'POST' && isJson(result)
      ? findRecordScreenPath(shown.screen, { ...parameters, ...shown.parameters }, result)
      : undefined;
  return unescaped(
    createdPath === undefined ? buildOwnUrl(shown, done) : buildScreenUrl(shown, createdPath, done),
  );
}

/** Request body in which the IDs of people replace their addresses, or the reason why an address has no ID. */
interface WithPeople {
  readonly body?: Json | undefined;
  readonly refusal?: string;
}

/** Replaces the email address or phone number of each person in a request body by the person's user ID. */
async function findPeople(
  { shown, operating }: ConsoleRequest,
  of: FormSchema,
  body: Json | undefined,
): Promise<WithPeople> {
  let found = body;
  for (const { name, words } of listFormFields(of)) {
    const address = String(body?.[name] ?? '').trim();
    const [read = '', parameter = ''] = address.includes('@')
      ? ['getUserByEmail', 'email']
      : address.startsWith('+')
        ? ['getUserByPhoneNumber', 'phoneNumber']
        : [];
    const operation = shown.document.operations.get(read);
    if (!words?.isPerson || !operation) continue;
    const answer = await callApi(operating, { operation, parameters: { [parameter]: address } });
    if (!answer.ok)
      return { refusal: `${name}: ${answer.status === 404 ? 'no person has this address' : answer.message}` };
    const user = readResult(answer.json);
    found = { ...found, [name]: isJson(user) ? user.user_id : '' };
  }
  return { body: found };
}

/**
 * Executes the action of a submitted form. A destructive action requires a reason and the typed name of its record. On an
 * error, shows the form again with the message. If the login is too old for the action, redirects to a fresh login.
 */
export async function executeAction(visit: ConsoleRequest, submitted: Values) {
  const form = joinChoices(submitted);
  const { shown, operating } = visit;
  const operationId = form.act ?? '';
  const acting = findAction(shown, operationId, form);
  if (!acting) return renderActionPage(visit, { operationId, form });
  // The browser asks only for a new preview of the login page: the form is shown again with its values, and nothing is saved.
  if (form.preview !== undefined) return renderActionPage(visit, { operationId, form });
  const { operation, parameters } = acting;
  const again = (refusal: string) => renderActionPage(visit, { operationId, form, refusal });
  const reason = form._reason?.trim();
  if (isDestructive(operation)) {
    if (!reason) return again('Give a reason.');
    if (!isConfirmed(acting, form._typed))
      return again('Confirm below that you mean this record, exactly as it is shown.');
  }
  const of = toFormSchema(shown, operation, form.page);
  const given = operation.body ? readBody(of, form) : undefined;
  if (given && operation.method === 'PUT' && Object.keys(given).length === 0)
    return again('Change a field first.');
  const { body, refusal } = await findPeople(visit, of, given);
  if (refusal !== undefined) return again(refusal);
  const answer = await callApi(operating, { operation, parameters, body, reason });
  if (!answer.ok)
    return answer.isLoginStale ? repeatAfterLogin(visit, acting, form.page) : again(answer.message);
  const result = readResult(answer.json);
  if (isJson(result) && secretsIn(result).length > 0) return secretPage(visit, acting, result);
  if (operation.method === 'PUT' && of.page !== undefined)
    return {
      redirect: unescaped(buildOwnUrl(shown, { act: operation.id, page: of.page, done: operation.id })),
    };
  return { redirect: nextUrl(visit, acting, result) };
}
