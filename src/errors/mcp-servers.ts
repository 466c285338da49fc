import { entry } from './entry.ts'

/** Where something is in the manifest; nothing for what the request says beside it. */
interface Place {
  /** JSON Pointer (RFC 6901). */
  readonly pointer: string
}

/** The catalogue of MCP servers. */
export const mcpServers = {
  'endpoint-address-invalid': entry({
    status: 422,
    exit: 2,
    message: 'Invalid address of a server[ (line {line:number}, column {column:number})]: {reason}.',
    hint: 'Use an http or https URL without user name, password or key; the service sends credentials from its own store.',
    context: {} as Place,
  }),
} as const
