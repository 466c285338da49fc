import { entry } from './entry.ts'

/** Where something is in the manifest; nothing for what the request says beside it. */
interface Place {
  /** JSON Pointer (RFC 6901). */
  readonly pointer: string
}

/** The catalogue of MCP servers. */
export const mcpServers = {
  'manifest-invalid': entry({
    status: 422,
    exit: 2,
    message: 'Invalid manifest[ (line {line:number}, column {column:number})]: {reason}.',
    hint: 'Send a server.json, an answer to "tools/list", a server.yaml of Docker, the manifest.json of a bundle, a server card, or a configuration with "mcpServers".',
    context: {} as Place,
  }),
  'manifest-no-transport': entry({
    status: 400,
    exit: 2,
    message:
      'The manifest does not say how the server is reached[ (line {line:number}, column {column:number})]: {reason}.',
    hint: 'Repeat the import with the address of the server in --endpoint-url.',
    browserHint: 'Enter the address of the server.',
    context: {} as Place,
  }),
  'transport-unknown': entry({
    status: 422,
    exit: 2,
    message: 'Unknown transport "{transport}"[ (line {line:number}, column {column:number})].',
    hint: 'Use streamable_http, sse or stdio.',
    context: {} as Place,
  }),
  'endpoint-address-invalid': entry({
    status: 422,
    exit: 2,
    message: 'Invalid address of a server[ (line {line:number}, column {column:number})]: {reason}.',
    hint: 'Use an http or https URL without user name, password or key; the service sends credentials from its own store.',
    context: {} as Place,
  }),
} as const
