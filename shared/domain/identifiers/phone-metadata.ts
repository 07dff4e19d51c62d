/** Metadata of countries and their phone number formats. Bundles contain only part of this data; see lib/build/left-out.ts. */
export { default as phoneMetadata } from 'libphonenumber-js/min/metadata';
