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
    hint: 'Remove servers that are not used any more with "svc mcp-server delete".',
    browserHint: 'Remove servers that are not used any more.',
  }),
  'observe-stdio-refused': entry({
    status: 422,
    exit: 2,
    message: 'The MCP server {name} is started by a command, and the service runs no commands.',
    hint: 'Observe it where it runs: "svc mcp-server observe --endpoint ID -- COMMAND".',
    browserHint:
      'Observe it with the command line on a machine that has the server, or in CI. The command line uploads what it offers.',
    context: {} as { readonly endpoint: string },
  }),
  'observe-address-unusable': entry({
    status: 422,
    exit: 2,
    message: 'The address {address} has variables without values: {variables:list}.',
    hint: 'Import the manifest again with the whole address: "svc mcp-server import FILE --endpoint-url URL".',
    browserHint: 'Import the manifest again with the whole address.',
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
    hint: 'The catalogue does not take servers of that size. Check that the command started the right server.',
    browserHint: 'The catalogue does not take servers of that size.',
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
    hint: 'Look at what it offers now with "svc mcp-server diff", and approve that fingerprint. A server that was never observed cannot be approved.',
    browserHint: 'Open the server again, look at what it offers now, and approve that.',
  }),
  'registry-disabled': entry({
    status: 404,
    exit: 2,
    message: 'The organization {tenant} publishes no registry of MCP servers.',
    hint: 'An administrator publishes it with "svc mcp-server registry --enable".',
    browserHint: 'An administrator publishes it on the page of the MCP servers.',
  }),
  'registry-server-not-found': entry({
    status: 404,
    exit: 2,
    message: 'The registry has no approved server {server}.',
    hint: 'List the servers of the registry at v0.1/servers. Names with a slash are written with %2F.',
  }),
  'observation-failed': entry({
    status: 422,
    exit: 6,
    message: 'The MCP server that "{command}" starts could not be read: {reason}',
    hint: 'Start the command by itself and look at what it says. Variables that it needs are passed on with --env NAME.',
    browserHint: 'Start the command by itself, read its output, and pass on the variables that it needs.',
    context: {} as { readonly kind: string },
  }),
} as const
