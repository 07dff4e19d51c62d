// Renders the inputs of a form. A new setting appears as a field without any code here.

import { describeContrast, findShownColour } from './colours.ts';
import type { ApiDocument, Json } from './document.ts';
import {
  digest,
  type Field,
  type FormSchema,
  isLines,
  isPart,
  isStructure,
  isTime,
  listFilledIndexes,
  listFormFields,
  listIndexes,
  toChoiceName,
  toInputValues,
  type Values,
  WAS,
} from './forms.ts';
import { labelOf, type Problem } from './problem.ts';
import {
  describeDuration,
  findDefault,
  renderDescription,
  renderText,
  toAttributeText,
  toWords,
} from './values.ts';

/** Maximum text length, in characters, for which a form uses a single-line input. */
const LINE_MAX = 1024;

/** Data for rendering the inputs: their values, the API document with their schemas, and the error of a rejected submission. */
interface Filled {
  readonly document: ApiDocument;
  readonly values: Values;
  readonly problem?: Problem | undefined;
}

/** Returns the ID of the element of an input. */
export const toInputId = (name: string): string => `f-${name}`;

/** Escapes the text of an input. Unlike `toAttributeText`, removes nothing, because the text is submitted again. */
const escapeInput = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const isNumber = ({ schema }: Field): boolean => schema.type === 'number' || schema.type === 'integer';

const isColour = ({ schema }: Field): boolean => schema.pattern?.startsWith('^#(') ?? false;

/** Renders the contrast between a colour and the text on this colour. A script updates the contrast when the colours change. */
function contrastHtml({ name, words }: Field, values: Values): string {
  if (words?.textColour === undefined) return '';
  const sibling = `${name.slice(0, name.lastIndexOf('.') + 1)}${words.textColour}`;
  return `<output id="${toInputId(name)}-contrast" for="${toInputId(name)}">${describeContrast(values[name] ?? '', values[sibling] ?? '')}</output>`;
}

/** Returns the label of a field's value, such as `Yes` for the value `yes`. */
const toChoiceLabel = ({ schema, words }: Field, value: string): string =>
  schema.type === 'boolean' ? toWords(value) : (words?.choices?.[value] ?? value);

/** Returns true if the value of an enumeration has a label, or if none of its values has one. */
const isOffered = ({ words }: Field, value: string): boolean =>
  words?.choices === undefined || Object.hasOwn(words.choices, value);

/** Returns the label of the option that leaves a field without a value. */
function unsetLabel(field: Field): string {
  const found = findDefault(field.schema);
  if (found === undefined) return 'Not set';
  const value = { true: 'yes', false: 'no' }[found] ?? found;
  return `Default: ${toChoiceLabel(field, value)}`;
}

/** Renders a duration in seconds in words. A script updates the words when the number changes. */
function durationHtml({ name, words }: Field, text: string): string {
  if (words?.unit !== 'seconds') return '';
  const seconds = Number(text);
  const described = text !== '' && Number.isSafeInteger(seconds) ? describeDuration(seconds, words.unit) : '';
  return `<output data-seconds for="${toInputId(name)}">${described}</output>`;
}

/** Returns true if the values of a list are chosen with checkboxes. */
const isChoice = (field: Field, document: ApiDocument): boolean =>
  isLines(field, document) && field.words?.choices !== undefined;

/** Renders the records from which the values of a list are chosen as checkboxes, beginning with the chosen ones. */
function checkboxesHtml(field: Field, text: string): string {
  const { name, words } = field;
  const chosen = text.split('\n').filter(Boolean);
  const boxes = [...new Set([...chosen, ...Object.keys(words?.choices ?? {})])].map(
    (value) =>
      `<label class="check"><input type="checkbox" name="${toAttributeText(toChoiceName(name, value))}" value="${toAttributeText(value)}"${chosen.includes(value) ? ' checked' : ''}><span>${renderText(toChoiceLabel(field, value))}</span></label>`,
  );
  const id = toInputId(name);
  return `<input type="hidden" name="${toAttributeText(name)}"><div class="choose" role="group" id="${id}" aria-labelledby="${id}-label" aria-describedby="${id}-hint">${boxes.join('')}</div>`;
}

