import { mcpAliases } from '../descriptors/aliases.ts'
import { serverDescription } from '../descriptors/servers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'A server has a description of at most 100 characters.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Server'],
  then: [{ run: serverDescription }],
  documentationUrl: 'https://modelcontextprotocol.io/registry/quickstart',
  help: {
    why: 'Registries show it in lists and reject longer descriptions.',
    bad: `
name: com.example/weather
version: 1.0.0
packages: [{ registryType: npm, identifier: '@example/weather', version: 1.0.0, transport: { type: stdio } }]
`,
    good: `
name: com.example/weather
description: Weather of the next days.
version: 1.0.0
packages: [{ registryType: npm, identifier: '@example/weather', version: 1.0.0, transport: { type: stdio } }]
`,
    remedy: 'Add a description in one sentence of at most 100 characters.',
  },
})
