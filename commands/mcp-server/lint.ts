import { lintApi } from '../../src/api/lint.ts'
import { command } from '../../cli/declare.ts'
import { findServer, serverArgument } from '../../cli/mcp-server/shared.ts'
import { plural } from '../../src/plural.ts'

export default command({
  summary: 'Check what an MCP server offers against the style guide, and grade it',
  description:
    'Checks what was observed last, else what is declared. Exits with 4 where the gate fails: errors, without --min-grade and --fail-on.',
  examples: ['svc mcp-server lint com.example/weather', 'svc mcp-server lint com.example/weather --min-grade B --json'],
  arguments: [serverArgument],
  options: {
    'min-grade': {
      type: 'string',
      placeholder: 'GRADE',
      choices: ['A', 'B', 'C', 'D', 'F'],
      summary: 'exit 4 on a worse grade',
    },
    'fail-on': {
      type: 'string',
      placeholder: 'SEVERITY',
      choices: ['error', 'warning', 'info'],
      summary: 'exit 4 on a finding at or above it',
    },
  },
  envelope: 'findings',
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const slug = await tenant()
    const { id } = await findServer(call, slug, args.server)
    const params = { tenant_slug: slug, endpoint_id: id }
    const { grade, guide, findings } = await call(lintApi.mcp, { params })
    const minGrade = options['min-grade']
    const failOn = options['fail-on']
    const { gate } = await call(lintApi.mcpGate, {
      params,
      query: {
        ...(minGrade === undefined ? {} : { min_grade: minGrade }),
        ...(failOn === undefined ? {} : { fail_on: failOn }),
      },
    })
    const { error, warning, info, hint } = grade.counts
    const lines = findings.map((it) => `${it.pointer} ${it.severity} ${it.code} ${it.message}\n`)
    const mark = grade.grade === null ? 'Nothing to grade' : `Grade ${grade.grade}, ${grade.score} of 100`
    return {
      findings,
      summary: { grade: grade.grade, score: grade.score, counts: grade.counts, guide, gate },
      text: () =>
        `${lines.join('')}${mark} by ${guide}: ${plural(error, 'error')}, ${plural(warning, 'warning')}, ${info} info, ${plural(hint, 'hint')}\n${gate.reasons.map((it) => `${it}\n`).join('')}`,
      ...(grade.grade === null ? { exitCode: 5 as const } : gate.passed ? {} : { exitCode: 4 as const }),
    }
  },
})
