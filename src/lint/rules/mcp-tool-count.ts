import { mcpAliases } from '../descriptors/aliases.ts'
import { toolCount } from '../descriptors/tools.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'A server offers no more tools than hosts support.',
  message: '{{error}}',
  severity: 'info',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tools'],
  then: [{ run: toolCount, options: { max: 40 } }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools',
  help: {
    why: 'Each tool uses space in every request, models choose worse among many tools, and one host uses at most 40.',
    bad: `
tools: [{ name: t0 }, { name: t1 }, { name: t2 }, { name: t3 }, { name: t4 }, { name: t5 }, { name: t6 }, { name: t7 }, { name: t8 }, { name: t9 }, { name: t10 }, { name: t11 }, { name: t12 }, { name: t13 }, { name: t14 }, { name: t15 }, { name: t16 }, { name: t17 }, { name: t18 }, { name: t19 }, { name: t20 }, { name: t21 }, { name: t22 }, { name: t23 }, { name: t24 }, { name: t25 }, { name: t26 }, { name: t27 }, { name: t28 }, { name: t29 }, { name: t30 }, { name: t31 }, { name: t32 }, { name: t33 }, { name: t34 }, { name: t35 }, { name: t36 }, { name: t37 }, { name: t38 }, { name: t39 }, { name: t40 }]
`,
    good: `
tools: [{ name: find_orders }]
`,
    remedy: 'Combine similar tools, or split the server.',
  },
})
