export interface ApiDocument {
  /** Returns the OpenAPI document, generated from the table of operations, without `servers`. */
  read(): Promise<ApiDocumentObject>;
}

export type ApiDocumentObject = Readonly<Record<string, unknown>> & { readonly openapi: string };
