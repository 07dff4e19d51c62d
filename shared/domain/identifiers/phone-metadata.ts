/** What the library knows of countries and their numbers. Bundles hold less of it: see lib/build/left-out.ts. */
export { default as phoneMetadata } from 'libphonenumber-js/min/metadata';
