// Types of the console's labels and help texts for the fields in shared/records. These texts are for operators, whereas the
// descriptions in shared/schemas are for callers of the API.

import type { CreateInput, Fields, UpdateInput } from '../../../shared/records/field.ts';

/** Operation that lists the records from which operators choose the value of a field, by name. */
export type Reference = 'listApplications' | 'listOperators' | 'listResources';

/** Label, help text and position of a field in the console. */
export interface FieldWords {
  readonly label: string;
  /** Help text for operators. Forms append the permitted range and the default value from the schema. */
  readonly help?: string;
  /** Labels of the values of an enumeration, or the names of the records that can be chosen. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Unit of a duration, which the console shows in words such as `30 days`. */
  readonly unit?: 'seconds' | 'minutes';
  /** Operation that lists the records whose IDs the field contains. The screen of the form must name it as a lookup. */
  readonly refers?: Reference;
  /** True if the field contains the ID of a person, whom operators name by an email address or phone number. */
  readonly isPerson?: true;
  /** Name of the field with the colour of the text on this background colour. The form shows the contrast of both colours. */
  readonly textColour?: string;
  /** Name of the form's page that contains the field, if the form has several pages. */
  readonly page?: string;
  /** True if the field has no effect on records of this type, so the console does not show it. */
  readonly hidden?: true;
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
