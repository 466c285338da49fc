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
      'The manifest has no address or command for the server[ (line {line:number}, column {column:number})]: {reason}.',
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
  'mcp-endpoint-not-found': entry({
    status: 404,
    exit: 2,
    message: 'There is no MCP server {endpoint} in the catalogue.',
    hint: 'List the servers with "svc mcp-server list".',
    browserHint: 'Open the catalogue of MCP servers and choose one.',
  }),
  'mcp-endpoints-exceeded': entry({
    status: 409,
    exit: 2,
    message: 'The catalogue already has {limit:number} MCP servers, which is the maximum.',
    hint: 'Remove unused servers with "svc mcp-server delete".',
    browserHint: 'Remove unused servers.',
  }),
  'observe-stdio-refused': entry({
    status: 422,
    exit: 2,
    message: 'The MCP server {name} is started by a command, and the service runs no commands.',
    hint: 'Observe it where it runs: "svc mcp-server observe --endpoint ID -- COMMAND".',
    browserHint:
      'Observe it with the command line on a machine that has the server, or in CI; the command line uploads the result.',
    context: {} as { readonly endpoint: string },
  }),
  'observe-address-unusable': entry({
    status: 422,
    exit: 2,
    message: 'The address {address} has variables without values: {variables:list}.',
    hint: 'Import the manifest again with the complete address: "svc mcp-server import FILE --endpoint-url URL".',
    browserHint: 'Import the manifest again with the complete address.',
  }),
  'observe-header-invalid': entry({
    status: 422,
    exit: 2,
    message: 'Observations cannot send the header {header}: {reason}.',
    hint: 'Use a header that carries a credential, such as Authorization or X-Api-Key, on a server with an http or https address.',
    browserHint:
      'Use a header that carries a credential, such as Authorization, on a server with an http or https address.',
  }),
  'observation-too-large': entry({
    status: 413,
    exit: 2,
    message: 'The surface has {bytes:number} bytes; the limit is {limit:number}.',
    hint: 'Check that the command started the right server; servers of this size cannot be catalogued.',
    browserHint: 'Servers of this size cannot be catalogued.',
  }),
  'mcp-surface-not-found': entry({
    status: 404,
    exit: 2,
    message: 'The MCP server {name} has no surface "{surface}".',
    hint: 'Name approved, observed, declared, or a fingerprint that "svc mcp-server show" prints. Observe a server first with "svc mcp-server observe".',
    browserHint: 'Observe the server first, or choose another surface.',
  }),
  'approve-stale': entry({
    status: 409,
    exit: 2,
    message: 'The MCP server {name} does not offer {fingerprint}[; it was last seen to offer {observed}].',
    hint: 'Run "svc mcp-server diff" to see what it offers now, then approve that fingerprint. Observe a server before you approve it.',
    browserHint: 'Reload the server to see what it offers now, then approve that.',
  }),
  'registry-disabled': entry({
    status: 404,
    exit: 2,
    message: 'The organization {tenant} publishes no registry of MCP servers.',
    hint: 'An administrator can publish it with "svc mcp-server registry --enable".',
    browserHint: 'An administrator can publish it on the page of MCP servers.',
  }),
  'registry-server-not-found': entry({
    status: 404,
    exit: 2,
    message: 'The registry has no approved server {server}.',
    hint: 'List the servers of the registry at v0.1/servers. Write a slash in a name as %2F.',
  }),
  'observation-failed': entry({
    status: 422,
    exit: 6,
    message: 'The MCP server that "{command}" starts could not be read: {reason}',
    hint: 'Run the command by itself and read its output. Pass variables that it needs with --env NAME.',
    browserHint: 'Start the command by itself and read its output. Pass the variables that it needs.',
    context: {} as { readonly kind: string },
  }),
} as const
