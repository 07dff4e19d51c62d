/** Countries and their number formats. Bundles contain only a part of this data; see lib/build/left-out.ts. */
export { default as phoneMetadata } from 'libphonenumber-js/min/metadata';
