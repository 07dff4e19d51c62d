import type { Given, Shown, Stored } from '../records/field.ts';
import type { linkFields, loginPreferencesFields, passcodeFields } from '../records/login-preferences.ts';

export interface PasscodePreference extends Stored<typeof passcodeFields> {}
export interface LinkPreference extends Stored<typeof linkFields> {}
/** Login methods that an application has configured. A method that is absent is off. */
export interface LoginPreferences extends Stored<typeof loginPreferencesFields> {}
/** Login preferences as operators see them. */
export interface LoginPreferencesRecord extends Shown<typeof loginPreferencesFields> {}
export interface LoginPreferencesFields extends Given<typeof loginPreferencesFields> {}
