import { mcpAliases } from '../descriptors/aliases.ts'
import { remoteAddress } from '../descriptors/servers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Remote servers have a public https URL.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Server'],
  then: [{ run: remoteAddress }],
  documentationUrl: 'https://modelcontextprotocol.io/registry/quickstart',
  help: {
    why: 'Tokens and data are sent over this connection.',
    bad: `
name: com.example/weather
description: Weather of the next days.
version: 1.0.0
remotes: [{ type: streamable-http, url: 'http://mcp.example.com/' }]
`,
    good: `
name: com.example/weather
description: Weather of the next days.
version: 1.0.0
remotes: [{ type: streamable-http, url: 'https://mcp.example.com/' }]
`,
    remedy: 'Serve the remote server over TLS and use its https URL.',
  },
})
