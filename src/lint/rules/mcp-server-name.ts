import { mcpAliases } from '../descriptors/aliases.ts'
import { serverName } from '../descriptors/servers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'The name of a server is a reversed domain, a slash and a name.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Server'],
  then: [{ run: serverName }],
  documentationUrl: 'https://modelcontextprotocol.io/registry/quickstart',
  help: {
    why: 'Registries reject other names; the domain identifies the owner of the server.',
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
    remedy: 'Use a name such as com.example/weather or io.github.USER/weather.',
  },
})
