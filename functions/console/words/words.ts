// Types of the console's labels and help texts for the fields in shared/records. These texts are for operators, whereas the
// descriptions in shared/schemas are for callers of the API.

import type { CreateInput, Fields, UpdateInput } from '../../../shared/records/field.ts';

/** Label, help text and position of a field in the console. */
export interface FieldWords {
  readonly label: string;
  /** Help text for operators. Forms append the permitted range and the default value from the schema. */
  readonly help?: string;
  /** Labels of the values of an enumeration. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Name of the field with the colour of the text on this background colour. The form shows the contrast of both colours. */
  readonly textColour?: string;
  /** Name of the form's page that contains the field, if the form has several pages. */
  readonly page?: string;
  /** True if the field is collapsed under "Advanced". */
  readonly advanced?: true;
  /** True if the form that creates the record contains the field. The settings pages contain all fields. */
  readonly start?: true;
  /** Labels and help texts of the nested fields. */
  readonly inner?: WordsTable;
}

/** Labels and help texts of a record's fields, keyed by their name in requests, in the order of the form. */
export type WordsTable = Readonly<Record<string, FieldWords>>;

/** Labels and help texts of all fields of a table that requests can set. A missing label is a compile error. */
export type WordsOf<T extends Fields> = Readonly<
  Record<Extract<keyof CreateInput<T> | keyof UpdateInput<T>, string>, FieldWords>
>;
