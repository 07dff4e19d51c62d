declare module 'negotiator/lib/language.js' {
  /** The tags of a header `Accept-Language`, most wanted first. */
  export default function preferredLanguages(accept: string): string[];
}
