import { mcpAliases } from '../descriptors/aliases.ts'
import { serverVersion } from '../descriptors/servers.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'The version of a server names one version.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Server'],
  then: [{ run: serverVersion }],
  documentationUrl: 'https://modelcontextprotocol.io/registry/quickstart',
  help: {
    why: 'A range, or a word such as latest, is another server tomorrow; a registry refuses it.',
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
    remedy: 'Write the version that is meant, such as 1.0.0.',
  },
})
