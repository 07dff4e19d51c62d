declare module 'negotiator/lib/language.js' {
  /** Returns the language tags of an `Accept-Language` header in order of preference. */
  export default function preferredLanguages(accept: string): string[];
}
