import { mcpAliases } from '../descriptors/aliases.ts'
import { pinnedPackage } from '../descriptors/servers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Packages have an exact version.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Server'],
  then: [{ run: pinnedPackage }],
  documentationUrl: 'https://modelcontextprotocol.io/registry/quickstart',
  help: {
    why: 'Otherwise the code that runs can differ from the code that was reviewed.',
    bad: `
name: com.example/weather
description: Weather of the next days.
version: 1.0.0
packages: [{ registryType: npm, identifier: '@example/weather', version: latest }]
`,
    good: `
name: com.example/weather
description: Weather of the next days.
version: 1.0.0
packages: [{ registryType: npm, identifier: '@example/weather', version: 1.0.0, transport: { type: stdio } }]
`,
    remedy: 'Use the exact version of the package.',
  },
})
