// Assigns the error of a rejected form to the input that caused the error.

import { type Field, type FormSchema, listFilledIndexes, listFormFields, type Values } from './forms.ts';
import { toWords } from './values.ts';

/** Error of a rejected form. The error has the name of an input if the API's message names a field of the form. */
export interface Problem {
  /** Error message for the operator. */
  readonly text: string;
  /** Name of the input; undefined if the error is about the whole form. */
  readonly name?: string;
  /** Label of the input, which becomes the text of a link to the input. */
  readonly label?: string;
  /** Page of the form that contains the input, if the input is on another page. */
  readonly page?: string | undefined;
}

/** A field with its page and its path in the request body. Nested fields are on the page of the object that contains them. */
interface Located {
  readonly field: Field;
  readonly page: string | undefined;
  /** Path in the request body. The path differs from the field's name in lists from which the operator has removed entries. */
  readonly path: string;
}

/** Lists fields together with the fields nested in them. A list contributes the fields of its entries in the form. */
function listAll(fields: readonly Field[], form: Values, parent: Partial<Located> = {}): readonly Located[] {
  return fields.flatMap((field) => {
    const page = parent.page ?? field.words?.page;
    const key = field.name.split('.').at(-1) ?? '';
    const path = parent.path === undefined ? field.name : `${parent.path}.${key}`;
    const { entry } = field;
    const nested = entry
      ? listFilledIndexes(field, form).flatMap((index, position) =>
          listAll(entry(index), form, { page, path: `${path}.${position}` }),
        )
      : listAll(field.inner, form, { page, path });
    return [{ field, page, path }, ...nested];
  });
}

export const labelOf = ({ name, words }: Pick<Field, 'name' | 'words'>): string =>
  `${words?.label ?? toWords(name.split('.').at(-1) ?? '')}${words?.unit ? ` (${words.unit})` : ''}`;

/** Finds the field with the longest name that is a prefix of a path such as `redirect_uris.0` or `brand.texts.en.title`. */
function findField(all: readonly Located[], path: string): Located | undefined {
  const found = all.find((each) => each.path === path);
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('.')));
  return found ?? (parent === '' ? undefined : findField(all, parent));
}

const toSentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

/** Finds the input that an error message of the API is about, and replaces names of fields in the message by their labels. */
export function findProblem(of: FormSchema, message: string, form: Values = {}): Problem {
  const [, path = '', reason = ''] = /^([\w.]+): (.+)$/s.exec(message) ?? [];
  const all = listAll(listFormFields({ ...of, page: undefined }), form);
  const found = findField(all, path);
  if (!found) return { text: toSentence(message) };
  const labels = new Map(all.map(({ field }) => [field.name.split('.').at(-1) ?? '', labelOf(field)]));
  const [, entry] = /^\.(\d+)/.exec(path.slice(found.path.length)) ?? [];
  const words = reason.replace(/\b[a-z0-9]+(?:_[a-z0-9]+)+\b/g, (name) => {
    const label = labels.get(name);
    return label === undefined ? name : `“${label}”`;
  });
  const { field } = found;
  const isHere = listAll(listFormFields(of), form).some(({ field: { name } }) => name === field.name);
  return {
    text: `${entry === undefined ? '' : `Entry ${Number(entry) + 1}: `}${entry === undefined ? toSentence(words) : words}`,
    ...{ name: field.name, label: labelOf(field), page: isHere ? undefined : found.page },
  };
}
