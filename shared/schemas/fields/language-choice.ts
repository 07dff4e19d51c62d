import * as v from 'valibot';
import { LANGUAGES } from '../../records/languages.ts';
import { described, doc } from './described.ts';

/** Of a page that sets the cookie for it. */
export const languageChoice = described(
  v.optional(v.picklist(LANGUAGES)),
  doc('The language that was chosen on the page. This browser keeps it for half an hour.', 'de'),
);
