import type { RecordView, StoredRecord, UpdateInput } from '../records/field.ts';
import type { linkFields, loginPreferencesFields, passcodeFields } from '../records/login-preferences.ts';

export interface PasscodePreference extends StoredRecord<typeof passcodeFields> {}
export interface LinkPreference extends StoredRecord<typeof linkFields> {}
/** Login methods that an application has configured. A method without an entry is off. */
export interface LoginPreferences extends StoredRecord<typeof loginPreferencesFields> {}
/** Login preferences of an application as operators see them. */
export interface LoginPreferencesRecord extends RecordView<typeof loginPreferencesFields> {}
export interface LoginPreferencesFields extends UpdateInput<typeof loginPreferencesFields> {}
