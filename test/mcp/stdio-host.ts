/** A server over standard input and output, for tests of real clients: what `svc mcp` does, over a catalogue in memory. */
import { serveMcpStdio } from '../../mcp/stdio.ts'
import { catalogueCall } from './catalogue.ts'
import { largeDocument } from './documents.ts'

await serveMcpStdio({
  version: '1.2.3',
  callFor: catalogueCall({ 'acme/things/1.0.0': largeDocument(50), 'private/things/1.0.0': largeDocument(5) }),
  names: 'dots',
  secret: 'a secret of the test',
  key: process.env.SVC_MCP_API_KEY ?? null,
  input: process.stdin,
  output: process.stdout,
  signal: new AbortController().signal,
  onFault: (fault) => process.stderr.write(`${String(fault)}\n`),
})
