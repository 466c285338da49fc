import { mcpAliases } from '../descriptors/aliases.ts'
import { serverVersion } from '../descriptors/servers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'The version of a server is one exact version.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Server'],
  then: [{ run: serverVersion }],
  documentationUrl: 'https://modelcontextprotocol.io/registry/quickstart',
  help: {
    why: 'Ranges and tags such as "latest" change over time, and registries reject them.',
    bad: `
name: com.example/weather
version: ^1.0.0
packages: [{ registryType: npm, identifier: '@example/weather', version: 1.0.0, transport: { type: stdio } }]
`,
    good: `
name: com.example/weather
description: Weather of the next days.
version: 1.0.0
packages: [{ registryType: npm, identifier: '@example/weather', version: 1.0.0, transport: { type: stdio } }]
`,
    remedy: 'Use an exact version such as 1.0.0.',
  },
})
