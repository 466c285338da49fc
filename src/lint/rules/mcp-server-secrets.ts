import { mcpAliases } from '../descriptors/aliases.ts'
import { markedSecrets } from '../descriptors/servers.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Secrets are marked as such, and not written down.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Server'],
  then: [{ run: markedSecrets }],
  documentationUrl: 'https://modelcontextprotocol.io/registry/quickstart',
  help: {
    why: 'Hosts ask for a marked secret in a hidden field and keep it safely; any other value they show and log.',
    bad: `
name: com.example/weather
description: Weather of the next days.
version: 1.0.0
packages: [{ registryType: npm, identifier: '@example/weather', version: 1.0.0, environmentVariables: [{ name: API_KEY }] }]
`,
    good: `
name: com.example/weather
description: Weather of the next days.
version: 1.0.0
packages: [{ registryType: npm, identifier: '@example/weather', version: 1.0.0, environmentVariables: [{ name: API_KEY, isSecret: true }] }]
`,
    remedy: 'Write isSecret: true, and leave its value to the user.',
  },
})
