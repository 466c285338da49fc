/** Paths that several rules share. */

/** Every operation of an OpenAPI or Swagger document. */
export const operationsPath =
  "$.paths[*][?(['get','put','post','delete','options','head','patch','trace','query'].includes(@property))]"
