import * as v from 'valibot';
import { LANGUAGES } from '../../records/languages.ts';
import { describe, described } from './described.ts';

/** Language that the user has chosen on a page, which is then stored in a cookie. */
export const languageChoice = described(
  v.optional(v.picklist(LANGUAGES)),
  describe('Language that the user chose on the page. The browser keeps it for half an hour.', 'de'),
);
