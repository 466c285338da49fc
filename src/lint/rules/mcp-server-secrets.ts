import { mcpAliases } from '../descriptors/aliases.ts'
import { markedSecrets } from '../descriptors/servers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Secrets are marked as secret and have no value in the document.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Server'],
  then: [{ run: markedSecrets }],
  documentationUrl: 'https://modelcontextprotocol.io/registry/quickstart',
  help: {
    why: 'Hosts ask for marked secrets in a hidden field and store them securely; they show and log other values.',
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
    remedy: 'Add isSecret: true and remove the value.',
  },
})