/** Renders the input of a field as a select, a textarea or a text input. */
function control(field: Field, { document, values, problem }: Filled, described: boolean): string {
  const { name, schema, required, words } = field;
  const text = values[name] ?? '';
  // A nested field is never required in HTML: while its part is collapsed, the browser would block the form without a message.
  const isRequired = required && !name.includes('.');
  const isWrong = problem?.name === name;
  const describing = [
    ...(isWrong ? [`${toInputId(name)}-error`] : []),
    ...(described ? [`${toInputId(name)}-hint`] : []),
  ].join(' ');
  const attributes = `id="${toInputId(name)}" name="${toAttributeText(name)}"${isWrong ? ' aria-invalid="true" autofocus' : ''}${describing ? ` aria-describedby="${describing}"` : ''}`;
  const choice = (options: readonly (readonly [string, string])[]) =>
    `<select ${attributes}${isRequired ? ' required' : ''}>${options.map(([value, label]) => `<option value="${toAttributeText(value)}"${value === text ? ' selected' : ''}>${toAttributeText(label)}</option>`).join('')}</select>`;
  const unset = required && text !== '' ? [] : [['', required ? 'Choose one' : unsetLabel(field)] as const];
  const options = (all: readonly string[]) =>
    choice([...unset, ...all.map((value) => [value, toChoiceLabel(field, value)] as const)]);
  if (field.isSwitch)
    return choice([
      ['no', 'Off'],
      ['yes', 'On'],
    ]);
  if (schema.type === 'boolean') return options(['yes', 'no']);
  if (schema.enum)
    return options(schema.enum.map(String).filter((value) => value === text || isOffered(field, value)));
  if (isChoice(field, document)) return checkboxesHtml(field, text);
  if (words?.choices) return options([...new Set([...(text ? [text] : []), ...Object.keys(words.choices)])]);
  if (isTime(field))
    return `<input type="datetime-local" ${attributes} value="${escapeInput(text)}"${isRequired ? ' required' : ''}>`;
  if (isStructure(field) || (schema.maxLength ?? 0) > LINE_MAX)
    return `<textarea ${attributes} rows="${Math.min(8, Math.max(2, text.split('\n').length))}" spellcheck="false">${escapeInput(text)}</textarea>`;
  if (isColour(field))
    return `<span class="colour"><input type="text" ${attributes} data-colour="${findShownColour(name, values)}" value="${escapeInput(text)}" autocomplete="off" spellcheck="false"></span>${contrastHtml(field, values)}`;
  const type = isNumber(field) ? 'type="number" step="any"' : 'type="text"';
  return `<input ${type} ${attributes} value="${escapeInput(text)}"${isRequired ? ' required' : ''} autocomplete="off" spellcheck="false">${durationHtml(field, text)}`;
}

/** Returns the permitted range and the default of a number as sentences. */
function describeNumber(field: Field): readonly string[] {
  const { minimum, maximum } = field.schema;
  const found = findDefault(field.schema);
  const unit = field.words?.unit;
  const inWords = (value: number) => (unit ? describeDuration(value, unit) : String(value));
  return isNumber(field)
    ? [
        ...(minimum !== undefined && maximum !== undefined
          ? [`${inWords(minimum)} to ${inWords(maximum)}.`]
          : []),
        ...(found === undefined ? [] : [`Default: ${inWords(Number(found))}.`]),
      ]
    : [];
}

/** Returns the example of the API document for a value that is edited as JSON. */
const exampleHtml = ({ schema: { examples: [example] = [] } }: Field): string =>
  example === undefined ? '' : `, for example <q>${renderText(JSON.stringify(example))}</q>`;

/**
 * Returns the help text of a field as HTML, with the range and format of its value. A field without words for operators gets
 * the description from the API document.
 */
function helpHtml(field: Field, document: ApiDocument): string {
  const { schema, words } = field;
  const help = words ? words.help : schema.description;
  const format =
    isPart(field) || words?.choices
      ? []
      : isLines(field, document)
        ? ['One per line.']
        : isStructure(field)
          ? [`As JSON${exampleHtml(field)}.`]
          : [];
  return [
    ...(isTime(field) ? ['<span data-zone>In UTC.</span>'] : []),
    ...(help === undefined ? [] : [renderDescription(help)]),
    ...(words ? describeNumber(field) : []),
    ...format,
  ].join(' ');
}

/** Returns true if the error belongs to one of the fields or to a field nested in them. */
const hasProblem = (fields: readonly Field[], { problem }: Filled): boolean =>
  fields.some(({ name }) => problem?.name === name || problem?.name?.startsWith(`${name}.`));

/** Renders a part of a form. The part is collapsed unless the error belongs to one of its fields. */
const foldHtml = (summary: string, content: string, fields: readonly Field[], filled: Filled): string =>
  `<details class="part"${hasProblem(fields, filled) ? ' open' : ''}><summary>${summary}</summary>${content}</details>`;

/** Renders the error message of an input. Returns an empty string if the error belongs to another input. */
const errorHtml = ({ name }: Field, { problem }: Filled): string =>
  problem?.name === name
    ? `<p class="wrong" id="${toInputId(name)}-error">${renderText(problem.text)}</p>`
    : '';

