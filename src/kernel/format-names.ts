/** The names of formats, as their standards write them. */
export const formatNames: Readonly<Record<string, string>> = {
  openapi: 'OpenAPI',
  swagger: 'Swagger',
  arazzo: 'Arazzo',
  'json-schema': 'JSON Schema',
  mcp: 'MCP',
  asyncapi: 'AsyncAPI',
}

/** The name of a format; what is not known keeps its word. */
export const formatName = (kind: string): string => formatNames[kind] ?? kind
