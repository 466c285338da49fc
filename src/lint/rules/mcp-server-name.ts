import { mcpAliases } from '../descriptors/aliases.ts'
import { serverName } from '../descriptors/servers.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The name of a server is a domain backwards, a slash, and a name.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Server'],
  then: [{ run: serverName }],
  documentationUrl: 'https://modelcontextprotocol.io/registry/quickstart',
  help: {
    why: 'A registry refuses any other name: the domain tells who answers for the server.',
    bad: `
name: weather
version: 1.0.0
packages: [{ registryType: npm, identifier: '@example/weather', version: 1.0.0, transport: { type: stdio } }]
`,
    good: `
name: com.example/weather
description: Weather of the next days.
version: 1.0.0
packages: [{ registryType: npm, identifier: '@example/weather', version: 1.0.0, transport: { type: stdio } }]
`,
    remedy: 'Write com.example/weather, or io.github.NAME/weather.',
  },
})