/** Renders the fields of a form or of a part of it. Fields under "Advanced" are collapsed at the end. */
function contentHtml(
  fields: readonly Field[],
  filled: Filled,
  inSight: (fields: readonly Field[]) => string,
): string {
  const advanced = fields.filter(({ words }) => words?.advanced);
  const more = advanced.map((field) => inputHtml(field, filled)).join('');
  return `${inSight(fields.filter((field) => !advanced.includes(field)))}${more ? foldHtml('Advanced', more, advanced, filled) : ''}`;
}

const fieldsHtml = (fields: readonly Field[], filled: Filled): string =>
  contentHtml(fields, filled, (inSight) => inSight.map((each) => inputHtml(each, filled)).join(''));

/**
 * Renders the fields of an object, or each entry of a list as a collapsed part. The operator adds an entry by filling the empty
 * entry at the end.
 */
function innerHtml(field: Field, filled: Filled): string {
  const { entry, name } = field;
  if (!entry) return fieldsHtml(field.inner, filled);
  const existing = listFilledIndexes(field, filled.values);
  const entries = listIndexes(field, filled.values).map((index) => {
    const fields = entry(index);
    const [first = ''] = fields.flatMap((each) => filled.values[each.name] || []);
    const title = existing.includes(index) ? `${existing.indexOf(index) + 1}. ${first}` : 'Add an entry';
    return foldHtml(toAttributeText(title), fieldsHtml(fields, filled), fields, filled);
  });
  const hint =
    existing.length === 0 ? '' : '<p class="soft hint">To remove an entry, empty all its fields.</p>';
  return `<div id="${toInputId(name)}">${entries.join('')}</div>${hint}`;
}

/** Renders a field with its label and help, and the fields of an object as a collapsible part. */
function inputHtml(field: Field, filled: Filled): string {
  const label = toAttributeText(labelOf(field));
  const id = toInputId(field.name);
  const help = helpHtml(field, filled.document);
  const inner = innerHtml(field, filled);
  const hint = help === '' ? '' : `<p class="soft hint" id="${id}-hint">${help}</p>`;
  if (isPart(field) && !field.isSwitch)
    return foldHtml(label, `${hint}${errorHtml(field, filled)}${inner}`, [field], filled);
  const heading = isChoice(field, filled.document)
    ? `<p class="label" id="${id}-label">${label}</p>`
    : `<label for="${id}">${label}</label>`;
  const row = `${heading}${errorHtml(field, filled)}${control(field, filled, help !== '')}${hint}`;
  if (!field.isSwitch) return row;
  const settings =
    inner === ''
      ? ''
      : foldHtml(`Settings<span class="unseen">: ${label}</span>`, inner, field.inner, filled);
  return `<div class="switch">${row}${settings}</div>`;
}

/** Renders the fields of a page. Objects are parts with a heading, and the fields between them are in cards. */
function pageHtml(fields: readonly Field[], filled: Filled): string {
  const blocks: string[] = [];
  let simple = '';
  const close = () => {
    if (simple !== '') blocks.push(`<div class="card">${simple}</div>`);
    simple = '';
  };
  for (const field of fields) {
    if (!isPart(field) || field.isSwitch) {
      simple += inputHtml(field, filled);
      continue;
    }
    close();
    const help = helpHtml(field, filled.document);
    blocks.push(
      `<fieldset><legend>${toAttributeText(labelOf(field))}</legend>${help === '' ? '' : `<p class="soft hint">${help}</p>`}${errorHtml(field, filled)}${innerHtml(field, filled)}</fieldset>`,
    );
  }
  close();
  return blocks.join('');
}

/** Values of a rejected form submission, and the error message. */
interface Rejected {
  readonly form: Values;
  readonly problem?: Problem | undefined;
}

/** Renders the inputs on a page of a form, filled with the record or the last submission. */
export function inputsHtml(of: FormSchema, record: Json, rejected?: Rejected): string {
  const { document } = of;
  const fields = listFormFields(of);
  const shownValues = toInputValues(document, fields, record);
  const was =
    rejected?.form[WAS] ??
    JSON.stringify(
      Object.fromEntries(Object.entries(shownValues).map(([name, text]) => [name, digest(text)])),
    );
  const filled = { document, values: { ...shownValues, ...rejected?.form }, problem: rejected?.problem };
  return `<input type="hidden" name="${WAS}" value="${escapeInput(was)}">${contentHtml(fields, filled, (inSight) => pageHtml(inSight, filled))}`;
}
