export interface ApiDocument {
  /** The OpenAPI document that is made from the table of operations, without `servers`. */
  read(): Promise<ApiDocumentObject>;
}

export type ApiDocumentObject = Readonly<Record<string, unknown>> & { readonly openapi: string };
